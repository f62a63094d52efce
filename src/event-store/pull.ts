import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { WatchedSubscription } from './subscription-watch';

/** Time limit for ending a call that is no longer needed. */
const UNSUBSCRIBE_TIMEOUT_MS = 1_000;

/**
 * A subscription of the client. The client's types are Readables with different listener types, so
 * only the common part is named here.
 */
interface Subscription {
  unsubscribe(): Promise<void>;
}

export interface Batch<Item> {
  /** The items in the order of the stream. A batch is empty only if it ends at the milestone. */
  readonly items: readonly Item[];
  /** True if the milestone was reached and all earlier items have been returned. */
  readonly milestone: boolean;
  /**
   * The signal aborts when the subscription has ended or broken, even if the next batch is not
   * requested.
   */
  readonly signal: AbortSignal;
}

interface PullOptions {
  readonly signal: AbortSignal;
  readonly itemsMax: number;
  /**
   * `caughtUp`: all stored events have been returned. `confirmation`: the server has accepted the
   * subscription.
   */
  readonly milestone: 'caughtUp' | 'confirmation';
  /** Receives the state of the subscription and sets the time limit for its confirmation. */
  readonly watched?: WatchedSubscription | undefined;
}

/**
 * Pulls batches from a subscription: all items that have arrived, each once and in order. It ends
 * when the signal aborts or the server ends the call. It throws when the call breaks, or when the
 * server does not confirm it in time. A server that has just started, or changes its leader, may
 * never answer.
 */
export async function* pullBatches<Item>(
  subscription: Subscription,
  { signal, itemsMax, milestone, watched = new WatchedSubscription('unnamed') }: PullOptions,
): AsyncGenerator<Batch<Item>> {
  const stream = subscription as unknown as Readable;
  const ended = new AbortController();
  let reached = false;
  let failure: unknown;
  const wakeUp = (): void => {
    stream.emit('wake');
  };
  const stop = (): void => {
    ended.abort(signal.reason);
    wakeUp();
  };
  const fail = (error: unknown): void => {
    failure ??= error;
    ended.abort(error);
    wakeUp();
  };
  stream.on(milestone, () => {
    reached = true;
    wakeUp();
  });
  stream.on('error', fail);
  const confirming = setTimeout(() => {
    fail(watched.recordTimeout());
  }, watched.confirmWithinMs);
  stream.on('confirmation', () => {
    clearTimeout(confirming);
    watched.recordConfirmation();
  });
  watched.recordOpening();
  // `end` comes only after all buffered items were read. `finish` shows earlier that no more items
  // will come.
  for (const event of ['finish', 'close']) {
    stream.on(event, () => {
      ended.abort(new Error('the server ended the subscription'));
    });
  }
  for (const event of ['readable', 'end', 'close']) stream.on(event, wakeUp);
  signal.addEventListener('abort', stop, { once: true });
  try {
    while (!signal.aborted) {
      const items = readItems<Item>(stream, itemsMax);
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

/**
 * Ends the subscription. The call may not have begun yet, and it never does if the store does not
 * answer.
 */
const unsubscribe = async (subscription: Subscription): Promise<void> => {
  const over = new AbortController();
  const { signal } = over;
  const late = delay(UNSUBSCRIBE_TIMEOUT_MS, undefined, { signal, ref: false });
  const ended = subscription.unsubscribe();
  await Promise.race([ended.catch(() => undefined), late.catch(() => undefined)]);
  over.abort();
};

const readItems = <Item>(subscription: Readable, itemsMax: number): Item[] => {
  const items: Item[] = [];
  while (items.length < itemsMax) {
    const item = subscription.read() as Item | null;
    if (item === null) break;
    items.push(item);
  }
  return items;
};
