import type { TSchema } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type EventSchema, removePersonal } from '../../event-store/catalogue';
import type { Json } from '../../kernel/json';
import type { Page } from '../lists/pagination';
import type { StoredResponse } from './idempotency';
import { factsOf, type RequestActor } from './request-facts';
import { type AnswerSchema, routeFactsOf } from './route-facts';

/**
 * A single resource that belongs to a subscriber, with the sequence its subscriber's stream has
 * reached: it becomes the ETag that `If-Match` is compared with (Clarifications, "Versions").
 */
export class Versioned<Body> {
  constructor(
    readonly body: Body,
    readonly sequence: number,
  ) {}
}

/**
 * What every answer passes: its version becomes the ETag, personal fields need `pii:read` (D-92). A hook
 * of the server, not an interceptor: those cost a tenth of a small request.
 */
export const presentAnswers = (server: FastifyInstance): void => {
  server.addHook('preSerialization', (request, reply, payload: unknown, done) => {
    const body = unwrapped(payload, reply);
    const { principal } = factsOf(request);
    const { answer } = routeFactsOf(request);
    const isShown = principal === null || principal.scopes.has('pii:read');
    if (answer === undefined || isShown || reply.statusCode >= 400) {
      done(null, body);
      return;
    }
    wholeAnswers.set(request.raw, body);
    done(null, withoutPersonal(answer, body));
  });
};

/** Answers of which the caller saw a part: a repeat by another key is presented to that key's rights. */
const wholeAnswers = new WeakMap<object, unknown>();

/** The answer as it is kept for repeats: with the personal fields that this caller may not see. */
export const answerToKeep = (request: FastifyRequest, payload: unknown): string => {
  const whole = wholeAnswers.get(request.raw);
  if (whole !== undefined) return JSON.stringify(whole);
  return typeof payload === 'string' ? payload : '';
};

/**
 * A stored answer as the caller may see it: personal fields need `pii:read`, and secrets are shown to
 * nobody but who made the request.
 */
export const presentRepeat = (request: FastifyRequest, stored: StoredResponse): StoredResponse => {
  const { principal, actor } = factsOf(request);
  const { answer } = routeFactsOf(request);
  if (answer === undefined || stored.status >= 400 || stored.body === '') return stored;
  let body = JSON.parse(stored.body) as unknown;
  if (actor === null || stored.maker !== makerOf(actor)) body = withoutSecrets(answer, body);
  if (principal !== null && !principal.scopes.has('pii:read')) body = withoutPersonal(answer, body);
  return { ...stored, body: JSON.stringify(body) };
};

/** Names who made a request, among all who may repeat it. */
export const makerOf = ({ type, id }: RequestActor): string => `${type} ${id}`;

/** A field of an answer that is shown once, and in a repeat only to who made the request. */
export const secret = <S extends TSchema>(schema: S): S => ({ ...schema, [SECRET]: true });

const SECRET = 'x-secret';
const HIDDEN = '[hidden]';

const withoutSecrets = ({ schema }: AnswerSchema, body: unknown): unknown => {
  const { properties = {} } = schema as { properties?: Record<string, object> };
  return Object.fromEntries(
    Object.entries(body as Record<string, unknown>).map(([name, value]) =>
      SECRET in (properties[name] ?? {}) ? [name, HIDDEN] : [name, value],
    ),
  );
};

const unwrapped = (result: unknown, reply: FastifyReply): unknown => {
  if (!(result instanceof Versioned)) return result;
  void reply.header('etag', `"${result.sequence}"`);
  return result.body;
};

const withoutPersonal = ({ schema, list }: AnswerSchema, body: unknown): unknown => {
  const hide = (value: unknown): Json => removePersonal(schema as EventSchema, value as Json);
  if (!list) return hide(body);
  const page = body as Page<unknown>;
  return { ...page, data: page.data.map(hide) };
};
