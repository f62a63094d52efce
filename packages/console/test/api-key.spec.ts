import { type ApiKey, findOwnEnd } from '../src/pages/team/api-key';

describe('the end that is proposed for the successor of a key', () => {
  const makeKey = (name: string, createdAt: string, expiresAt: string | null): ApiKey => ({
    ...{ id: `key_${createdAt}`, name, last4: '1234', scopes: [], allowed_ips: null },
    ...{ created_at: createdAt, expires_at: expiresAt, revoked_at: null, last_used_at: null },
  });

  it('is the end of the key', () => {
    const key = makeKey('backend', '2026-11-01T00:00:00Z', '2027-11-27T23:59:59Z');
    const other = makeKey('reports', '2027-11-26T00:00:00Z', null);
    expect(findOwnEnd(key, [other, key])).toBe('2027-11-27');
    expect(findOwnEnd(makeKey('backend', '2026-11-01T00:00:00Z', null), [])).toBe('');
  });

  it('is not the end that an earlier rotation gave the key', () => {
    const key = makeKey('backend', '2026-11-01T00:00:00Z', '2026-11-28T12:00:00Z');
    const successor = makeKey('backend', '2026-11-27T12:00:00Z', '2027-01-31T23:59:59Z');
    expect(findOwnEnd(key, [successor, key])).toBe('');
    expect(findOwnEnd(successor, [successor, key])).toBe('2027-01-31');
  });
});
