import { randomBytes, randomUUID } from 'node:crypto';
import type { Aggregates } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import { causedBySystem, type CommandContext } from '../../kernel/scope';
import { type Clock, msBetween } from '../../kernel/time';
import { log } from '../../ops/log';
import {
  fail,
  finish,
  type KnownReplay,
  progress,
  type Replay,
  replayAggregate,
  requireReplay,
  start,
} from '../../domain/replays/replay.decider';
import type { FailureReason, ReplayFact, ReplayProgress } from '../../domain/replays/replay.events';

/** One run of a job, as it stands in the job's stream. Throws `JobLost` once another run has begun. */
export class Job {
  /** Names this run. */
  private readonly run = randomUUID();

  constructor(
    readonly id: string,
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
  ) {}

  /** The job as this run takes it up. */
  begin(): Promise<KnownReplay> {
    return this.decide((replay) => start(this.run, this.clock.now())(replay));
  }

  write(made: ReplayProgress): Promise<KnownReplay> {
    return this.decide(progress(this.run, made));
  }

  async finish(): Promise<KnownReplay> {
    return this.ended(await this.decide(finish(this.run)));
  }

  async fail(reason: FailureReason): Promise<KnownReplay> {
    return this.ended(await this.decide(fail(this.run, reason)));
  }

  /** The canonical line of a replay. */
  private ended(replay: KnownReplay): KnownReplay {
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
      bySystem(this.clock),
      (moment) => decision(moment.state),
    );
    return requireReplay(state);
  }
}

const bySystem = (clock: Clock): CommandContext => ({
  commandId: randomUUID().replaceAll('-', ''),
  now: clock.now(),
  actor: 'system',
  origin: causedBySystem('replays'),
  entropy: (_, bytes) => randomBytes(bytes),
  resumed: false,
  wrote: () => undefined,
});
