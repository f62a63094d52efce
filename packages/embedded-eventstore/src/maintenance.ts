import { EventLog } from './storage/event-log';
import { Scavenger } from './storage/scavenger';
import { assertStore } from './storage/tables';

export type MaintenanceTask = MaintenanceOrder['task'];

/** What an operator asks of a store. */
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

/** Runs what an operator asks of a store, one task at a time, and says how far it has come. */
export class Maintenance {
  #status = NEVER_RUN;
  #work = Promise.resolve();

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
      this.#work = this.run(order);
    }
    return this.status;
  }

  /** Resolves when nothing is under way any more. */
  async idle(): Promise<MaintenanceStatus> {
    await this.#work;
    return this.status;
  }

  private async run(order: MaintenanceOrder): Promise<void> {
    try {
      if (order.task === 'backup') await this.log.backUp(order.toDir, this.showShare);
      else await this.scavenge();
      if (order.task === 'compact') await this.log.compact(this.showShare);
      this.advance({ state: 'completed', percent: 100, finishedAtMs: this.log.now() });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.advance({ state: 'failed', error: message, finishedAtMs: this.log.now() });
    }
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
    return await maintenance.idle();
  } finally {
    await scavenger.close();
    await log.close();
  }
};
