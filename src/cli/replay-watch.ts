import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from './client';
import { CallFailed, EXIT } from './failures';
import { formatNextCommand } from './next-command';
import type { Caller } from './operator';
import { printLine } from './output';
import { Progress } from './progress';
import { describeEnd } from './replay-ending';
import { describeWait, PLANNING_TEXT, STALLED_AFTER_MS } from './replay-waiting';
import { StatusLine } from './status-line';

const POLL_MS = 500;
/** While a replay is stalled, the reason is looked up at this interval. */
const REASON_POLL_MS = 5_000;

export const REPLAY_PATH = '/v1/replay';
export const REPLAY_FIELDS = [
  'replay_id',
  'status',
  'failure_reason',
  'destination_id',
  'from',
  'effective_to',
  'events_matched',
  'events_delivered',
  'events_failed',
  'events_pending',
  'events_skipped',
  'started_at',
  'finished_at',
];

type Json = Record<string, unknown>;

/** Requests a replay. Prints what the service does if the response takes long. */
export const requestReplay = async ({ client, asJson }: Caller, body: Json): Promise<Json> => {
  const timer = setTimeout(() => {
    if (!asJson && !client.isWaiting) process.stderr.write(`${PLANNING_TEXT}\n`);
  }, STALLED_AFTER_MS);
  return client.change('post', REPLAY_PATH, body).finally(() => {
    clearTimeout(timer);
  });
};

/**
 * Shows the progress of a replay until it ends, what it waits for while it is stalled, and why it
 * ended. The command exits with 1 if the replay did not complete.
 */
export const watchReplay = async (caller: Caller, id: string): Promise<void> => {
  const { client, show, asJson } = caller;
  const line = new StatusLine({ isSilent: asJson });
  const job = await followToEnd(client, id, new ReplayDisplay(client, line)).finally(() => {
    line.end();
  });
  show(job, REPLAY_FIELDS);
  const isComplete = job['status'] === 'completed';
  if (asJson && !isComplete) throw new CallFailed(describeEnd(job));
  if (!asJson) printLine(`\n${describeEnd(job)}`);
  if (!isComplete) process.exitCode = EXIT.failed;
};

const followToEnd = async (client: Client, id: string, display: ReplayDisplay): Promise<Json> => {
  let job = await client.get(`${REPLAY_PATH}/${id}`);
  while (job['finished_at'] === null) {
    await display.showProgress(job);
    await delay(POLL_MS);
    job = await client.get(`${REPLAY_PATH}/${id}`).catch((error: unknown) => {
      throw addHowToContinue(error, id);
    });
  }
  display.showBar(job);
  return job;
};

/** The replay runs in the service, so it goes on if the service cannot be asked. */
const addHowToContinue = (error: unknown, id: string): unknown => {
  if (!(error instanceof CallFailed)) return error;
  const next = formatNextCommand(`replay watch ${id}`);
  const message = `${error.message}\nThe replay itself was not stopped. Show its progress again: ${next}`;
  return new CallFailed(message, error.exitCode, error.apiError, error.status);
};

/** The lines about a replay in progress, which go to the standard error stream. */
class ReplayDisplay {
  private readonly progress = new Progress();
  private reason = '';
  private doneBefore = -1;
  private movedAtMs = Date.now();
  private askedAtMs = 0;

  constructor(
    private readonly client: Client,
    private readonly line: StatusLine,
  ) {}

  /** Shows the bar, and the reason if the replay is stalled. */
  async showProgress(job: Json): Promise<void> {
    this.showBar(job);
    const nowMs = Date.now();
    const { done } = readCounts(job);
    if (done !== this.doneBefore) {
      this.doneBefore = done;
      this.movedAtMs = nowMs;
    } else if (
      nowMs - this.movedAtMs >= STALLED_AFTER_MS &&
      nowMs - this.askedAtMs >= REASON_POLL_MS
    ) {
      this.askedAtMs = nowMs;
      this.showReason(await describeWait(this.client, job));
    }
  }

  showBar(job: Json): void {
    const { bar, text } = this.progress.format(readCounts(job), Date.now());
    this.line.show(text, bar);
  }

  /** Writes a reason once. It stays above the bar. */
  private showReason(reason: string): void {
    if (reason === this.reason) return;
    this.reason = reason;
    this.line.note(reason);
  }
}

const readCounts = (job: Json): { done: number; failed: number; total: number } => ({
  done: Number(job['events_delivered']) + Number(job['events_failed']),
  failed: Number(job['events_failed']),
  total: Number(job['events_matched']) - Number(job['events_skipped']),
});
