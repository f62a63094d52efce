import { DomainError } from '../../kernel/errors';
import { ADDRESS_OR_RANGE, isAllowedIp, readAllowedIps } from './allowed-ips';

const catchRefusal = (entries: string[]): unknown => {
  try {
    return readAllowedIps(entries);
  } catch (error) {
    return error instanceof DomainError ? [error.code, error.facts.param] : error;
  }
};

describe('the allowed addresses of an API key', () => {
  it.each([
    [['192.0.2.7'], '192.0.2.7', true],
    [['192.0.2.7'], '192.0.2.8', false],
    [['192.0.2.0/24'], '192.0.2.255', true],
    [['192.0.2.0/24'], '192.0.3.0', false],
    [['0.0.0.0/0'], '203.0.113.9', true],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['2001:db8::/32'], '2001:db8:1::1', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['2001:db8::1'], '2001:0db8:0:0::1', true],
    [['10.0.0.0/8', '2001:db8::/32'], '2001:db8::1', true],
    // A socket that listens on both families reports an IPv4 peer in this form.
    [['192.0.2.0/24'], '::ffff:192.0.2.9', true],
    [['10.0.0.0/8'], '::ffff:192.0.2.9', false],
    [['fe80::/10'], 'fe80::1%eth0', true],
    [['10.0.0.0/8'], '', false],
  ])('with the list %j include %s: %s', (entries, address, allowed) => {
    expect(isAllowedIp(entries, address)).toBe(allowed);
  });

  it('are stored without duplicates; a missing list is stored as null', () => {
    expect(readAllowedIps(['10.0.0.1', '10.0.0.1'])).toEqual(['10.0.0.1']);
    expect(readAllowedIps(undefined)).toBeNull();
    expect(readAllowedIps(null)).toBeNull();
  });

  it.each([
    'example.com',
    '10.0.0',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '2001:db8::/129',
    'fe80::1%eth0',
    '::ffff:10.0.0.1',
    '64:ff9b::10.0.0.1',
  ])('cannot contain %s', (entry) => {
    expect(catchRefusal(['10.0.0.1', entry])).toEqual(['parameter_invalid', 'allowed_ips[1]']);
  });

  it('have a documented form without an IPv4 address inside an IPv6 address', () => {
    expect('2001:db8::1/64').toMatch(ADDRESS_OR_RANGE);
    expect('::ffff:10.0.0.1').not.toMatch(ADDRESS_OR_RANGE);
  });
});
