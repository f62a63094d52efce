import { DomainError } from '../../kernel/errors';

/** A path of segments with the characters that RFC 3986 allows and percent-encodings. */
const PATH = /^(?:\/(?:[\w\-.~!$&'()*+,;=:@]|%[\da-f]{2})*)+$/i;
/** Encodings of unreserved characters, slashes and backslashes, which no identifier needs. */
const NEEDLESS = /%(?:2[def]|3\d|4[1-9a-f]|5[\dacf]|6[1-9a-f]|7[\dae])/i;
/** Pages at the top of a folder, whose relative links need the slash at the end. */
const ROOTS = new Set(['/', '/console/']);
const EMPTY_SEGMENT = /\/(?:\/|$)/;
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/;

/** Returns the path of a request's target without its query. */
export const readPath = (target: string): string => target.replace(/\?.*$/s, '');

/**
 * Finds a fault in the target of a request; null if there is none. Each path has one spelling. The
 * router also matches the decoded path and the absolute form, so a proxy or firewall in front of
 * the service could read another path than the service does.
 */
export const findTargetFlaw = (method: string, target: string): DomainError | null => {
  const path = readPath(target);
  if (!PATH.test(path) || NEEDLESS.test(path) || DOT_SEGMENT.test(path) || target.includes('#')) {
    return new DomainError(
      'parameter_invalid',
      'Write the request target as a plain path: no scheme and host, no needless percent-encodings, no dot segments, no fragment.',
      { param: 'url' },
    );
  }
  // The router would match an empty segment as an empty parameter.
  if (!ROOTS.has(path) && EMPTY_SEGMENT.test(path)) {
    const hint = path.endsWith('/') ? ' No path has a slash at its end.' : '';
    return new DomainError('route_not_found', `There is no ${method} ${path}.${hint}`);
  }
  return null;
};
