import { randomUUID } from 'node:crypto';
import type { Aggregates } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import { createSystemContext } from '../../event-store/system-context';
import { type Clock, msBetween } from '../../kernel/time';
import { log } from '../../ops/log';
import {
  failReplay,
  finishReplay,
  type KnownReplay,
  recordProgress,
  type Replay,
  replayAggregate,
  requireReplay,
  startReplay,
} from '../../domain/replays/replay.decider';
import type { FailureReason, ReplayFact, ReplayProgress } from '../../domain/replays/replay.events';

/**
 * One run of a replay job, stored in the stream of the job. Every method throws `JobLost` once
 * another run has begun.
 */
export class ReplayRun {
  /** Id of this run. */
  private readonly runId = randomUUID();

  constructor(
    readonly id: string,
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
  ) {}

  /** Starts the run and returns the state of the job. */
  begin(): Promise<KnownReplay> {
    return this.decide((replay) => startReplay(this.runId, this.clock.now())(replay));
  }

  storeProgress(made: ReplayProgress): Promise<KnownReplay> {
    return this.decide(recordProgress(this.runId, made));
  }

  async finish(): Promise<KnownReplay> {
    return this.logFinished(await this.decide(finishReplay(this.runId)));
  }

  async fail(reason: FailureReason): Promise<KnownReplay> {
    return this.logFinished(await this.decide(failReplay(this.runId, reason)));
  }

  /** Logs the canonical line of a replay. */
  private logFinished(replay: KnownReplay): KnownReplay {
    const { status, failureReason, startedAt, progress: reached } = replay;
    log.info(
      {
        replay_id: this.id,
        status,
        failure_reason: failureReason,
        delivered: reached.events_delivered,
        failed: reached.events_failed,
        skipped: reached.events_skipped,
        duration_ms: startedAt === null ? null : msBetween(startedAt, this.clock.now()),
      },
      'replay.finished',
    );
    return replay;
  }

  private async decide(decision: (replay: Replay) => ReplayFact[]): Promise<KnownReplay> {
    const { state } = await this.aggregates.run(
      replayAggregate,
      streams.replay(this.id),
      createSystemContext('replays', this.clock),
      (moment) => decision(moment.state),
    );
    return requireReplay(state);
  }
}
