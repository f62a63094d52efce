import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { type EventSchema, impersonal } from '../event-store/catalogue';
import type { Json } from '../event-store/stored-event';
import { ANSWER_SCHEMA, type AnswerSchema } from './answers';
import type { Page } from './pagination';
import { factsOf } from './request-facts';

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

/** What every answer passes: its version becomes the ETag, personal fields need `pii:read` (D-92). */
@Injectable()
export class Presenter implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const { principal } = factsOf(http.getRequest<FastifyRequest>());
    const answer = this.reflector.get<AnswerSchema | undefined>(
      ANSWER_SCHEMA,
      context.getHandler(),
    );
    return next.handle().pipe(
      map((result: unknown) => {
        const body = unwrapped(result, http.getResponse<FastifyReply>());
        if (answer === undefined || principal === null || principal.scopes.has('pii:read')) {
          return body;
        }
        return withoutPersonal(answer, body);
      }),
    );
  }
}

const unwrapped = (result: unknown, reply: FastifyReply): unknown => {
  if (!(result instanceof Versioned)) return result;
  void reply.header('etag', `"${result.sequence}"`);
  return result.body;
};

const withoutPersonal = ({ schema, list }: AnswerSchema, body: unknown): unknown => {
  const hide = (value: unknown): Json => impersonal(schema as EventSchema, value as Json);
  if (!list) return hide(body);
  const page = body as Page<unknown>;
  return { ...page, data: page.data.map(hide) };
};
