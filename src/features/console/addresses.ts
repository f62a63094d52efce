import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config/config';
import { factsOf } from '../../http/pipeline/request-facts';

/** Returns the public address of the service: the configured one, else the one of this request. */
export const addressOf = (request: FastifyRequest, { publicUrl }: Config): string =>
  publicUrl ?? `${factsOf(request).isSecure ? 'https' : 'http'}://${request.headers.host ?? ''}`;
