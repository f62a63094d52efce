import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, RequestListener } from 'node:http';
import type { ProposedEvent } from '../protocol/append-codec';
import { RpcError, Status } from '../protocol/rpc-error';
import { canonicalUuid } from '../protocol/uuid';
import { WireError } from '../protocol/wire';
import { appendEvents, type AppendOutcome } from '../storage/appends';
import type { ExpectedRevision } from '../storage/expected-revision';
import type { Authenticate } from '../transport/authentication';
import { refuseEvent, refuseStreamName } from './append-validation';
import type { Appending } from './append';

interface HttpAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const PING: HttpAnswer = {
  status: 200,
  body: { msgTypeId: 0, text: 'Ping request successfully handled' },
};

/**
 * As much of EventStoreDB's HTTP/1.1 interface as clients still use beside gRPC: a ping, and
 * `POST /streams/<name>` with one event as its body, as it is, with `ES-EventType` and, if wanted,
 * `ES-EventId` and `ES-ExpectedVersion` in headers. It is the only way to write data that says it is
 * JSON and is not.
 */
export const answerHttp =
  (appending: Appending, authenticate: Authenticate): RequestListener =>
  (request, response) => {
    answer(appending, authenticate, request)
      .catch(refusalOf)
      .then(({ status, body = {}, headers }) => {
        // Nobody needs the connection again, and the server's stop would wait for it.
        const always = { 'content-type': 'application/json', connection: 'close' };
        response.writeHead(status, { ...always, ...headers });
        response.end(JSON.stringify(body));
      })
      // The client hung up: there is nobody to answer.
      .catch(() => response.destroy());
  };

const answer = async (
  appending: Appending,
  authenticate: Authenticate,
  request: IncomingMessage,
): Promise<HttpAnswer> => {
  const { method, url = '', headers } = request;
  if (method === 'GET' && url === '/ping') return PING;
  const name = /^\/streams\/([^/?]+)$/.exec(url)?.[1];
  if (method !== 'POST' || name === undefined) return { status: 404 };
  authenticate(url, headers);
  const body = await bodyOf(request, appending.appendBytesMax);
  return body ? appendOne(appending, { name: decoded(name), headers, body }) : { status: 413 };
};

const refusalOf = (error: unknown): HttpAnswer => {
  if (error instanceof RpcError && error.code === Status.unauthenticated) {
    return { status: 401, headers: { 'www-authenticate': 'Basic realm="eventstore"' } };
  }
  return error instanceof WireError ? refused(error.message) : { status: 500 };
};

const refused = (error: string): HttpAnswer => ({ status: 400, body: { error } });

/** Undefined when there is more of it than an append may have. */
const bodyOf = async (request: IncomingMessage, bytesMax: number): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    // Read to its end all the same: a client that is still sending would not see the answer.
    if (bytes <= bytesMax) chunks.push(chunk as Buffer);
  }
  return bytes <= bytesMax ? Buffer.concat(chunks, bytes) : undefined;
};

const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new WireError('not a stream name');
  }
};

const appendOne = (
  { log }: Appending,
  { name, headers, body }: { name: string; headers: IncomingHttpHeaders; body: Buffer },
): Promise<HttpAnswer> | HttpAnswer => {
  const event = eventOf(headers, body);
  if (!event) return { status: 415 };
  const expected = expectedOf(headers['es-expectedversion']);
  const problem = refuseStreamName(name) ?? refuseEvent(event);
  if (problem !== undefined) return refused(problem);
  if (expected === undefined) return refused('ES-ExpectedVersion is not a version.');
  return new Promise((resolve) => {
    appendEvents(log, { streamName: name, expected, events: [event] }, (outcome) => {
      resolve(answerTo(outcome, name));
    });
  });
};

/** Undefined for what is not the data of one event. */
const eventOf = (headers: IncomingHttpHeaders, data: Buffer): ProposedEvent | undefined => {
  const contentType = headers['content-type']?.split(';')[0];
  const json = contentType === 'application/json';
  if (!json && contentType !== 'application/octet-stream') return undefined;
  const id = headers['es-eventid'];
  const type = headers['es-eventtype'];
  return {
    id: id === undefined ? randomUUID() : canonicalUuid(String(id)),
    type: String(type ?? ''),
    json,
    customMetadata: Buffer.alloc(0),
    data,
    missing: [],
  };
};

const EXPECTED: Readonly<Record<string, ExpectedRevision>> = {
  '-1': 'no_stream',
  '-2': 'any',
  '-4': 'stream_exists',
};

const expectedOf = (version: string | string[] = '-2'): ExpectedRevision | undefined =>
  /^\d{1,15}$/.test(String(version)) ? Number(version) : EXPECTED[String(version)];

const answerTo = (outcome: AppendOutcome, name: string): HttpAnswer => {
  switch (outcome.kind) {
    case 'done':
      return {
        status: 201,
        headers: { location: `/streams/${encodeURIComponent(name)}/${outcome.revision}` },
      };
    case 'wrong-expected-version':
      return { status: 400, headers: { 'es-currentversion': String(outcome.current) } };
    case 'stream-deleted':
      return { status: 410 };
    case 'timed-out':
      return { status: 408 };
    case 'failed':
      return { status: 503 };
  }
};
