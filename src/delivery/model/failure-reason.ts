/**
 * Reasons by the code of an error: codes of Node (errno, DNS, OpenSSL), of undici and of
 * nodemailer. A reason is what people read in the delivery log, and a label of a metric, so it
 * names what happened in plain words and not the library that noticed it.
 */
const REASONS_BY_CODE: Readonly<Record<string, string>> = {
  ENOTFOUND: 'dns_not_found',
  ENODATA: 'dns_not_found',
  EAI_AGAIN: 'dns_failed',
  EAI_FAIL: 'dns_failed',
  ESERVFAIL: 'dns_failed',
  EDNS: 'dns_failed',
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'connection_unreachable',
  ENETUNREACH: 'connection_unreachable',
  EADDRNOTAVAIL: 'connection_unreachable',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_closed',
  UND_ERR_HEADERS_OVERFLOW: 'answer_headers_too_large',
  HPE_HEADER_OVERFLOW: 'answer_headers_too_large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'answer_incomplete',
  // undici asserts that no receiver switches protocols (status 101), which nobody asked for.
  ERR_ASSERTION: 'answer_invalid',
  CERT_HAS_EXPIRED: 'tls_certificate_expired',
  CERT_NOT_YET_VALID: 'tls_certificate_expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_certificate_of_other_name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_certificate_untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_certificate_untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_certificate_untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'tls_certificate_untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls_certificate_untrusted',
  CERT_UNTRUSTED: 'tls_certificate_untrusted',
  EPROTO: 'tls_failed',
  ETLS: 'tls_failed',
  EAUTH: 'smtp_login_refused',
  ECONNECTION: 'connection_failed',
  ESOCKET: 'connection_failed',
};

const REASONS_BY_PATTERN: readonly (readonly [RegExp, string])[] = [
  [/^HPE_/, 'answer_invalid'],
  [/^(ERR_SSL_|ERR_TLS_|CERT_)/, 'tls_failed'],
];

const TIMEOUT_ERROR_NAMES = new Set(['TimeoutError', 'ConnectTimeoutError', 'HeadersTimeoutError']);

/** Reasons that the service itself gives as the code of an error, such as `url_not_allowed`. */
const OWN_REASON = /^[a-z][a-z_0-9]*$/;

/** Returns why an attempt has no complete response: one of a few words, without an address. Pure. */
export const toFailureReason = (error: unknown): string => {
  const { name, code } = (error ?? {}) as { readonly name?: unknown; readonly code?: unknown };
  if (typeof name === 'string' && TIMEOUT_ERROR_NAMES.has(name)) return 'timeout';
  if (name === 'HTTPParserError') return 'answer_invalid';
  if (typeof code !== 'string') return 'connection_failed';
  if (OWN_REASON.test(code)) return code;
  const family = REASONS_BY_PATTERN.find(([form]) => form.test(code));
  return REASONS_BY_CODE[code] ?? family?.[1] ?? 'connection_failed';
};
