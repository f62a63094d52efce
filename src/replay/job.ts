import { randomBytes, randomUUID } from 'node:crypto';
import type { Aggregates } from '../event-store/aggregates';
import { streams } from '../event-store/streams';
import type { CommandContext } from '../kernel/scope';
import type { Clock } from '../kernel/time';
import {
  fail,
  finish,
  type KnownReplay,
  progress,
  type Replay,
  replayAggregate,
  requireReplay,
  start,
} from './replay.decider';
import type { FailureReason, ReplayFact, ReplayProgress } from './replay.events';

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

  finish(): Promise<KnownReplay> {
    return this.decide(finish(this.run));
  }

  fail(reason: FailureReason): Promise<KnownReplay> {
    return this.decide(fail(this.run, reason));
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
  entropy: (_, bytes) => randomBytes(bytes),
  resumed: false,
  wrote: () => undefined,
});
