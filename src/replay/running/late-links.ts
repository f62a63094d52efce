import { lastRevision, readStretch } from '../../event-store/category-reads';
import type { EventStoreConnection } from '../../event-store/connection';
import { categoryStream } from '../../event-store/streams';
import { log } from '../../ops/log';
import { rest } from './rouse';
import { type ScannedPage, type ScanOptions, scanPages } from './scan';

/** The category stream may lag behind the index: a real server links events a little later. */
const LINK_PAUSE_MS = 50;
/** Without a new link for this long, it is asked whether any are still to come. */
const LINK_PATIENCE_MS = 30_000;

interface ScanToOptions extends ScanOptions {
  /** Commit position of the last event that is looked for. */
  readonly end: bigint;
  readonly signal: AbortSignal;
}

/**
 * Pages of a category stream from a revision on, however late they are linked, until the caller has
 * found what it looks for. Ends by itself only where the links are past `end` and nothing more comes:
 * then events are gone from the log.
 */
export async function* scanTo(
  connection: EventStoreConnection,
  stream: string,
  { end, signal, ...options }: ScanToOptions,
): AsyncGenerator<ScannedPage> {
  let { from } = options;
  let idleSinceMs = performance.now();
  let linked = false;
  while (!signal.aborted) {
    for await (const page of scanPages(connection, stream, { ...options, from })) {
      yield page;
      from = page.next;
      idleSinceMs = performance.now();
    }
    if (performance.now() - idleSinceMs > LINK_PATIENCE_MS) {
      if (linked) return;
      linked = await isLinked(connection, end);
      if (!linked) log.warn({ stream }, 'the event store links events late: a replay waits');
      idleSinceMs = performance.now();
    }
    await rest(LINK_PAUSE_MS, signal);
  }
}

/**
 * Whether everything up to a commit position is linked, but for what is just being written: the
 * server links all categories in the order of the log, and a job is younger than what it selects.
 */
const isLinked = async ({ client }: EventStoreConnection, end: bigint): Promise<boolean> => {
  const stream = categoryStream('replay');
  const from = Math.max(0, await lastRevision(client, stream));
  const youngest = await readStretch(client, { stream, from, maxCount: 1 }, () => false);
  return (youngest?.reached ?? -1n) > end;
};
