import { JobLost } from '../../domain/replays/replay.decider';
import { warnOfFailure } from '../../event-store/failures';
import { pause } from '../../ops/polling';
import type { ReplayRun } from '../progress/replay-run';
import type { ReplayTally } from '../progress/replay-tally';

/** Maximum of retries and failures that are not yet in the log. Above it nothing new is sent. */
export const UNWRITTEN_MAX = 1_500;
/**
 * Limits of the interval between two writes of progress. Every reader of the job reads all of its
 * progress events, so a long run writes less often than a short one.
 */
const WRITE_EVERY_MIN_MS = 200;
const WRITE_EVERY_MAX_MS = 2_000;
/** The interval as a share of the time that the run has taken so far. */
const WRITE_EVERY_SHARE = 1 / 10;
/** This many unwritten retries and failures are written at once. */
const WRITE_AT_UNWRITTEN = UNWRITTEN_MAX / 3;
const PAUSE_AFTER_FAILURE_MS = 1_000;

interface WriterParts {
  readonly replayId: string;
  readonly tally: ReplayTally;
  readonly replayRun: ReplayRun;
  /** Aborted when the run has ended. No progress is written after that. */
  readonly ended: AbortSignal;
  /** Called after each write of `writePeriodically`. */
  readonly onWritten: () => void;
  /** Called if the job is no longer in progress, for example because it was cancelled. */
  readonly onJobEnded: () => void;
}

/** Writes the tally of a run to the stream of its job, at intervals. */
export class ProgressWriter {
  constructor(private readonly parts: WriterParts) {}

  async writePeriodically(): Promise<void> {
    const { tally, ended, onWritten } = this.parts;
    const startedMs = performance.now();
    let writtenMs = startedMs;
    while (!ended.aborted) {
      await pause(WRITE_EVERY_MIN_MS, ended);
      const nowMs = performance.now();
      const everyMs = Math.min(WRITE_EVERY_MAX_MS, (nowMs - startedMs) * WRITE_EVERY_SHARE);
      if (nowMs - writtenMs < everyMs && tally.unwritten < WRITE_AT_UNWRITTEN) continue;
      await this.write();
      writtenMs = nowMs;
      onWritten();
    }
  }

  /** Writes unwritten progress to the stream of the job and repeats this until it is stored. */
  async write(): Promise<void> {
    const { replayId, tally, replayRun, ended, onJobEnded } = this.parts;
    const progress = tally.takeUnwritten();
    if (progress === null) return;
    for (;;) {
      try {
        const { status } = await replayRun.storeProgress(progress);
        if (status !== 'in_progress') onJobEnded();
        return;
      } catch (error) {
        if (error instanceof JobLost || ended.aborted) throw error;
        warnOfFailure('the progress of a replay cannot be stored yet', replayId, error);
        await pause(PAUSE_AFTER_FAILURE_MS, ended);
      }
    }
  }
}
