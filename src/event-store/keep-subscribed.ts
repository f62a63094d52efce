import { GROWING_WAITS, growWait } from '../kernel/retry-policies';
import { pause } from '../ops/polling';
import type { EventStoreConnection } from './connection';
import { warnOfFailure } from './failures';
import { SubscriptionNotConfirmed, type WatchedSubscription } from './subscription-watch';

const PAUSE = GROWING_WAITS.subscription;
/**
 * A pause is longer by a random share of up to this, so that many subscriptions do not return in
 * step.
 */
const JITTER = 1;

interface SubscriptionOptions {
  readonly connection: EventStoreConnection;
  /** Name of the subscription in the log, in metrics and in the readiness response. */
  readonly name: string;
  readonly signal: AbortSignal;
}

export interface SubscriptionSession {
  /** Must be passed to the subscription, which reports its confirmation and its events. */
  readonly watched: WatchedSubscription;
  /**
   * Must be called when the session works, so that the pause after the next break is short again.
   */
  readonly markHealthy: () => void;
}

/**
 * Runs a subscription until the signal aborts and opens it again whenever it breaks, because the
 * client only reports the break. `run` continues from its own position.
 */
export const keepSubscribed = async (
  { connection, name, signal }: SubscriptionOptions,
  run: (session: SubscriptionSession) => Promise<void>,
): Promise<void> => {
  const watched = connection.subscriptions.add(name);
  let pauseMs: number = PAUSE.firstMs;
  const markHealthy = (): void => {
    pauseMs = PAUSE.firstMs;
  };
  try {
    while (!signal.aborted) {
      try {
        await run({ watched, markHealthy });
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof SubscriptionNotConfirmed)) watched.recordBreak();
        warnOfBreak(watched, error);
      }
      const spreadMs = pauseMs * (1 + JITTER * Math.random());
      await pause(spreadMs, signal);
      pauseMs = growWait(PAUSE, pauseMs);
    }
  } finally {
    connection.subscriptions.remove(watched);
  }
};

const warnOfBreak = (watched: WatchedSubscription, error: unknown): void => {
  const { name, confirmedAtMs, lastEventAtMs, lagMs } = watched.report();
  const message =
    error instanceof SubscriptionNotConfirmed
      ? 'the event store did not confirm a subscription: it is opened again'
      : 'a subscription broke: it is opened again';
  warnOfFailure(message, name, error, {
    last_confirmation: formatTime(confirmedAtMs),
    last_event: formatTime(lastEventAtMs),
    lag_ms: lagMs,
  });
};

const formatTime = (atMs: number | null): string | null =>
  atMs === null ? null : new Date(atMs).toISOString();
