import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { READ_PAGE_RECORDS } from '../base/limits';
import type { Faults } from '../faults/faults';
import type { StagedEvent } from '../storage/committer';
import type { EventLog } from '../storage/event-log';
import type { LogEntry } from '../storage/log-reader';
import {
  readRevision,
  readStreamName,
  readStreamNumber,
  TOMBSTONE_REVISION,
  readType,
} from '../storage/record';
import {
  isProjectionName,
  PROJECTIONS,
  type ProjectedEvent,
  type ProjectionName,
} from './definitions';

/**
 * The delay in ms before a newly enabled projection starts. On a real server, links appear some
 * time after `enable` returns. Clients depend on it: a subscription that is created at the end of
 * an empty `$et-…` stream gets all events.
 */
const ENABLE_DELAY_MS = 500;

/**
 * The stored state of a projection, in the table `meta` under `projection:<name>`. It changes in
 * the transaction of the links that it covers.
 */
interface StoredState {
  readonly enabled: boolean;
  /**
   * All events before this position have their links. `live` means that all committed events have
   * them.
   */
  readonly position: number | 'live';
}

interface Running {
  readonly name: ProjectionName;
  enabled: boolean;
  position: number | 'live';
  /** The identity of the current run. An older run ends when it finds another one here. */
  run: object | undefined;
  eventsProcessed: number;
  aborted: boolean;
  /**
   * True after a failure. The projection writes no links until it is enabled again or the server
   * restarts.
   */
  faulted: boolean;
}

/** The state of a projection as it is reported to clients. */
export interface ProjectionFacts {
  readonly name: ProjectionName;
  readonly status: 'Running' | 'Stopped' | 'Aborted' | 'Faulted';
  /** The reason of the failure; empty if the projection did not fail. */
  readonly reason: string;
  /** All events before this position have their links. */
  readonly position: number;
  readonly progressPercent: number;
  readonly eventsProcessed: number;
}

/**
 * The system projections. A projection that is behind reads the log page by page, and commits the
 * links of a page together with its new position. A projection that is up to date adds its links to
 * the commit of the events themselves. This needs no second flush, and a crash leaves nothing to
 * catch up.
 */
export class SystemProjections {
  readonly #projections: readonly Running[];
  #closed = false;

