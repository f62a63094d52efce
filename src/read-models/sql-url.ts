/**
 * Modes that the driver treats as `verify-full` today. A later version of the driver will check less
 * in these modes, and today's version warns of that on each start.
 */
const STRICT_MODES = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/g;
/** With this option the driver gives every mode the meaning that PostgreSQL's own tools give it. */
const LIBPQ_MEANING = /[?&]uselibpqcompat=true(?:&|$)/;

/**
 * Replaces each TLS mode of a connection string by `verify-full`, so that later versions of the driver
 * also check the certificate and the name of the server (docs/scaling.md).
 */
export const requireFullTlsCheck = (url: string): string =>
  LIBPQ_MEANING.test(url) ? url : url.replaceAll(STRICT_MODES, '$1verify-full');
