import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../kernel/errors';
import { getFacts } from './request-facts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Refuses a change that another site causes a browser to send. */
export const requireSameOrigin = (request: FastifyRequest): void => {
  if (SAFE.has(request.method)) return;
  const site = request.headers['sec-fetch-site'];
  if (site === undefined ? isOwnOrigin(request) : site === 'same-origin') return;
  throw new DomainError(
    'cross_site_request',
    'Changes with a session cookie are accepted only from pages of this service.',
  );
};

/**
 * True if the origin is the service itself. Browsers that do not send `Sec-Fetch-Site` send the
 * origin of the page.
 */
const isOwnOrigin = (request: FastifyRequest): boolean =>
  request.headers.origin === getOrigin(request);

/** Returns the origin of the service, as in the address of this request. */
export const getOrigin = (request: FastifyRequest): string =>
  `${getFacts(request).isSecure ? 'https' : 'http'}://${request.headers.host ?? ''}`;
