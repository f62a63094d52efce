import { createReplayTrace } from '../../delivery/attempt/attempt-trace';
import type { Aggregates } from '../../event-store/aggregates';
import { followCategory } from '../../event-store/catch-up';
import { readLastRevision } from '../../event-store/category-reads';
import { warnOfFailure } from '../../event-store/failures';
import { keepSubscribed } from '../../event-store/keep-subscribed';
import { categoryStream } from '../../event-store/streams';
import { log } from '../../ops/log';
import type { Tracing } from '../../ops/tracing';
import { isOutage } from '../../event-store/store-outage';
import { runWithTimeLimit } from '../../ops/within';
import { ReplayRun } from '../progress/replay-run';
import type { ReplayLeases } from './leases';
import { isUnfinished, JobLost, type KnownReplay } from '../../domain/replays/replay.decider';
import { pollUntilStopped } from '../../ops/polling';
import { WakeSignal } from '../../ops/wake-signal';
import { Runner, type RunnerParts } from './runner';

/** Interval for renewing leases and looking for orphaned jobs. */
const POLL_MS = 1_000;
/** Interval for looking for orphaned jobs while no job runs in this process. */
const IDLE_POLL_MS = 6_000;
/**
 * A run waits this long until this process knows its destination. After that another process may
 * try.
 */
const DESTINATION_WAIT_MS = 10_000;
/** Number of runs that may fail in a row before the job fails. */
const FAILED_RUNS_MAX = 20;

interface RunningJob {
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

export interface ReplayerParts extends RunnerParts {
  readonly aggregates: Aggregates;
  readonly leases: ReplayLeases;
  readonly tracing: Tracing;
  /**
   * Resolves to true once this process knows a destination up to a revision, or to false when the
   * signal aborts.
   */
  readonly knowsDestination: (
    id: string,
    revision: number,
    signal: AbortSignal,
  ) => Promise<boolean>;
}

/**
 * Runs replay jobs in this process: new ones as soon as they are in the log, and those whose
 * process has died. A cancellation reaches a run through the log too.
 */
export class Replayer {
  private readonly running = new Map<string, RunningJob>();
  private readonly failedRuns = new Map<string, number>();
  /** Woken when the first job starts, because its lease must be renewed from then on. */
  private readonly jobStarted = new WakeSignal();

  constructor(
    private readonly parts: ReplayerParts,
    private readonly pollMs = POLL_MS,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    await this.parts.destinations.waitUntilReady(signal).catch(() => undefined);
    await Promise.all([this.followRequests(signal), this.adoptOrphans(signal)]);
    const ends = [...this.running.values()].map(({ stop, done }) => {
      stop.abort();
      return done;
    });
    await Promise.all(ends);
  }

  private async followRequests(signal: AbortSignal): Promise<void> {
    const { connection } = this.parts;
    const stream = categoryStream('replay');
    const name = 'replays';
    await keepSubscribed({ connection, name, signal }, async ({ markHealthy, watched }) => {
      // Earlier jobs are found as orphans.
      const after = await readLastRevision(connection.client, stream);
      const from = { stream, after, signal, watched };
      for await (const { events } of followCategory(connection, from)) {
        markHealthy();
        for (const { event } of events) {
          const id = event?.data['id'] as string;
          if (event?.type === 'replay.requested') this.start(id);
          if (event?.type === 'replay.cancelled') this.running.get(id)?.stop.abort();
        }
      }
    });
  }

  private async adoptOrphans(signal: AbortSignal): Promise<void> {
    const adopt = async (): Promise<void> => {
      const orphans = await this.renewAndFindOrphans();
      for (const id of orphans) if (!signal.aborted) this.start(id);
    };
    await pollUntilStopped(signal, adopt, {
      everyMs: this.pollMs,
      wait: (ms, stop) => this.jobStarted.wait(this.running.size > 0 ? ms : IDLE_POLL_MS, stop),
      onFailure: (error) => {
        warnOfFailure(
          'leases of replays cannot be renewed and orphaned replays cannot be found: it is tried again',
          'replayer',
          error,
        );
      },
    });
  }

  /** Renews the leases of running jobs and returns the jobs that run nowhere. */
  private async renewAndFindOrphans(): Promise<string[]> {
    const { leases } = this.parts;
    if (this.running.size > 0) await leases.renew();
    return leases.findOrphans();
  }

  private start(id: string): void {
    if (this.running.has(id)) return;
    if (this.running.size === 0) this.jobStarted.wakeAll();
    const stop = new AbortController();
    const done = this.runJob(id, stop.signal)
      .catch((error: unknown) => {
        this.recordFailedRun(id, error);
      })
      .finally(() => {
        this.running.delete(id);
      });
    this.running.set(id, { stop, done });
  }

  private async runJob(id: string, signal: AbortSignal): Promise<void> {
    const { leases, aggregates, clock } = this.parts;
    if (!(await leases.acquire(id))) return;
    try {
      const job = new ReplayRun(id, aggregates, clock);
      const state = await job.begin();
      if (!isUnfinished(state)) return;
      if ((this.failedRuns.get(id) ?? 0) >= FAILED_RUNS_MAX) await job.fail('internal_error');
      else if (await this.knowsDestination(state, signal)) {
        const startedAtMs = Date.now();
        await new Runner(job, state, this.parts).run(signal);
        if (!signal.aborted) recordReplay(this.parts.tracing, id, startedAtMs);
      }
      this.failedRuns.delete(id);
    } finally {
      // A lease that cannot be released expires by itself.
      await leases.release(id).catch(() => undefined);
    }
  }

  /**
   * Waits until this process knows the destination as it was at acceptance. A process that lags
   * behind the log may not yet know that it was registered or enabled.
   */
  private async knowsDestination({ request }: KnownReplay, signal: AbortSignal): Promise<boolean> {
    const { id: replay_id, destination_id, destination_revision = -1 } = request;
    const known = await runWithTimeLimit(signal, DESTINATION_WAIT_MS, (until) =>
      this.parts.knowsDestination(destination_id, destination_revision, until),
    );
    if (!known && !signal.aborted) {
      log.warn(
        { replay_id, destination_id },
        'a replay waits until this process knows its destination',
      );
    }
    return known;
  }

  private recordFailedRun(id: string, error: unknown): void {
    if (error instanceof JobLost) return;
    if (!isOutage(error)) this.failedRuns.set(id, (this.failedRuns.get(id) ?? 0) + 1);
    warnOfFailure('a run of a replay failed: another run will continue it', id, error);
  }
}

/** Records the span of a replay. The spans of its attempts are children of it. */
const recordReplay = (tracing: Tracing, id: string, startedAtMs: number): void => {
  const trace = createReplayTrace(id);
  tracing.record({
    name: 'replay',
    trace: { ...trace, isSampled: tracing.isSampled(trace.traceId, null) },
    causeId: null,
    startedAtMs,
    durationMs: Date.now() - startedAtMs,
    attributes: { 'replay.id': id },
  });
};
