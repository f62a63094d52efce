import { EventLog } from './storage/event-log';
import { Scavenger } from './storage/scavenger';
import { assertStore } from './storage/tables';

export type MaintenanceTask = MaintenanceOrder['task'];

/** A maintenance task that an operator can start. */
export type MaintenanceOrder =
  | { readonly task: 'scavenge' | 'compact' }
  /** Copies the store into a new or empty directory. */
  | { readonly task: 'backup'; readonly toDir: string };

export interface MaintenanceStatus {
  readonly task: MaintenanceTask | null;
  readonly state: 'never_run' | 'running' | 'completed' | 'failed';
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  /** Whole percent; null while it is not known. */
  readonly percent: number | null;
  readonly eventsRemoved: number;
  /** Why it failed. */
  readonly error: string | null;
}

const NEVER_RUN: MaintenanceStatus = {
  task: null,
  state: 'never_run',
  startedAtMs: null,
  finishedAtMs: null,
  percent: null,
  eventsRemoved: 0,
  error: null,
};

/** Set in `meta` while a compaction is asked for: how many times it has begun. */
const COMPACTION_BEGUN = 'maintenance:compactionBegun';
/** A compaction that ends the process each time must not keep the store from working. */
const BEGINS_MAX = 3;

/**
 * Runs what an operator asks of a store, one task at a time, and says how far it has come. A
 * compaction that was cut off, because the process died or was stopped, begins anew with the next
 * start of the server. The other tasks are asked for again, if they are still wanted.
 */
export class Maintenance {
  #status = NEVER_RUN;
  #work = Promise.resolve();
  #closing = false;

  constructor(
    private readonly log: EventLog,
    private readonly scavenger: Scavenger,
  ) {}

  get status(): MaintenanceStatus {
    return this.#status.task === 'scavenge' && this.#status.state === 'running'
      ? { ...this.#status, eventsRemoved: this.scavenger.progress.eventsRemoved }
      : this.#status;
  }

  /** Starts a task, unless one is under way. Answers the status of the one that runs now. */
  start(order: MaintenanceOrder): MaintenanceStatus {
    if (this.#status.state !== 'running') {
      const { task } = order;
      this.#status = { ...NEVER_RUN, task, state: 'running', startedAtMs: this.log.now() };
      this.#work = this.run(order, 1);
    }
    return this.status;
  }

  /** Begins a compaction anew that was cut off. */
  resume(): void {
    const begun = Number(this.log.readMeta(COMPACTION_BEGUN) ?? '');
    if (begun === 0) return;
    const task = 'compact';
    this.#status = { ...NEVER_RUN, task, state: 'running', startedAtMs: this.log.now() };
    this.#work = this.run({ task }, begun + 1);
  }

  /** Resolves when nothing is under way any more. */
  async waitUntilIdle(): Promise<MaintenanceStatus> {
    await this.#work;
    return this.status;
  }

  /**
   * Resolves when nothing is under way any more. A compaction that cannot be completed now is kept.
   */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#work;
  }

  private async run(order: MaintenanceOrder, begun: number): Promise<void> {
    try {
      if (order.task === 'backup') await this.log.backUp(order.toDir, this.showShare);
      else if (order.task === 'compact') await this.compact(begun);
      else await this.scavenge();
      this.advance({ state: 'completed', percent: 100, finishedAtMs: this.log.now() });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.advance({ state: 'failed', error: message, finishedAtMs: this.log.now() });
    }
  }

  private async compact(begun: number): Promise<void> {
    try {
      if (begun > BEGINS_MAX) throw new Error(`It was cut off ${BEGINS_MAX} times.`);
      await this.noteBegun(begun);
      await this.scavenge();
      await this.log.compact(this.showShare);
      await this.noteBegun(0);
    } catch (error) {
      // A failure is reported and does not begin by itself again. On a full disk the note stays.
      if (!this.#closing) await this.noteBegun(0).catch(() => undefined);
      throw error;
    }
  }

  private async noteBegun(times: number): Promise<void> {
    this.log.putMeta(COMPACTION_BEGUN, String(times));
    await this.log.waitUntilFlushed();
  }

  /** A compaction needs it too: it makes room only for what was removed before it. */
  private async scavenge(): Promise<void> {
    const { state, eventsRemoved } = await this.scavenger.scavengeAll().finished;
    this.advance({ eventsRemoved });
    if (state !== 'completed') throw new Error(`The scavenge ${state}.`);
  }

  private readonly showShare = (copied: number, total: number): void => {
    this.advance({ percent: total === 0 ? 100 : Math.floor((copied / total) * 100) });
  };

  private advance(change: Partial<MaintenanceStatus>): void {
    this.#status = { ...this.#status, ...change };
  }
}

/** Throws when a server has the directory. */
export const maintainDirectory = async (
  dir: string,
  order: MaintenanceOrder,
): Promise<MaintenanceStatus> => {
  assertStore(dir);
  const log = new EventLog({ dir });
  const scavenger = new Scavenger(log);
  try {
    const maintenance = new Maintenance(log, scavenger);
    maintenance.start(order);
    return await maintenance.waitUntilIdle();
  } finally {
    await scavenger.close();
    await log.close();
  }
};
