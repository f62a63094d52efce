import { setTimeout as delay } from 'node:timers/promises';
import type { EventStoreConnection } from './connection';
import { warnOfFailure } from './failures';
import { NotConfirmed, type WatchedSubscription } from './subscription-watch';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** A pause is up to this share longer, so that many subscriptions do not come back in step. */
const SPREAD = 1;

interface Resubscribed {
  readonly connection: EventStoreConnection;
  /** Names the subscription in the log, in metrics and in the readiness answer. */
  readonly name: string;
  readonly signal: AbortSignal;
}

export interface Session {
  /** To be passed on to the subscription, which reports its confirmation and its events. */
  readonly watched: WatchedSubscription;
  /** To be called when the session works: the next break is followed by a short pause again. */
  readonly healthy: () => void;
}

/**
 * Runs a subscription until the signal aborts, again and again: the client only reports that a
 * subscription broke. `run` continues from its own position.
 */
export const resubscribe = async (
  { connection, name, signal }: Resubscribed,
  run: (session: Session) => Promise<void>,
): Promise<void> => {
  const watched = connection.watch.add(name);
  let pauseMs = FIRST_PAUSE_MS;
  const healthy = (): void => {
    pauseMs = FIRST_PAUSE_MS;
  };
  try {
    while (!signal.aborted) {
      try {
        await run({ watched, healthy });
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof NotConfirmed)) watched.broke();
        warnOfBreak(watched, error);
      }
      const spreadMs = pauseMs * (1 + SPREAD * Math.random());
      await delay(spreadMs, undefined, { signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  } finally {
    connection.watch.remove(watched);
  }
};

const warnOfBreak = (watched: WatchedSubscription, error: unknown): void => {
  const { name, confirmedAtMs, lastEventAtMs, lagMs } = watched.report();
  const message =
    error instanceof NotConfirmed
      ? 'subscription was not confirmed: it is opened again'
      : 'subscription broke: it is opened again';
  warnOfFailure(message, name, error, {
    last_confirmation: textOf(confirmedAtMs),
    last_event: textOf(lastEventAtMs),
    lag_ms: lagMs,
  });
};

const textOf = (atMs: number | null): string | null =>
  atMs === null ? null : new Date(atMs).toISOString();
