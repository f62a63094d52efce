import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../kernel/errors';
import { IF_MATCH } from '../fields/header-patterns';
import { getRouteFacts } from './route-facts';

/**
 * Returns the version that `If-Match` names; null without the header, or with `*`. Throws
 * `version_conflict` where the object of the route has no version.
 */
export const readIfMatch = (request: FastifyRequest): number | null => {
  const header = request.headers['if-match'];
  if (header === undefined || header === '*') return null;
  const param = 'If-Match';
  if (!IF_MATCH.test(header)) {
    throw new DomainError('parameter_invalid', 'If-Match must be an ETag such as "12".', { param });
  }
  const expected = Number(header.replaceAll(/\D/g, ''));
  if (getRouteFacts(request).hasVersion === true) return expected;
  throw new DomainError(
    'version_conflict',
    'There is no version to compare If-Match with: only objects that belong to a subscriber have one, the header ETag. Send the request without If-Match.',
    { param, details: { expected_sequence: expected, current_sequence: null } },
  );
};
