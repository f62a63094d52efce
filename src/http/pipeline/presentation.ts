import type { TSchema } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type EventSchema, removePersonal } from '../../event-store/catalogue';
import type { Json } from '../../kernel/json';
import type { Page } from '../lists/pagination';
import { namesTag } from './entity-tags';
import type { StoredResponse } from './idempotency';
import { getFacts, type RequestActor } from './request-facts';
import { type AnswerSchema, getRouteFacts } from './route-facts';

/**
 * A resource that belongs to a subscriber, with the sequence of the subscriber's stream. The
 * sequence becomes the ETag that `If-Match` is compared with.
 */
export class Versioned<Body> {
  constructor(
    readonly body: Body,
    readonly sequence: number,
    /** True if the body changes only with the sequence, so that 304 may be the response. */
    readonly changesWithSequence = true,
  ) {}
}

/**
 * Prepares every response: its version becomes the ETag, and personal fields are removed without
 * `pii:read` (D-92). It is a hook of the server, because an interceptor would add a tenth to the
 * time of a small request.
 */
export const presentAnswers = (server: FastifyInstance): void => {
  server.addHook('preSerialization', (request, reply, payload: unknown, done) => {
    const body = unwrapVersion(payload, { request, reply });
    const { principal } = getFacts(request);
    const { answer } = getRouteFacts(request);
    const isShown = principal === null || principal.scopes.has('pii:read');
    if (answer === undefined || isShown || reply.statusCode >= 400) {
      done(null, body);
      return;
    }
    completeBodies.set(request.raw, body);
    done(null, removePersonalFields(answer, body));
  });
  server.addHook('onSend', (_request, reply, payload: unknown, done) => {
    if (reply.statusCode !== NOT_MODIFIED) {
      done(null, payload);
      return;
    }
    void reply.removeHeader('content-type').removeHeader('content-length');
    done(null, null);
  });
};

/** The status of a response without a body: the client has the current version already. */
const NOT_MODIFIED = 304;

/**
 * The complete bodies of responses from which personal fields were removed for the caller. They are
 * stored, because a repeat with another key may show these fields.
 */
const completeBodies = new WeakMap<object, unknown>();

/**
 * Returns the body to store for repeats, including the personal fields that this caller may not
 * see.
 */
export const getBodyToStore = (request: FastifyRequest, payload: unknown): string => {
  const whole = completeBodies.get(request.raw);
  if (whole !== undefined) return JSON.stringify(whole);
  return typeof payload === 'string' ? payload : '';
};

/**
 * Filters a stored response for the caller: personal fields need `pii:read`, and secrets are shown
 * only to the actor that made the request.
 */
export const presentRepeat = (request: FastifyRequest, stored: StoredResponse): StoredResponse => {
  const { principal, actor } = getFacts(request);
  const { answer } = getRouteFacts(request);
  if (answer === undefined || stored.status >= 400 || stored.body === '') return stored;
  let body = JSON.parse(stored.body) as unknown;
  if (actor === null || stored.maker !== identifyMaker(actor)) body = removeSecrets(answer, body);
  if (principal !== null && !principal.scopes.has('pii:read'))
    body = removePersonalFields(answer, body);
  return { ...stored, body: JSON.stringify(body) };
};

/** Identifies the actor that made a request among all actors that may repeat it. */
export const identifyMaker = ({ type, id }: RequestActor): string => `${type} ${id}`;

/** Marks a secret in a response. A repeat shows it only to the actor that made the request. */
export const findSecret = <S extends TSchema>(schema: S): S => ({ ...schema, [SECRET]: true });

const SECRET = 'x-secret';
const HIDDEN = '[hidden]';

const removeSecrets = ({ schema }: AnswerSchema, body: unknown): unknown => {
  const { properties = {} } = schema as { properties?: Record<string, object> };
  return Object.fromEntries(
    Object.entries(body as Record<string, unknown>).map(([name, value]) =>
      SECRET in (properties[name] ?? {}) ? [name, HIDDEN] : [name, value],
    ),
  );
};

const unwrapVersion = (
  result: unknown,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): unknown => {
  if (!(result instanceof Versioned)) return result;
  const etag = `"${result.sequence}"`;
  void reply.header('etag', etag);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const isKnown = isRead && namesTag(request.headers['if-none-match'], etag);
  if (isKnown && result.changesWithSequence) void reply.status(NOT_MODIFIED);
  return result.body;
};

const removePersonalFields = ({ schema, list }: AnswerSchema, body: unknown): unknown => {
  const hide = (value: unknown): Json => removePersonal(schema as EventSchema, value as Json);
  if (!list) return hide(body);
  const page = body as Page<unknown>;
  return { ...page, data: page.data.map(hide) };
};
