import { DomainError } from '../../kernel/errors';

/** Segments of the characters that RFC 3986 allows in a path, and percent-encodings. */
const PATH = /^(?:\/(?:[\w\-.~!$&'()*+,;=:@]|%[\da-f]{2})*)+$/i;
/** Unreserved characters, slashes and backslashes: no identifier needs them encoded. */
const NEEDLESS = /%(?:2[def]|3\d|4[1-9a-f]|5[\dacf]|6[1-9a-f]|7[\dae])/i;
/** Pages at the top of a folder, whose relative links need the slash at the end. */
const ROOTS = new Set(['/', '/console/']);
const EMPTY_SEGMENT = /\/(?:\/|$)/;
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/;

/**
 * What is wrong with the target of a request; null when nothing is. Each path has one spelling: the
 * router matches the decoded path and the absolute form as well, so whatever stands in front of the
 * service (a proxy, a firewall) could read another path than the service does.
 */
export const flawOfTarget = (method: string, target: string): DomainError | null => {
  const path = target.split('?', 1)[0] ?? '';
  if (!PATH.test(path) || NEEDLESS.test(path) || DOT_SEGMENT.test(path)) {
    return new DomainError(
      'parameter_invalid',
      'Write the request target as a plain path: no scheme and host, no needless percent-encodings, no dot segments.',
      { param: 'url' },
    );
  }
  // The router takes an empty segment for an empty parameter.
  if (!ROOTS.has(path) && EMPTY_SEGMENT.test(path)) {
    return new DomainError('route_not_found', `There is no ${method} ${path}.`);
  }
  return null;
};
