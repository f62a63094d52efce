import { traceOfReplay } from '../../delivery/attempt/attempt-trace';
import type { Aggregates } from '../../event-store/aggregates';
import { followCategory } from '../../event-store/catch-up';
import { lastRevision } from '../../event-store/category-reads';
import { warnOfFailure } from '../../event-store/failures';
import { resubscribe } from '../../event-store/resubscribe';
import { categoryStream } from '../../event-store/streams';
import { log } from '../../ops/log';
import type { Tracing } from '../../ops/tracing';
import { isOutage } from '../../event-store/store-outage';
import { within } from '../../ops/within';
import { Job } from '../progress/job';
import type { Leases } from './leases';
import { isUnfinished, JobLost, type KnownReplay } from '../../domain/replays/replay.decider';
import { Rouse } from './rouse';
import { Runner, type RunnerParts } from './runner';

/** Leases are renewed and orphaned jobs looked for. */
const LOOK_EVERY_MS = 1_000;
/** The same while none runs here. */
const LOOK_SELDOM_MS = 5_000;
/** How long a run waits until this process knows its destination; then another process may try. */
const DESTINATION_PATIENCE_MS = 10_000;
/** Runs that broke one after the other before the job is given up. */
const FAULTS_MAX = 20;

interface Running {
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

export interface ReplayerParts extends RunnerParts {
  readonly aggregates: Aggregates;
  readonly leases: Leases;
  readonly tracing: Tracing;
  /** Whether this process knows a destination up to a revision, now or before the signal aborts. */
  readonly knows: (id: string, revision: number, signal: AbortSignal) => Promise<boolean>;
}

/**
 * Runs jobs in this process: new ones as soon as the log tells of them, and those whose process
 * died. A cancellation reaches the run through the log as well.
 */
export class Replayer {
  private readonly running = new Map<string, Running>();
  private readonly faults = new Map<string, number>();
  /** Roused when a job runs after none did: its lease is to be renewed from then on. */
  private readonly begun = new Rouse();

  constructor(private readonly parts: ReplayerParts) {}

  async run(signal: AbortSignal): Promise<void> {
    await this.parts.destinations.whenReady(signal).catch(() => undefined);
    await Promise.all([this.follow(signal), this.lookAfter(signal)]);
    const ends = [...this.running.values()].map(({ stop, done }) => {
      stop.abort();
      return done;
    });
    await Promise.all(ends);
  }

  private async follow(signal: AbortSignal): Promise<void> {
    const { connection } = this.parts;
    const stream = categoryStream('replay');
    const name = 'replays';
    await resubscribe({ connection, name, signal }, async ({ healthy, watched }) => {
      // What came before is found by looking for orphans.
      const after = await lastRevision(connection.client, stream);
      const from = { stream, after, signal, watched };
      for await (const { events } of followCategory(connection, from)) {
        healthy();
        for (const { event } of events) {
          const id = event?.data['id'] as string;
          if (event?.type === 'replay.requested') this.start(id);
          if (event?.type === 'replay.cancelled') this.running.get(id)?.stop.abort();
        }
      }
    });
  }

  private async lookAfter(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const orphans = await this.look().catch((error: unknown) => {
        warnOfFailure('replays cannot be looked after', 'replayer', error);
        return [];
      });
      for (const id of orphans) if (!signal.aborted) this.start(id);
      await this.begun.wait(this.running.size > 0 ? LOOK_EVERY_MS : LOOK_SELDOM_MS, signal);
    }
  }

  /** Renews the leases of what runs here, and answers the jobs that run nowhere. */
  private async look(): Promise<string[]> {
    const { leases } = this.parts;
    if (this.running.size > 0) await leases.renew();
    return leases.orphans();
  }

  private start(id: string): void {
    if (this.running.has(id)) return;
    if (this.running.size === 0) this.begun.rouse();
    const stop = new AbortController();
    const done = this.runJob(id, stop.signal)
      .catch((error: unknown) => {
        this.noteFault(id, error);
      })
      .finally(() => {
        this.running.delete(id);
      });
    this.running.set(id, { stop, done });
  }

  private async runJob(id: string, signal: AbortSignal): Promise<void> {
    const { leases, aggregates, clock } = this.parts;
    if (!(await leases.take(id))) return;
    try {
      const job = new Job(id, aggregates, clock);
      const state = await job.begin();
      if (!isUnfinished(state)) return;
      if ((this.faults.get(id) ?? 0) >= FAULTS_MAX) await job.fail('internal_error');
      else if (await this.knowsDestination(state, signal)) {
        const startedAtMs = Date.now();
        await new Runner(job, state, this.parts).run(signal);
        if (!signal.aborted) recordReplay(this.parts.tracing, id, startedAtMs);
      }
      this.faults.delete(id);
    } finally {
      await leases.give(id).catch(() => undefined);
    }
  }

  /** A process that lags may see the destination as it was before it was registered or enabled. */
  private async knowsDestination({ request }: KnownReplay, signal: AbortSignal): Promise<boolean> {
    const { id: replay_id, destination_id, destination_revision = -1 } = request;
    const known = await within(signal, DESTINATION_PATIENCE_MS, (until) =>
      this.parts.knows(destination_id, destination_revision, until),
    );
    if (!known && !signal.aborted) {
      log.warn({ replay_id, destination_id }, 'a replay waits until its destination is known here');
    }
    return known;
  }

  private noteFault(id: string, error: unknown): void {
    if (error instanceof JobLost) return;
    if (!isOutage(error)) this.faults.set(id, (this.faults.get(id) ?? 0) + 1);
    warnOfFailure('a replay broke: it will go on', id, error);
  }
}

/** The step that the attempts of a replay are parts of. */
const recordReplay = (tracing: Tracing, id: string, startedAtMs: number): void => {
  const trace = traceOfReplay(id);
  tracing.record({
    name: 'replay',
    trace: { ...trace, isSampled: tracing.isSampled(trace.traceId, null) },
    causeId: null,
    startedAtMs,
    durationMs: Date.now() - startedAtMs,
    attributes: { 'replay.id': id },
  });
};
