import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { WatchedSubscription } from './subscription-watch';

/** A call that is being given up need not be waited for longer. */
const UNSUBSCRIBE_TIMEOUT_MS = 1_000;

/** The client's subscriptions are Readables whose listener types are narrowed, each its own way. */
interface Subscription {
  unsubscribe(): Promise<void>;
}

export interface Batch<Item> {
  /** In order; empty only at the milestone. */
  readonly items: readonly Item[];
  /** True when the milestone was reached and everything before it has been handed out. */
  readonly milestone: boolean;
  /** Aborts when the subscription has ended or broken, whether the next batch is asked for or not. */
  readonly signal: AbortSignal;
}

interface PullOptions {
  readonly signal: AbortSignal;
  readonly itemsMax: number;
  /** `caughtUp`: all that was stored is handed out. `confirmation`: the server has accepted us. */
  readonly milestone: 'caughtUp' | 'confirmation';
  /** Where the subscription is reported; its time limit for the confirmation holds. */
  readonly watched?: WatchedSubscription | undefined;
}

/**
 * Pulls batches from a subscription: as many items as have arrived, none twice, in order. Ends when
 * the signal aborts or the server ends the call; throws when the call breaks, or when the server has
 * not confirmed it in time: one that has just started, or changes its leader, may never answer.
 */
export async function* pull<Item>(
  subscription: Subscription,
  { signal, itemsMax, milestone, watched = new WatchedSubscription('unnamed') }: PullOptions,
): AsyncGenerator<Batch<Item>> {
  const stream = subscription as unknown as Readable;
  const ended = new AbortController();
  let reached = false;
  let failure: unknown;
  const rouse = (): void => {
    stream.emit('wake');
  };
  const stop = (): void => {
    ended.abort(signal.reason);
    rouse();
  };
  const fail = (error: unknown): void => {
    failure ??= error;
    ended.abort(error);
    rouse();
  };
  stream.on(milestone, () => {
    reached = true;
    rouse();
  });
  stream.on('error', fail);
  const confirming = setTimeout(() => {
    fail(watched.notConfirmed());
  }, watched.confirmWithinMs);
  stream.on('confirmation', () => {
    clearTimeout(confirming);
    watched.confirmed();
  });
  watched.waits();
  // What was read ahead keeps `end` back; `finish` says that nothing more will come.
  for (const event of ['finish', 'close']) {
    stream.on(event, () => {
      ended.abort(new Error('the server ended the subscription'));
    });
  }
  for (const event of ['readable', 'end', 'close']) stream.on(event, rouse);
  signal.addEventListener('abort', stop, { once: true });
  try {
    while (!signal.aborted) {
      const items = take<Item>(stream, itemsMax);
      const drained = stream.readableLength === 0;
      if (items.length > 0 || (reached && drained)) {
        const report = reached && drained;
        if (report) reached = false;
        yield { items, milestone: report, signal: ended.signal };
        continue;
      }
      if (failure !== undefined) throw failure as Error;
      if (stream.readableEnded || stream.destroyed) return;
      await once(stream, 'wake');
    }
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(confirming);
    ended.abort();
    await unsubscribe(subscription);
    stream.destroy();
  }
}

/** The call may not have begun yet, and with a store that does not answer it never does. */
const unsubscribe = async (subscription: Subscription): Promise<void> => {
  const over = new AbortController();
  const { signal } = over;
  const late = delay(UNSUBSCRIBE_TIMEOUT_MS, undefined, { signal, ref: false });
  const ended = subscription.unsubscribe();
  await Promise.race([ended.catch(() => undefined), late.catch(() => undefined)]);
  over.abort();
};

const take = <Item>(subscription: Readable, itemsMax: number): Item[] => {
  const items: Item[] = [];
  while (items.length < itemsMax) {
    const item = subscription.read() as Item | null;
    if (item === null) break;
    items.push(item);
  }
  return items;
};
