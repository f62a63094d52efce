import { setImmediate } from 'node:timers/promises';
import { READ_PAGE_RECORDS } from '../limits';
import { encodeEvents, encodeStreamNotFound } from '../protocol/read-codec';
import { asRpcError, errors } from '../protocol/rpc-error';
import type { EventLog } from '../storage/event-log';
import type { LogEntry, LogPage } from '../storage/log-reader';
import { streamNameOf, typeOf } from '../storage/record';
import { resolve, statusOf, visibleRange } from '../storage/stream-reader';
import { CatchUpSubscription } from '../subscriptions/catch-up';
import type { Hub } from '../subscriptions/hub';
import { AllSource, StreamSource } from '../subscriptions/source';
import type { Call } from '../transport/call';
import type { Handler } from '../transport/grpc-server';
import { readRequest, type From, type ReadRequest } from './read-request';

/** Streams.Read: reads, and catch-up subscriptions. */
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
      ? allPages(log, request)
      : streamPages(log, call, request.source.name, request);
  for (const page of pages) {
    const resolved = page.map((entry) => resolve(log, entry, request.resolveLinks));
    // Even an empty page gives the event loop its turn: a filter may skip the whole log.
    if (resolved.length === 0) await setImmediate();
    else if (!call.send(encodeEvents(resolved))) await call.writable();
    if (call.closed) return;
  }
  call.end();
};

type Pages = Generator<readonly LogEntry[]>;

function* streamPages(log: EventLog, call: Call, name: string, request: ReadRequest): Pages {
  const stream = log.streams.find(name);
  const status = statusOf(stream);
  if (status === 'deleted') throw errors.streamDeleted(name);
  if (!stream || status === 'not-found') {
    call.send(encodeStreamNotFound(name));
    return;
  }
  const { first, last } = visibleRange(log, stream);
  const { backwards } = request;
  let from = startRevision(request, last);
  from = backwards ? Math.min(from, last) : Math.max(from, first);
  const to = backwards ? first : last;
  let left = request.countMax ?? 0;
  while (left > 0 && (backwards ? from >= to : from <= to)) {
    const recordsMax = Math.min(left, READ_PAGE_RECORDS);
    const page = log.reader.streamPage({ streamNumber: stream.number, from, to, recordsMax });
    if (page.length === 0) return;
    yield page;
    left -= page.length;
    // Revisions have no gaps inside the visible range.
    from += backwards ? -page.length : page.length;
  }
}

/** Reading forward from the end finds nothing; the real server answers that with an error. */
const startRevision = ({ from, backwards }: ReadRequest, last: number): number => {
  if (from === 'start') return 0;
  if (from !== 'end') return from;
  return backwards ? last : last + 1;
};

function* allPages(log: EventLog, { from, backwards, countMax, filter }: ReadRequest): Pages {
  assertPosition(log, from);
  const end = log.end;
  let left = countMax ?? 0;
  let at: number | undefined = from === 'start' ? 0 : from === 'end' ? end : from;
  while (left > 0 && at !== undefined) {
    const recordsMax = Math.min(left, READ_PAGE_RECORDS);
    const page: LogPage = backwards
      ? log.reader.backward(at, recordsMax)
      : log.reader.forward(at, recordsMax);
    const entries = page.entries.filter(
      ({ position, record }) =>
        position < end && (!filter || filter.filter(streamNameOf(record), typeOf(record))),
    );
    yield entries;
    left -= entries.length;
    at = page.next !== undefined && page.next < end ? page.next : undefined;
  }
}

/** A position must be one that an event has, or the end. */
export const assertPosition = (log: EventLog, from: From): void => {
  if (typeof from !== 'number' || from === 0 || from === log.end) return;
  if (!log.reader.isBoundary(from)) {
    throw errors.invalidArgument('Trying to read from an invalid position.');
  }
};
