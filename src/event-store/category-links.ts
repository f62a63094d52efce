import { BACKWARDS, END, RUNNING } from '@eventstore/db-client';
import { ConfigError } from '../config/config';
import { describeError, log, limitWarnings } from '../ops/log';
import { isUnavailable, withTimeout } from './availability';
import { pause, pollUntilStopped } from '../ops/polling';
import type { EventStoreConnection } from './connection';
import { forEachEntry } from './read';
import { categoryStream } from './streams';

/** The projection of the event store that links events into category streams. */
export const PROJECTION = '$by_category';
const CALL_TIMEOUT_MS = 10_000;
const PAUSE_MS = 500;
const WARN_EVERY_MS = 60_000;
/** Number of refusals before the start fails. A server that is still starting may refuse too. */
const REFUSALS_MAX = 3;
/** Interval of the check. An event older than LATE_AFTER_MS should have its link. */
const CHECK_EVERY_MS = 5_000;
const LATE_AFTER_MS = 5_000;
/** Interval for reading the state of the projection while nothing is appended. */
const STATUS_EVERY_MS = 20_000;
const STALLED_WARN_EVERY_MS = 60_000;

export type LinksState = 'ok' | 'starting' | 'standing_still';

/**
 * Watches the category streams. Deliveries and directories read category streams (`$ce-…`), which
 * EventStoreDB writes only while its projection `$by_category` runs. Without it everything would be
 * accepted and nothing delivered. The projection is stopped on a new server and can stop at any
 * time. The service starts it, at its own start and later. If it has no right to, it says what to
 * do.
 */
export class CategoryLinks {
  private running = false;
  private stalledSinceMs: number | null = null;
  private head = -1n;
  private statusReadAtMs = -Infinity;
  private readonly warnOfStall = limitWarnings(STALLED_WARN_EVERY_MS);

  constructor(private readonly connection: EventStoreConnection) {}

  isReady(): boolean {
    return this.running;
  }

  state(): LinksState {
    if (!this.running) return 'starting';
    return this.stalledSinceMs === null ? 'ok' : 'standing_still';
  }

  /**
   * Returns for how many milliseconds no event has been linked although events were appended; 0 if
   * links are written.
   */
  stalledForMs(): number {
    return this.stalledSinceMs === null ? 0 : Date.now() - this.stalledSinceMs;
  }

  /**
   * Waits until the projection runs, and starts it if necessary. It waits for a store that does not
   * answer, and throws if the store refuses.
   */
  async ensureRunning(signal: AbortSignal): Promise<void> {
    const warn = limitWarnings(WARN_EVERY_MS);
    let refusals = 0;
    while (!signal.aborted) {
      try {
        this.running = await this.enableProjection();
        if (this.running) return;
      } catch (error) {
        if (isUnavailable(error)) warn(describeError(error), describeWait(this.connection));
        else {
          log.warn(
            describeError(error),
            `cannot start the projection ${PROJECTION} of the event store: it is tried again`,
          );
          refusals += 1;
        }
        if (refusals === REFUSALS_MAX) throw refusedError(error);
      }
      await pause(PAUSE_MS, signal);
    }
  }

  /**
   * Checks at intervals that links are written, and restarts the projection if they are not. It
   * ends when the signal aborts.
   */
  async watch(signal: AbortSignal): Promise<void> {
    await pollUntilStopped(signal, () => this.checkLinks(), {
      everyMs: CHECK_EVERY_MS,
      firstAfterMs: CHECK_EVERY_MS,
      // A store that does not answer causes its own warning and says nothing about the links.
      onFailure: () => undefined,
    });
  }

  private async checkLinks(): Promise<void> {
    const late = await this.findLateSinceMs();
    const isDue = Date.now() - this.statusReadAtMs >= STATUS_EVERY_MS;
    if (late === null && this.stalledSinceMs !== null) this.recordRecovery();
    if (late === null && !isDue) return;
    this.statusReadAtMs = Date.now();
    const found = await this.restartProjection();
    const isStopped = found !== 'running' && found.status !== '';
    if (late !== null || isStopped) this.recordStall(late ?? Date.now(), found);
  }

