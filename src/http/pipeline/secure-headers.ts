import type { FastifyInstance } from 'fastify';
import { getRouteFacts } from './route-facts';

/**
 * The policy of pages: they load only files of the service itself, and inline scripts do not run.
 */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** The policy of API answers: a browser that shows one loads and runs nothing. */
const ANSWER_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** The headers of a response that is neither a page nor public. */
export const ANSWER_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': ANSWER_POLICY,
  'cache-control': 'no-store',
} as const;

/**
 * The policy of the console: everything it needs is in files, and text of users never becomes a
 * script.
 */
const createConsolePolicy = (frameAncestors: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ')}`,
    "require-trusted-types-for 'script'",
  ].join('; ');

/** Headers that tell browsers and caches what they must not do with a response. */
export const createSecureHeaders = (
  server: FastifyInstance,
  frameAncestors: readonly string[],
): void => {
  const consolePolicy = createConsolePolicy(frameAncestors);
  server.addHook('onSend', (request, reply, payload, done) => {
    const { audience, isConsole } = getRouteFacts(request);
    const isPage = String(reply.getHeader('content-type') ?? '').startsWith('text/html');
    const { 'cache-control': notKept, ...always } = ANSWER_HEADERS;
    void reply.headers(always);
    if (isConsole === true) void reply.header('content-security-policy', consolePolicy);
    else if (isPage) void reply.header('content-security-policy', PAGE_POLICY);
    // Answers of the API contain personal data, keys or secrets, or may contain them in the future.
    if (audience?.kind !== 'public' && !reply.hasHeader('cache-control')) {
      void reply.header('cache-control', notKept);
    }
    done(null, payload);
  });
};
