import { EventLog } from './storage/event-log';
import { Scavenger } from './storage/scavenger';
import { assertStore } from './storage/tables';

export type MaintenanceTask = MaintenanceOrder['task'];

/** A maintenance task that an operator can start. */
export type MaintenanceOrder =
  | { readonly task: 'scavenge' | 'compact' }
  /** Copies the store into a new or an empty directory. */
  | { readonly task: 'backup'; readonly toDir: string };

export interface MaintenanceStatus {
  readonly task: MaintenanceTask | null;
  readonly state: 'never_run' | 'running' | 'completed' | 'failed';
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  /** The progress in whole percent; null while it is not known. */
  readonly percent: number | null;
  readonly eventsRemoved: number;
  /** The reason of a failure; null if the task did not fail. */
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

/**
 * The key in the table `meta` that is set while a compaction is requested. Its value is the number
 * of attempts.
 */
const COMPACTION_BEGUN = 'maintenance:compactionBegun';
/**
 * The number of attempts to compact. If each attempt ends the process, the server must still be
 * able to start.
 */
const BEGINS_MAX = 3;

/**
 * Runs the maintenance tasks of a store, one at a time, and reports their progress. An interrupted
 * compaction starts again with the next start of the server. The other tasks do not; an operator
 * can request them again.
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

  /** Starts a task, unless another one runs. Returns the status of the task that runs now. */
  start(order: MaintenanceOrder): MaintenanceStatus {
    if (this.#status.state !== 'running') {
      const { task } = order;
      this.#status = { ...NEVER_RUN, task, state: 'running', startedAtMs: this.log.now() };
      this.#work = this.run(order, 1);
    }
    return this.status;
  }

  /** Starts an interrupted compaction again. */
  resume(): void {
    const begun = Number(this.log.readMeta(COMPACTION_BEGUN) ?? '');
    if (begun === 0) return;
    const task = 'compact';
    this.#status = { ...NEVER_RUN, task, state: 'running', startedAtMs: this.log.now() };
    this.#work = this.run({ task }, begun + 1);
  }

  /** Resolves with the status when no task is running. */
  async waitUntilIdle(): Promise<MaintenanceStatus> {
    await this.#work;
    return this.status;
  }

  /**
   * Ends the running task and resolves when it has ended. An interrupted compaction stays
   * requested.
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
      await this.storeBeginCount(begun);
      await this.scavenge();
      await this.log.compact(this.showShare);
      await this.storeBeginCount(0);
    } catch (error) {
      // A failed compaction is reported and does not start again by itself. On a full disk it stays
      // requested.
      if (!this.#closing) await this.storeBeginCount(0).catch(() => undefined);
      throw error;
    }
  }

  private async storeBeginCount(times: number): Promise<void> {
    this.log.putMeta(COMPACTION_BEGUN, String(times));
    await this.log.waitUntilFlushed();
  }

  /**
   * A compaction begins with this step, because it frees only the space of events that were removed
   * before.
   */
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

/** Throws if a server has the directory open. */
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
