/**
 * Modes that the driver treats as `verify-full` today. It warns, in seven lines, of a later version that
 * will check less.
 */
const STRICT_MODES = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/g;
/** With this option the driver gives every mode the meaning that PostgreSQL's own tools give it. */
const AS_LIBPQ = /[?&]uselibpqcompat=true(?:&|$)/;

/**
 * Returns the address for the driver. A mode that asks for TLS means that the certificate and the name
 * of the server are checked, also with later versions of the driver. docs/scaling.md says so.
 */
export const stateTlsMode = (url: string): string =>
  AS_LIBPQ.test(url) ? url : url.replaceAll(STRICT_MODES, '$1verify-full');
