import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config/config';
import { getOrigin } from '../../http/pipeline/same-origin';
import { isLocal } from '../../http/pipeline/sessions';

/** Returns the public address of the service: the configured one, else the one of this request. */
export const getAddress = (request: FastifyRequest, { publicUrl }: Config): string =>
  publicUrl ?? getOrigin(request);

/**
 * True if a mail to another person may contain the address. The caller chooses the Host header, so
 * without a configured address the mail could lead to a site of the caller.
 */
export const isAddressTrusted = (request: FastifyRequest, { publicUrl }: Config): boolean =>
  publicUrl !== undefined || isLocal(request);
