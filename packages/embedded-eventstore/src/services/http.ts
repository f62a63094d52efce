import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, RequestListener } from 'node:http';
import type { ProposedEvent } from '../protocol/append-codec';
import { RpcError, Status } from '../protocol/rpc-error';
import { toCanonicalUuid } from '../base/uuid';
import { WireError } from '../base/wire';
import { appendEvents, type AppendOutcome } from '../storage/appends';
import type { ExpectedRevision } from '../storage/expected-revision';
import type { Scavenger } from '../storage/scavenger';
import { assertOperator, type Authenticate } from '../transport/authentication';
import { findEventProblem, findStreamNameProblem } from './append-validation';
import type { AppendParts } from './append';
import { describeGossip, describeNode, toStatisticsTree } from './node';
import type { OperationParts } from './operations';

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
 * The part of EventStoreDB's HTTP/1.1 interface that tools still use in addition to gRPC. It
 * answers requests about the node (`/ping`, `/info`, `/gossip`, `/health/live`, `/stats`), starts a
 * scavenge, and appends one event with `POST /streams/<name>`. The body is the data of the event;
 * the headers `ES-EventType`, `ES-EventId` and `ES-ExpectedVersion` describe it. Only this
 * interface can write data that claims to be JSON and is not.
 */
export const answerHttp =
  (served: HttpParts): RequestListener =>
  (request, response) => {
    answer(served, request)
      .catch(createRefusal)
      .then(({ status, body = {}, headers }) => {
        // An open connection would delay the stop of the server.
        const always = { 'content-type': 'application/json', connection: 'close' };
        response.writeHead(status, { ...always, ...headers });
        response.end(status === NO_CONTENT ? undefined : JSON.stringify(body));
      })
      // The client has disconnected, so nobody needs a response.
      .catch(() => response.destroy());
  };

/** The parts of the server that the HTTP interface uses. */
export interface HttpParts {
  readonly appending: AppendParts;
  readonly operating: OperationParts;
  readonly authenticate: Authenticate;
}

const NO_CONTENT = 204;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

const answer = async (served: HttpParts, request: IncomingMessage): Promise<HttpAnswer> => {
  const { method = '', url = '', headers } = request;
  const [path = '', query] = url.split('?');
  const isRead = method === 'GET' || method === 'HEAD';
  const open = isRead ? answerOpenly(served, path, new URLSearchParams(query)) : undefined;
  if (open) return open;
  const user = served.authenticate(path, headers);
  if (isRead && path === '/stats') {
    return { status: 200, body: toStatisticsTree(served.operating.node) };
  }
  return path.startsWith('/admin/')
    ? answerScavengeRequest(served.operating, user, `${method} ${path}`)
    : append(served.appending, request, path);
};

/** Refuses a request that EventStoreDB supports and this server does not. */
const NOT_SERVED: HttpAnswer = {
  status: 404,
  body: {
    error:
      'The embedded event store does not have this request. Over HTTP it answers GET /ping, /info, ' +
      '/gossip, /stats and /health/live, POST /streams/NAME with one event, and /admin/scavenge; ' +
      'everything else is gRPC.',
  },
};

/** Answers requests that need no credentials, the same ones as on EventStoreDB. */
const answerOpenly = (
  { operating }: HttpParts,
  path: string,
  query: URLSearchParams,
): HttpAnswer | undefined => {
  switch (path) {
    case '/ping':
      return PING;
    case '/info':
      return { status: 200, body: describeNode() };
    case '/gossip':
      return { status: 200, body: describeGossip(operating.node) };
    case '/health/live':
      // A load balancer may ask for another status, as on EventStoreDB.
      return { status: query.get('liveCode') === '200' ? 200 : NO_CONTENT };
    default:
      return undefined;
  }
};

/** Starts, shows or stops a scavenge. Only an operator or an administrator may call it. */
const answerScavengeRequest = (
  operating: OperationParts,
  user: string | undefined,
  asked: string,
): HttpAnswer => {
  const { users, scavenger } = operating;
  const id = /^(?:GET|DELETE) \/admin\/scavenge\/([^/]+)$/.exec(asked)?.[1];
  if (asked !== 'POST /admin/scavenge' && id === undefined) return NOT_SERVED;
  assertOperator(users, user);
  if (id === undefined) return { status: 200, body: { scavengeId: scavenger.scavengeAll().id } };
  if (asked.startsWith('GET ')) return showScavenge(scavenger, id);
  const running = scavenger.progress.state === 'running' ? scavenger.progress.id : '';
  const stopped = id === 'current' ? running : id;
  return scavenger.stop(stopped)
    ? { status: 200, body: { scavengeId: stopped } }
    : { status: 404, body: { error: `Scavenge ${id} was not found.` } };
};

