import { findTargetFlaw } from './request-target';

const refusalOf = (target: string): unknown => findTargetFlaw('GET', target)?.code ?? null;

describe('the check of the request target', () => {
  it.each([
    '/',
    '/v1/events',
    '/v1/events?order=asc&created_after=2026-01-01T00%3A00%3A00%2E000Z',
    '/v1/event_types/payment.succeeded',
    '/v1/plans/gold%20yearly',
    '/v1/plans/caf%C3%A9',
    '/v1/plans/a%25b',
    "/v1/plans/a!$&'()*+,;=:@b",
    '/v1/plans/...',
    '/v1/plans/%00',
  ])('accepts %s unchanged', (target) => {
    expect(refusalOf(target)).toBeNull();
  });

  it.each([
    ['an unreserved character that is encoded', '/%6fperator/v1/tenants'],
    ['an encoded digit', '/v%31/events'],
    ['an encoded hyphen', '/operator/v1/tenants/x/api%2Dkeys'],
    ['an encoded dot', '/v1/%2e%2E/operator'],
    ['an encoded tilde', '/v1/plans/%7e'],
    ['an encoded slash', '/operator%2fv1/tenants'],
    ['an encoded backslash', '/operator%5Cv1/tenants'],
    ['a raw backslash', '/v1\\events'],
    ['an encoding that is cut off', '/v1/events%'],
    ['an encoding that is none', '/v1/%zz'],
    ['a dot segment', '/v1/../operator/v1/tenants'],
    ['a dot segment at the end', '/v1/events/.'],
    ['the absolute form', 'http://x/operator/v1/tenants'],
    ['the absolute form without a host', 'http:///operator/v1/tenants'],
    ['the absolute form of another scheme', 'ftp://x/operator/v1/tenants'],
    ['the asterisk form', '*'],
    ['no slash at the beginning', 'v1/events'],
    ['nothing', ''],
    ['a query alone', '?a=b'],
    ['a fragment', '/v1/events#top'],
    ['a fragment after the query', '/v1/events?limit=1#top'],
    ['a space', '/v1/eve nts'],
    ['a byte beyond ASCII', '/v1/plans/caf\u00e9'],
  ])('refuses a target with %s', (_, target) => {
    expect(refusalOf(target)).toBe('parameter_invalid');
  });

  it('refuses each encoded unreserved character, and no other encoding', () => {
    const refused = Array.from({ length: 256 }, (_, byte) => byte).filter(
      (byte) => refusalOf(`/v1/%${byte.toString(16).padStart(2, '0')}`) !== null,
    );
    const unreserved = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/\\';
    expect(refused).toEqual([...Buffer.from(unreserved)].sort((a, b) => a - b));
  });

  it.each(['//v1/events', '/v1//events', '/v1/events/', '/v1/events/?limit=1', '//'])(
    'answers 404 for an empty segment: %s',
    (target) => {
      expect(refusalOf(target)).toBe('route_not_found');
    },
  );
});
