import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import type { FastifyRequest } from 'fastify';
import { getFacts, toJson } from './request-facts';
import type { FieldError } from '../../kernel/errors';
import { createRefusal, createUnknownField } from '../fields/validation';

/**
 * Refuses every field of a body or query if the handler has no parameter for it, as a DTO refuses
 * unknown fields (D-81). No body, an empty body and `{}` are equal, because some clients send one
 * with every call. Routes outside the API, such as `/metrics`, accept anything.
 */
@Injectable()
export class InputGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (getFacts(request).actor === null) return true;
    const unknown = [
      ...(hasParameter(RouteParamtypes.QUERY, context)
        ? []
        : refuseFields(
            request.query,
            'query parameter',
            'This operation has no query parameters.',
          )),
      ...(hasParameter(RouteParamtypes.BODY, context)
        ? []
        : refuseFields(toJson(request.body), 'field', 'This operation has no body.')),
    ];
    if (unknown.length > 0) throw createRefusal(unknown);
    return true;
  }
}

/** Returns an error for every field. `reason` is the end of its message. */
const refuseFields = (
  fields: unknown,
  kind: 'field' | 'query parameter',
  reason: string,
): FieldError[] =>
  Object.keys(fields ?? {}).map((name) => createUnknownField(name, ` ${reason}`, kind));

/**
 * True if the handler has a parameter of this kind. Nest records each decorated parameter of a
 * handler as `<kind>:<index>`.
 */
const hasParameter = (kind: RouteParamtypes, context: ExecutionContext): boolean => {
  const parameters = Reflect.getMetadata(
    ROUTE_ARGS_METADATA,
    context.getClass(),
    context.getHandler().name,
  ) as Readonly<Record<string, unknown>> | undefined;
  return Object.keys(parameters ?? {}).some((key) => key.startsWith(`${kind}:`));
};