/** The names of the states on EventStoreDB. */
const SCAVENGE_RESULT = {
  running: 'InProgress',
  completed: 'Success',
  stopped: 'Stopped',
  failed: 'Errored',
} as const;

/** Shows the running scavenge (`current`, empty if none runs) or the latest one (`last`). */
const showScavenge = ({ progress }: Scavenger, which: string): HttpAnswer => {
  const { id, state } = progress;
  const shown = { scavengeId: id, scavengeLink: id === '' ? '' : `/admin/scavenge/${id}` };
  switch (which) {
    case 'current':
      return {
        status: 200,
        body: state === 'running' ? shown : { scavengeId: '', scavengeLink: '' },
      };
    case 'last':
      return id === ''
        ? { status: 200, body: { ...shown, scavengeId: NIL_UUID, scavengeResult: 'Unknown' } }
        : { status: 200, body: { ...shown, scavengeResult: SCAVENGE_RESULT[state] } };
    default:
      return { status: 404, body: { error: `Scavenge ${which} was not found.` } };
  }
};

const append = async (
  appending: AppendParts,
  request: IncomingMessage,
  path: string,
): Promise<HttpAnswer> => {
  const name = /^\/streams\/([^/]+)$/.exec(path)?.[1];
  if (request.method !== 'POST' || name === undefined) return NOT_SERVED;
  const body = await readBody(request, appending.appendBytesMax);
  return body
    ? appendOne(appending, { name: decodeName(name), headers: request.headers, body })
    : { status: 413 };
};

const createRefusal = (error: unknown): HttpAnswer => {
  if (error instanceof RpcError && error.code === Status.unauthenticated) {
    return { status: 401, headers: { 'www-authenticate': 'Basic realm="eventstore"' } };
  }
  if (error instanceof RpcError && error.code === Status.permissionDenied) {
    return { status: 403, body: { error: 'Access Denied' } };
  }
  return error instanceof WireError ? answerBadRequest(error.message) : { status: 500 };
};

const answerBadRequest = (error: string): HttpAnswer => ({ status: 400, body: { error } });

/** Reads the body, or returns undefined if it is larger than an append may be. */
const readBody = async (
  request: IncomingMessage,
  bytesMax: number,
): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    // The rest of the body is read too, because a client that is still sending would not see the
    // answer.
    if (bytes <= bytesMax) chunks.push(chunk as Buffer);
  }
  return bytes <= bytesMax ? Buffer.concat(chunks, bytes) : undefined;
};

const decodeName = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new WireError('not a stream name');
  }
};

const appendOne = (
  { log }: AppendParts,
  { name, headers, body }: { name: string; headers: IncomingHttpHeaders; body: Buffer },
): Promise<HttpAnswer> | HttpAnswer => {
  const event = readEvent(headers, body);
  if (!event) return { status: 415 };
  const expected = readExpectedRevision(headers['es-expectedversion']);
  const problem = findStreamNameProblem(name) ?? findEventProblem(event);
  if (problem !== undefined) return answerBadRequest(problem);
  if (expected === undefined) return answerBadRequest('ES-ExpectedVersion is not a version.');
  return new Promise((resolve) => {
    appendEvents(log, { streamName: name, expected, events: [event] }, (outcome) => {
      resolve(answerTo(outcome, name));
    });
  });
};

/** Reads the event of a request. Returns undefined if the body is not the data of one event. */
const readEvent = (headers: IncomingHttpHeaders, data: Buffer): ProposedEvent | undefined => {
  const contentType = headers['content-type']?.split(';')[0];
  const json = contentType === 'application/json';
  if (!json && contentType !== 'application/octet-stream') return undefined;
  const id = headers['es-eventid'];
  const type = headers['es-eventtype'];
  return {
    id: id === undefined ? randomUUID() : toCanonicalUuid(String(id)),
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

const readExpectedRevision = (version: string | string[] = '-2'): ExpectedRevision | undefined =>
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
