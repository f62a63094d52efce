import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config/config';
import { factsOf } from '../../http/pipeline/request-facts';

/** How people reach the service: as it is configured, else as this request did. */
export const addressOf = (request: FastifyRequest, { publicUrl }: Config): string =>
  publicUrl ?? `${factsOf(request).isSecure ? 'https' : 'http'}://${request.headers.host ?? ''}`;