  constructor(
    private readonly log: EventLog,
    private readonly faults: Faults,
  ) {
    this.#projections = (Object.keys(PROJECTIONS) as ProjectionName[]).map((name) => ({
      name,
      ...this.readStoredState(name),
      run: undefined,
      eventsProcessed: 0,
      aborted: false,
      faulted: false,
    }));
    log.onStaged = (events) => {
      this.emitLive(events);
    };
  }

  /**
   * Starts the projections that were enabled before. In a new directory, starts the default ones.
   */
  start(enabledByDefault: readonly ProjectionName[]): void {
    for (const projection of this.#projections) {
      const known = this.log.readMeta(createMetaKey(projection.name)) !== undefined;
      if (!known && enabledByDefault.includes(projection.name)) this.set(projection, true);
      if (projection.enabled) this.follow(projection, 0);
    }
  }

  close(): void {
    this.#closed = true;
    for (const projection of this.#projections) projection.run = undefined;
  }

  find(name: string): ProjectionFacts | undefined {
    const projection = this.findKnown(name);
    return projection && this.describe(projection);
  }

  list(): readonly ProjectionFacts[] {
    return this.#projections.map((projection) => this.describe(projection));
  }

  /** Resolves when all earlier changes to enabled projections are on disk. */
  waitUntilStored(): Promise<void> {
    return this.log.waitUntilFlushed();
  }

  /** Restarts every enabled projection from its stored position. */
  restart(): void {
    for (const projection of this.#projections) {
      projection.faulted = false;
      if (projection.enabled) this.follow(projection, ENABLE_DELAY_MS);
    }
  }

  enable(name: string): boolean {
    const projection = this.findKnown(name);
    if (!projection) return false;
    if (!projection.enabled || projection.faulted) {
      projection.aborted = false;
      projection.faulted = false;
      this.set(projection, true);
      this.follow(projection, ENABLE_DELAY_MS);
    }
    return true;
  }

  disable(name: string, how: { readonly aborted: boolean }): boolean {
    const projection = this.findKnown(name);
    if (!projection) return false;
    projection.aborted = how.aborted;
    projection.faulted = false;
    if (projection.enabled) {
      if (projection.position === 'live') projection.position = this.log.stagedEnd;
      projection.run = undefined;
      this.set(projection, false);
    }
    return true;
  }

  /** Returns to the stored positions after a failed commit. */
  rollBack(): void {
    for (const projection of this.#projections) {
      const stored = this.readStoredState(projection.name);
      projection.position = stored.position;
      if (projection.enabled && !projection.faulted) this.follow(projection, ENABLE_DELAY_MS);
    }
  }

  private findKnown(name: string): Running | undefined {
    return isProjectionName(name)
      ? this.#projections.find((projection) => projection.name === name)
      : undefined;
  }

  private describe(projection: Running): ProjectionFacts {
    const { name, position, eventsProcessed } = projection;
    const { end } = this.log;
    const reached = position === 'live' ? end : position;
    return {
      name,
      status: describeStatus(projection),
      reason: projection.faulted ? FAULT_REASON : '',
      position: reached,
      progressPercent: Math.min(100, (reached / end) * 100),
      eventsProcessed,
    };
  }

  private readStoredState(name: ProjectionName): StoredState {
    const text = this.log.readMeta(createMetaKey(name));
    return text === undefined ? { enabled: false, position: 0 } : (JSON.parse(text) as StoredState);
  }

  private set(projection: Running, enabled: boolean): void {
    projection.enabled = enabled;
    this.store(projection);
  }

  private store({ name, enabled, position }: Running): void {
    this.log.putMeta(
      createMetaKey(name),
      JSON.stringify({ enabled, position } satisfies StoredState),
    );
  }

  private follow(projection: Running, delayMs: number): void {
    if (projection.position === 'live') return;
    const run = {};
    projection.run = run;
    const begin = (): void => {
      if (projection.run === run) void this.catchUp(projection, run);
    };
    if (delayMs === 0) begin();
    else setTimeout(begin, delayMs).unref();
  }

  private async catchUp(projection: Running, run: object): Promise<void> {
    while (projection.run === run && !this.#closed && projection.position !== 'live') {
      const page = this.log.reader.readForward(projection.position, READ_PAGE_RECORDS);
      for (const entry of page.entries) this.emit(projection, readEntry(entry));
      if (page.next === undefined) this.goLive(projection);
      else projection.position = page.next;
      this.store(projection);
      // The links of a page are committed before the next page is read.
      await new Promise<void>((resolve) => {
        this.log.callAfterCommit(() => {
          resolve();
        });
      });
      await setImmediate();
    }
  }

  /** Links the events that wait for their commit, which no page contains yet, and goes live. */
  private goLive(projection: Running): void {
    for (const event of this.log.listUncommitted()) this.emit(projection, readStaged(event));
    projection.position = 'live';
  }

  private emitLive(events: readonly StagedEvent[]): void {
    for (const projection of this.#projections) {
      if (projection.position !== 'live' || !projection.enabled) continue;
      this.emitUntilFault(projection, events);
    }
  }

  private emitUntilFault(projection: Running, events: readonly StagedEvent[]): void {
    for (const event of events) {
      if (projection.name === '$by_category' && this.faults.strikes('projection-fault')) {
        projection.faulted = true;
        projection.position = event.position;
        this.store(projection);
        return;
      }
      this.emit(projection, readStaged(event));
    }
  }

  private emit(projection: Running, event: ProjectedEvent): void {
    projection.eventsProcessed++;
    const emission = PROJECTIONS[projection.name](event);
    if (!emission) return;
    const stream = this.log.openStream(emission.streamName);
    // A client has tombstoned the stream of the links, so no link can be written.
    if (stream.head.lastRevision === TOMBSTONE_REVISION) return;
    this.log.stage(
      stream,
      { id: randomUUID(), ...emission.event },
      emission.target ? { target: emission.target } : {},
    );
  }
}

const FAULT_REASON = 'The fault projection-fault struck. Enable the projection to go on.';

const describeStatus = ({ enabled, aborted, faulted }: Running): ProjectionFacts['status'] => {
  if (faulted) return 'Faulted';
  if (enabled) return 'Running';
  return aborted ? 'Aborted' : 'Stopped';
};

const createMetaKey = (name: ProjectionName): string => `projection:${name}`;

const readEntry = ({ position, record }: LogEntry): ProjectedEvent => ({
  position,
  record,
  streamName: readStreamName(record),
  streamNumber: readStreamNumber(record),
  revision: readRevision(record),
  type: readType(record),
});

const readStaged = ({ position, record, stream, revision, type }: StagedEvent): ProjectedEvent => ({
  position,
  record,
  streamName: stream.name,
  streamNumber: stream.number,
  revision,
  type,
});