  /**
   * Returns the time since which an event has had no link and the head of its category has not
   * moved; null if there is no such event.
   */
  private async findLateSinceMs(): Promise<number | null> {
    const { waiting } = this.connection.links;
    if (waiting === null || Date.now() - waiting.appendedAtMs < LATE_AFTER_MS) return null;
    const head = await this.readLastLinkPosition(waiting.category);
    const moved = head !== this.head;
    this.head = head;
    this.connection.links.recordLink(head);
    // A projection that catches up is not stalled.
    return this.connection.links.waiting === null || moved ? null : waiting.appendedAtMs;
  }

  /** Returns the position of the last link of a category in the log; -1 if there is none. */
  private async readLastLinkPosition(category: string): Promise<bigint> {
    let position = -1n;
    const options = { fromRevision: END, direction: BACKWARDS, maxCount: 1 } as const;
    const read = this.connection.client.readStream(categoryStream(category), {
      ...options,
      deadline: CALL_TIMEOUT_MS,
    });
    await forEachEntry(read, ({ event }) => {
      position = event?.position?.commit ?? -1n;
    });
    return position;
  }

  private recordStall(sinceMs: number, found: ProjectionState): void {
    this.stalledSinceMs ??= sinceMs;
    const seconds = Math.round(this.stalledForMs() / 1000);
    this.warnOfStall(
      { projection: PROJECTION, seconds, ...describeState(found) },
      describeStall(found),
    );
  }

  private recordRecovery(): void {
    log.info({ projection: PROJECTION }, 'the event store links events into categories again');
    this.stalledSinceMs = null;
  }

  private async restartProjection(): Promise<ProjectionState> {
    let status = '';
    try {
      status = await this.readStatus();
      if (status === RUNNING) return 'running';
      await withTimeout(this.connection.client.enableProjection(PROJECTION), CALL_TIMEOUT_MS);
      return { status };
    } catch (error) {
      return { status, error };
    }
  }

  private async readStatus(): Promise<string> {
    const { client } = this.connection;
    const asked = client.getProjectionStatus(PROJECTION);
    return (await withTimeout(asked, CALL_TIMEOUT_MS)).projectionStatus;
  }

  /** Starts the projection if it is stopped. Returns true if it runs. */
  private async enableProjection(): Promise<boolean> {
    if ((await this.readStatus()) === RUNNING) return true;
    log.info(`enabling the projection ${PROJECTION} of the event store`);
    await withTimeout(this.connection.client.enableProjection(PROJECTION), CALL_TIMEOUT_MS);
    return (await this.readStatus()) === RUNNING;
  }
}

/**
 * The state of the projection: it runs, or it was restarted from this status, or the restart
 * failed. An empty status is unknown.
 */
type ProjectionState = 'running' | { readonly status: string; readonly error?: unknown };

const describeState = (found: ProjectionState): object => {
  if (found === 'running') return { status: RUNNING };
  return {
    status: found.status,
    ...(found.error === undefined ? {} : describeError(found.error)),
  };
};

const STALLED_MESSAGE = 'the event store links no events into categories: nothing is delivered';

const describeStall = (found: ProjectionState): string => {
  if (found === 'running') {
    return (
      `${STALLED_MESSAGE}, although its projection ${PROJECTION} says that it runs. Look into the log of the ` +
      'event store, and restart its projections (POST /projections/restart)'
    );
  }
  if (found.error === undefined)
    return `${STALLED_MESSAGE}. Its projection ${PROJECTION} is started again`;
  return (
    `${STALLED_MESSAGE}, and the service cannot start its projection ${PROJECTION} again. Start it in the web ` +
    `page of the event store (Projections, ${PROJECTION}, Start), or give the user in EVENTSTORE_URL ` +
    'the right to (group $ops or $admins)'
  );
};

/** Says what the start waits for and what the operator should check. */
export const describeWait = ({ address }: EventStoreConnection): string =>
  `waiting for the event store at ${address} (EVENTSTORE_URL): check that it runs, that this is its ` +
  'address, and that the URL has tls=false where the server has no TLS';

const refusedError = (cause: unknown): ConfigError =>
  new ConfigError([
    `the event store at EVENTSTORE_URL does not run the projection ${PROJECTION}, and refuses to ` +
      'start it. Start the server with projections (EVENTSTORE_RUN_PROJECTIONS=System, ' +
      'EVENTSTORE_START_STANDARD_PROJECTIONS=true), or give the user in EVENTSTORE_URL the right ' +
      `to (group $admins or $ops), then start the service again (${String(cause)})`,
  ]);
