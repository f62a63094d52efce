import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { SCAVENGE_INTERVAL_MS, SCAVENGE_RECORDS_MAX, SCAVENGE_STREAMS_MAX } from '../base/limits';
import type { EventLog } from './event-log';
import { TOMBSTONE_REVISION } from './record';
import type { Stream } from './stream-directory';
import { computeVisibleRange } from './stream-reader';

/** The key in the table `meta` that is set when all streams of the directory have been checked. */
const ALL_STREAMS_CHECKED = 'scavenge:allSeen';

/** The progress of a scavenge. */
export interface ScavengeProgress {
  readonly id: string;
  readonly state: 'running' | 'completed' | 'stopped' | 'failed';
  readonly streams: number;
  readonly eventsRemoved: number;
}

export interface ScavengeRun {
  readonly id: string;
  /** True if the scavenge was already running when this call came. */
  readonly wasRunning: boolean;
  /** Resolves when the scavenge has ended. It never rejects, because a failure is a state. */
  readonly finished: Promise<ScavengeProgress>;
}

/**
 * Removes the events that can no longer be read from their stream, so that $all does not show them
 * either. These are all events of a tombstoned stream except the tombstone, and the events that
 * `$tb`, `$maxCount` and `$maxAge` cut off. The last event of a stream always stays, also in a
 * soft-deleted stream, as on a real server. The scavenger checks a stream soon after something was
 * cut off (storage/outdated-streams.ts), and all streams on request. Each commit removes a limited
 * number of events, and appends share that commit, so no append waits long.
 */
export class Scavenger {
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #work: Promise<unknown> = Promise.resolve();
  #run: (ScavengeRun & { stopped: boolean }) | undefined;
  #progress: ScavengeProgress = { id: '', state: 'completed', streams: 0, eventsRemoved: 0 };

  constructor(
    private readonly log: EventLog,
    private readonly intervalMs = SCAVENGE_INTERVAL_MS,
  ) {}

  /**
   * Starts the regular work. All streams are checked if no scavenger has run in this directory
   * before.
   */
  start(): void {
    if (this.log.readMeta(ALL_STREAMS_CHECKED) === undefined) void this.scavengeAll().finished;
    this.#timer = setInterval(() => {
      void this.enqueue(() => this.scavengeOutdated());
    }, this.intervalMs);
    this.#timer.unref();
  }

  /** Resolves when no removal is in progress. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#work;
  }

  /** Returns the latest scavenge of all streams. It has no id if there was none since the start. */
  get progress(): ScavengeProgress {
    return this.#progress;
  }

  /** Checks all streams, or joins the scavenge that already does so. */
  scavengeAll(): ScavengeRun {
    if (this.#run) return { ...this.#run, wasRunning: true };
    const id = randomUUID();
    this.#progress = { id, state: 'running', streams: 0, eventsRemoved: 0 };
    const finished = this.enqueue(() => this.scavengeAllStreams()).then((state) => {
      this.#run = undefined;
      return this.advance({ state: state ?? 'failed' });
    });
    const run = { id, wasRunning: false, stopped: false, finished };
    this.#run = run;
    return run;
  }

  /** Stops a scavenge. Returns false if no scavenge with this id is running. */
  stop(id: string): boolean {
    if (this.#run?.id !== id) return false;
    this.#run.stopped = true;
    return true;
  }

  /**
   * Runs one removal after another. The log reports a refused or failed write, and the removal is
   * tried again later.
   */
  private enqueue<T>(work: () => Promise<T>): Promise<T | undefined> {
    const done = this.#work.then(work).catch(() => undefined);
    this.#work = done;
    return done;
  }

  private async scavengeOutdated(): Promise<void> {
    for (const name of this.log.outdated.names()) {
      if (this.#closed) return;
      await this.scavengeStream(name);
    }
  }

  private async scavengeAllStreams(): Promise<ScavengeProgress['state']> {
    let names = this.log.reader.listStreamNamesAfter('', SCAVENGE_STREAMS_MAX);
    while (names.length > 0) {
      for (const name of names) {
        if (this.#closed || this.#run?.stopped === true) return 'stopped';
        const removed = await this.scavengeStream(name);
        const { streams, eventsRemoved } = this.#progress;
        this.advance({ streams: streams + 1, eventsRemoved: eventsRemoved + removed });
      }
      await setImmediate();
      names = this.log.reader.listStreamNamesAfter(names.at(-1) ?? '', SCAVENGE_STREAMS_MAX);
    }
    this.log.putMeta(ALL_STREAMS_CHECKED, 'true');
    await this.log.waitUntilFlushed();
    return 'completed';
  }

  private advance(change: Partial<ScavengeProgress>): ScavengeProgress {
    this.#progress = { ...this.#progress, ...change };
    return this.#progress;
  }

  /** Returns the number of removed events. */
  private async scavengeStream(name: string): Promise<number> {
    const stream = this.log.streams.find(name);
    if (!stream) return 0;
    let removed = 0;
    while (!this.#closed) {
      const keepFrom = findFirstKept(this.log, stream);
      const events = this.log.reader.listOldestBelow(stream.number, keepFrom, SCAVENGE_RECORDS_MAX);
      if (events.length === 0) {
        if (isSettled(stream)) this.log.forgetOutdated(stream);
        return removed;
      }
      await this.log.remove(stream, events);
      removed += events.length;
      await setImmediate();
    }
    return removed;
  }
}

/** Returns the oldest revision that stays. */
const findFirstKept = (log: EventLog, stream: Stream): number => {
  const { lastRevision } = stream.committed;
  if (lastRevision === TOMBSTONE_REVISION) return TOMBSTONE_REVISION;
  return Math.min(computeVisibleRange(log, stream).first, Math.max(0, lastRevision));
};

/**
 * True if no more events of a stream can become outdated: no commit is in progress, and there is no
 * maximum age.
 */
const isSettled = ({ head, committed }: Stream): boolean =>
  head === committed && committed.metadata.ageMaxSeconds === Infinity;
