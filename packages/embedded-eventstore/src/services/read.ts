import { setImmediate } from 'node:timers/promises';
import { READ_PAGE_RECORDS, SUBSCRIPTION_PAGE_EVENTS } from '../base/limits';
import {
  encodeEvents,
  encodeFirstRevision,
  encodeLastRevision,
  encodeStreamNotFound,
} from '../protocol/read-codec';
import { asRpcError, errors } from '../protocol/rpc-error';
import type { EventLog } from '../storage/event-log';
import type { LogEntry, LogPage } from '../storage/log-reader';
import { readRevision, readStreamName, readType } from '../storage/record';
import {
  readStatusForReader,
  resolve,
  computeVisibleRange,
  type VisibleRange,
} from '../storage/stream-reader';
import { CatchUpSubscription } from '../subscriptions/catch-up';
import type { Hub } from '../subscriptions/hub';
import { AllSource, StreamSource } from '../subscriptions/source';
import type { Call } from '../transport/call';
import type { Handler } from '../transport/dispatcher';
import { readRequest, type From, type ReadRequest } from './read-request';

/** The service method Streams.Read: reads and catch-up subscriptions. */
export const read =
  (log: EventLog, hub: Hub): Handler =>
  (call) => {
    call.receive((message) => {
      const request = readRequest(message);
      if (request.countMax === undefined) {
        subscribe(log, hub, call, request);
        return;
      }
      readOnce(log, call, request).catch((error: unknown) => {
        call.fail(asRpcError(error));
      });
    });
  };

const subscribe = (log: EventLog, hub: Hub, call: Call, request: ReadRequest): void => {
  const { source: wanted, from, filter, resolveLinks } = request;
  if (wanted.kind === 'all') assertPosition(log, from);
  const source =
    wanted.kind === 'all'
      ? new AllSource(log, hub, from, filter)
      : new StreamSource(log, hub, wanted.name, from);
  new CatchUpSubscription({ log, call, source, resolveLinks }).start();
};

const readOnce = async (log: EventLog, call: Call, request: ReadRequest): Promise<void> => {
  const pages =
    request.source.kind === 'all'
      ? readAllPages(log, request)
      : readStreamPages(log, call, request.source.name, request);
  for (const page of pages) {
    const resolved = page.map((entry) => resolve(log, entry, request.resolveLinks));
    // Other work may run after an empty page too, because a filter may skip the whole log.
    if (resolved.length === 0) await setImmediate();
    else if (!call.send(encodeEvents(resolved))) await call.waitUntilWritable();
    if (call.closed) return;
  }
  call.end();
};

type Pages = Generator<readonly LogEntry[]>;

function* readStreamPages(log: EventLog, call: Call, name: string, request: ReadRequest): Pages {
  const stream = log.streams.find(name);
  const status = readStatusForReader(log, name);
  if (status === 'deleted') throw errors.streamDeleted(name);
  if (!stream || status === 'not-found') {
    call.send(encodeStreamNotFound(name));
    return;
  }
  const { first, last } = computeVisibleRange(log, stream);
  const { backwards } = request;
  let from = startRevision(request, last);
  from = backwards ? Math.min(from, last) : Math.max(from, first);
  const to = backwards ? first : last;
  let left = request.countMax ?? 0;
  const range = { first, last };
  if (request.wantsStreamPositions && !backwards) sendFirstRevision(call, request, range);
  while (left > 0 && (backwards ? from >= to : from <= to)) {
    const recordsMax = Math.min(left, READ_PAGE_RECORDS);
    const page = log.reader.readStreamPage({ streamNumber: stream.number, from, to, recordsMax });
    const ended = page.at(-1);
    if (!ended) break;
    yield page;
    left -= page.length;
    // The oldest revisions may have been removed, so the page reports where it ended.
    from = readRevision(ended.record) + (backwards ? -1 : 1);
  }
  if (request.wantsStreamPositions) call.send(encodeLastRevision(last));
}

/**
 * Sends the revision at which reading can continue, if the first page of a forward read has no
 * event. It is after the end of the stream, or at the first event that the metadata leaves visible.
 */
const sendFirstRevision = (call: Call, request: ReadRequest, range: VisibleRange): void => {
  const { first, last } = range;
  const from = startRevision(request, last);
  const pageEvents = Math.min(SUBSCRIPTION_PAGE_EVENTS, request.countMax ?? 0);
  const isEmptyPage = from > last || from + pageEvents - 1 < first;
  const next = from > last ? last + 1 : first;
  if (isEmptyPage && next !== from) call.send(encodeFirstRevision(next));
};

/** Answers a forward read from the end with no events. EventStoreDB answers it with an error. */
const startRevision = ({ from, backwards }: ReadRequest, last: number): number => {
  if (from === 'start') return 0;
  if (from !== 'end') return from;
  return backwards ? last : last + 1;
};

function* readAllPages(log: EventLog, { from, backwards, countMax, filter }: ReadRequest): Pages {
  assertPosition(log, from);
  const end = log.end;
  if (typeof from === 'number' && from > end) return;
  let left = countMax ?? 0;
  let at: number | undefined = from === 'start' ? 0 : from === 'end' ? end : from;
  while (left > 0 && at !== undefined) {
    const recordsMax = Math.min(left, READ_PAGE_RECORDS);
    const page: LogPage = backwards
      ? log.reader.readBackward(at, recordsMax)
      : log.reader.readForward(at, recordsMax);
    const entries = page.entries.filter(
      ({ position, record }) =>
        position < end && (!filter || filter.filter(readStreamName(record), readType(record))),
    );
    yield entries;
    left -= entries.length;
    at = page.next !== undefined && page.next < end ? page.next : undefined;
  }
}

/** Refuses a position unless an event has or had it, or it is after the newest event. */
export const assertPosition = (log: EventLog, from: From): void => {
  if (typeof from !== 'number' || from === 0 || log.reader.isBoundary(from)) return;
  if (from <= (log.reader.readLastEntry()?.position ?? 0)) {
    throw errors.invalidArgument('Trying to read from an invalid position.');
  }
};
