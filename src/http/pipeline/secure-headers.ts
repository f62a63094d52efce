import type { FastifyInstance } from 'fastify';
import { routeFactsOf } from './route-facts';

/** Pages load only what the service itself serves, and no script that stands in the page runs. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** An answer of the API is no page: where a browser shows it, nothing is loaded or run. */
const ANSWER_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Everything of the console is in files, and no text of anybody's becomes a script. */
const consolePolicyOf = (frameAncestors: readonly string[]): string =>
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

/** Headers that tell browsers and caches what they must not do with an answer. */
export const secureHeaders = (server: FastifyInstance, frameAncestors: readonly string[]): void => {
  const consolePolicy = consolePolicyOf(frameAncestors);
  server.addHook('onSend', (request, reply, payload, done) => {
    const { audience, isConsole } = routeFactsOf(request);
    const isPage = String(reply.getHeader('content-type') ?? '').startsWith('text/html');
    void reply.headers({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy':
        isConsole === true ? consolePolicy : isPage ? PAGE_POLICY : ANSWER_POLICY,
    });
    // Answers of the API hold personal data, keys or secrets, or will one day.
    if (audience?.kind !== 'public' && !reply.hasHeader('cache-control')) {
      void reply.header('cache-control', 'no-store');
    }
    done(null, payload);
  });
};
