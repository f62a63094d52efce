import { readLastRevision, readCategoryPage } from '../../event-store/category-reads';
import type { EventStoreConnection } from '../../event-store/connection';
import { categoryStream } from '../../event-store/streams';
import { log } from '../../ops/log';
import { pause } from '../../ops/polling';
import { type ScannedPage, type ScanOptions, scanPages } from './scan';

/**
 * Pause before reading again. The category stream may lag behind the events index, because a real
 * server links events a little later.
 */
const LINK_PAUSE_MS = 50;
/** After this time without a new link, the scan checks whether more links can come. */
const LINK_CHECK_AFTER_MS = 30_000;

interface ScanToOptions extends ScanOptions {
  /** Commit position of the last event that the scan looks for. */
  readonly end: bigint;
  readonly signal: AbortSignal;
}

/**
 * Yields the pages of a category stream from a revision on and waits for links that come late,
 * until the caller has found all events. It ends by itself only if the links are past `end` and
 * nothing more comes. In that case events are missing from the log.
 */
export async function* scanUntilFound(
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
    if (performance.now() - idleSinceMs > LINK_CHECK_AFTER_MS) {
      if (linked) return;
      linked = await isLinked(connection, end);
      if (!linked) log.warn({ stream }, 'the event store links events late: a replay waits');
      idleSinceMs = performance.now();
    }
    await pause(LINK_PAUSE_MS, signal);
  }
}

/**
 * True if everything up to a commit position is linked. The server links all categories in the
 * order of the log, and a job is younger than the events that it selects.
 */
const isLinked = async ({ client }: EventStoreConnection, end: bigint): Promise<boolean> => {
  const stream = categoryStream('replay');
  const from = Math.max(0, await readLastRevision(client, stream));
  const youngest = await readCategoryPage(client, { stream, from, maxCount: 1 }, () => false);
  return (youngest?.lastPosition ?? -1n) > end;
};
