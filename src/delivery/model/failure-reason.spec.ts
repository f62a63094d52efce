import { toFailureReason } from './failure-reason';

const errorWith = (code: string, name = 'Error'): Error =>
  Object.assign(new Error('10.1.2.3:443 said no'), { code, name });

describe('the reason of a failed attempt', () => {
  it.each([
    ['ENOTFOUND', 'dns_not_found'],
    ['ECONNREFUSED', 'connection_refused'],
    ['ECONNRESET', 'connection_reset'],
    ['UND_ERR_SOCKET', 'connection_closed'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
    ['UND_ERR_HEADERS_OVERFLOW', 'answer_headers_too_large'],
    ['HPE_INVALID_CONSTANT', 'answer_invalid'],
    ['CERT_HAS_EXPIRED', 'tls_certificate_expired'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls_certificate_untrusted'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_certificate_of_other_name'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls_failed'],
  ])('of the code %s is %s', (code, reason) => {
    expect(toFailureReason(errorWith(code))).toBe(reason);
  });

  it('is the code of the service if the service itself refused the address', () => {
    expect(toFailureReason(errorWith('url_not_allowed'))).toBe('url_not_allowed');
    expect(toFailureReason(errorWith('proxy_refused_407'))).toBe('proxy_refused_407');
  });

  it('is connection_failed for every unknown error', () => {
    const unknown = [errorWith('EWHATEVER'), new TypeError('x'), null, 'text', { code: 7 }];
    expect(unknown.map(toFailureReason)).toEqual(unknown.map(() => 'connection_failed'));
  });

  it('names a time limit and a response that is no HTTP by the kind of the error', () => {
    expect(toFailureReason(errorWith('UND_ERR_ABORTED', 'TimeoutError'))).toBe('timeout');
    expect(toFailureReason(errorWith('UND_ERR', 'HTTPParserError'))).toBe('answer_invalid');
  });
});
