import { BACKWARDS, END, RUNNING } from '@eventstore/db-client';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '../config/config';
import { describeError, log, warnSeldom } from '../ops/log';
import { isUnreachable, withTimeout } from './availability';
import type { EventStoreConnection } from './connection';
import { each } from './read';
import { categoryStream } from './streams';

const PROJECTION = '$by_category';
const CALL_TIMEOUT_MS = 10_000;
const PAUSE_MS = 500;
const WARN_EVERY_MS = 60_000;
/** A refusal may come from a server that is still starting. */
const REFUSALS_MAX = 3;
/** Links are looked at this often, and an event that old should have its link. */
const LOOK_EVERY_MS = 5_000;
const LATE_AFTER_MS = 5_000;
/** The projection's state is asked for this often where nothing is appended. */
const ASK_EVERY_MS = 20_000;
const STILL_WARN_EVERY_MS = 60_000;

export type LinksState = 'ok' | 'starting' | 'standing_still';

/**
 * Deliveries and directories read category streams (`$ce-…`), which EventStoreDB writes only while
 * its projection `$by_category` runs. Without it everything would be accepted and nothing delivered.
 * A new server has it stopped, and it can stop or fault at any time, so the service turns it on, at the
 * start and later, and says what to do where it may not.
 */
export class CategoryLinks {
  private running = false;
  private stillSinceMs: number | null = null;
  private head = -1n;
  private askedAtMs = -Infinity;
  private readonly warnOfStill = warnSeldom(STILL_WARN_EVERY_MS);

  constructor(private readonly connection: EventStoreConnection) {}

  isReady(): boolean {
    return this.running;
  }

  state(): LinksState {
    if (!this.running) return 'starting';
    return this.stillSinceMs === null ? 'ok' : 'standing_still';
  }

  /** For how long no event has been linked although events were appended; 0 where links follow. */
  stillForMs(): number {
    return this.stillSinceMs === null ? 0 : Date.now() - this.stillSinceMs;
  }

  /** Ends when the projection runs. Waits for a store that is away; throws when it refuses. */
  async run(signal: AbortSignal): Promise<void> {
    const warn = warnSeldom(WARN_EVERY_MS);
    let refusals = 0;
    while (!signal.aborted) {
      try {
        this.running = await this.turnOn();
        if (this.running) return;
      } catch (error) {
        if (isUnreachable(error)) warn(describeError(error), awaited(this.connection));
        else {
          log.warn(describeError(error), `cannot see to the projection ${PROJECTION} yet`);
          refusals += 1;
        }
        if (refusals === REFUSALS_MAX) throw refused(error);
      }
      await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Notices when links stand still, and starts the projection again. Ends when the signal aborts. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
      // A store that is away has its own warning; it says nothing about the links.
      if (!signal.aborted) await this.look().catch(() => undefined);
    }
  }

  private async look(): Promise<void> {
    const late = await this.lateSinceMs();
    const isDue = Date.now() - this.askedAtMs >= ASK_EVERY_MS;
    if (late === null && this.stillSinceMs !== null) this.follows();
    if (late === null && !isDue) return;
    this.askedAtMs = Date.now();
    const found = await this.turnOnAgain();
    const isStopped = found !== 'running' && found.status !== '';
    if (late !== null || isStopped) this.standsStill(late ?? Date.now(), found);
  }

  /** Since when an event has had no link while the head of its category did not move; null = none has. */
  private async lateSinceMs(): Promise<number | null> {
    const { waiting } = this.connection.links;
    if (waiting === null || Date.now() - waiting.appendedAtMs < LATE_AFTER_MS) return null;
    const head = await this.lastLinkOf(waiting.category);
    const moved = head !== this.head;
    this.head = head;
    this.connection.links.linked(head);
    // A projection that is behind and catches up does not stand still.
    return this.connection.links.waiting === null || moved ? null : waiting.appendedAtMs;
  }

  /** Position of the last link of a category in the log; -1 where there is none. */
  private async lastLinkOf(category: string): Promise<bigint> {
    let position = -1n;
    const options = { fromRevision: END, direction: BACKWARDS, maxCount: 1 } as const;
    const read = this.connection.client.readStream(categoryStream(category), {
      ...options,
      deadline: CALL_TIMEOUT_MS,
    });
    await each(read, ({ event }) => {
      position = event?.position?.commit ?? -1n;
    });
    return position;
  }

  private standsStill(sinceMs: number, found: ProjectionFound): void {
    this.stillSinceMs ??= sinceMs;
    const seconds = Math.round(this.stillForMs() / 1000);
    this.warnOfStill({ projection: PROJECTION, seconds, ...describe(found) }, advice(found));
  }

  private follows(): void {
    log.info({ projection: PROJECTION }, 'the event store links events into categories again');
    this.stillSinceMs = null;
  }

  private async turnOnAgain(): Promise<ProjectionFound> {
    let status = '';
    try {
      status = await this.status();
      if (status === RUNNING) return 'running';
      await withTimeout(this.connection.client.enableProjection(PROJECTION), CALL_TIMEOUT_MS);
      return { status };
    } catch (error) {
      return { status, error };
    }
  }

  private async status(): Promise<string> {
    const { client } = this.connection;
    const asked = client.getProjectionStatus(PROJECTION);
    return (await withTimeout(asked, CALL_TIMEOUT_MS)).projectionStatus;
  }

  /** Whether it runs; a stopped one is asked to, and looked at again. */
  private async turnOn(): Promise<boolean> {
    if ((await this.status()) === RUNNING) return true;
    log.info(`enabling the projection ${PROJECTION} of the event store`);
    await withTimeout(this.connection.client.enableProjection(PROJECTION), CALL_TIMEOUT_MS);
    return (await this.status()) === RUNNING;
  }
}

/** It runs; or it was started again from this state; or it could not be. An empty state is unknown. */
type ProjectionFound = 'running' | { readonly status: string; readonly error?: unknown };

const describe = (found: ProjectionFound): object => {
  if (found === 'running') return { status: RUNNING };
  return {
    status: found.status,
    ...(found.error === undefined ? {} : describeError(found.error)),
  };
};

const STILL = 'the event store links no events into categories: nothing is delivered';

const advice = (found: ProjectionFound): string => {
  if (found === 'running') {
    return (
      `${STILL}, although its projection ${PROJECTION} says that it runs. Look into the log of the ` +
      'event store, and restart its projections (POST /projections/restart)'
    );
  }
  if (found.error === undefined) return `${STILL}. Its projection ${PROJECTION} is started again`;
  return (
    `${STILL}, and the service cannot start its projection ${PROJECTION} again. Start it in the web ` +
    `page of the event store (Projections, ${PROJECTION}, Start), or give the user in EVENTSTORE_URL ` +
    'the right to (group $ops or $admins)'
  );
};

/** What a start waits for, and what to look at where it waits in vain. */
export const awaited = ({ address }: EventStoreConnection): string =>
  `waiting for the event store at ${address} (EVENTSTORE_URL): check that it runs, that this is its ` +
  'address, and that the URL has tls=false where the server has no TLS';

const refused = (cause: unknown): ConfigError =>
  new ConfigError([
    `the event store at EVENTSTORE_URL does not run the projection ${PROJECTION}, and refuses to ` +
      'start it. Start the server with projections (EVENTSTORE_RUN_PROJECTIONS=System, ' +
      'EVENTSTORE_START_STANDARD_PROJECTIONS=true), or give the user in EVENTSTORE_URL the right ' +
      `to (group $admins or $ops), then start the service again (${String(cause)})`,
  ]);
