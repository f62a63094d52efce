import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import type { FastifyRequest } from 'fastify';
import { jsonOf } from './request-facts';
import { refusal, unknownField } from './validation';

/**
 * An operation whose handler takes no body knows no field, so it refuses each one as a DTO would
 * (D-81). No body, an empty one and `{}` are the same: some clients send one on every call.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { body } = context.switchToHttp().getRequest<FastifyRequest>();
    const fields = Object.keys(jsonOf(body) ?? {});
    if (fields.length > 0 && !takesBody(context)) throw refusal(fields.map(unknownField));
    return true;
  }
}

/** Nest notes each decorated parameter of a handler as `<kind>:<index>`. */
const takesBody = (context: ExecutionContext): boolean => {
  const noted = Reflect.getMetadata(
    ROUTE_ARGS_METADATA,
    context.getClass(),
    context.getHandler().name,
  ) as Readonly<Record<string, unknown>> | undefined;
  return Object.keys(noted ?? {}).some((key) => key.startsWith(`${RouteParamtypes.BODY}:`));
};
