import { BlockList } from 'node:net';
import { findClientAddress, toNetwork } from './client-address';

const trusted = new BlockList();
trusted.addSubnet('10.0.0.0', 8, 'ipv4');
trusted.addSubnet('fd00::', 8, 'ipv6');

const addressOf = (remoteAddress: string, forwarded?: string): string =>
  findClientAddress(
    {
      socket: { remoteAddress },
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    } as Parameters<typeof findClientAddress>[0],
    trusted,
  );

describe('the address of a client', () => {
  it.each([
    ['is that of the connection', '203.0.113.9', undefined, '203.0.113.9'],
    [
      'is that of the connection where no proxy is trusted',
      '203.0.113.9',
      '1.2.3.4',
      '203.0.113.9',
    ],
    ['is what a trusted proxy says', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['is not what the client says', '10.0.0.1', '1.2.3.4, 203.0.113.9', '203.0.113.9'],
    ['stands left of trusted proxies', '10.0.0.1', '1.2.3.4, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
    ['is the first of trusted proxies alone', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['is that of the proxy where it says nothing', '10.0.0.1', undefined, '10.0.0.1'],
    ['is that of the proxy where it says no address', '10.0.0.1', '1.2.3.4, unknown', '10.0.0.1'],
    ['may have a port', '10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
    ['may be IPv6', 'fd00::1', '[2001:db8::1]:443', '2001:db8::1'],
    [
      'is an IPv4 address on a socket of IPv6',
      '::ffff:10.0.0.1',
      '::ffff:203.0.113.9',
      '203.0.113.9',
    ],
  ])('%s', (_, remote, forwarded, expected) => {
    expect(addressOf(remote, forwarded)).toBe(expected);
  });
});

describe('the network of a client', () => {
  it.each([
    ['2001:db8:70::1', '2001:db8:70:0::/64'],
    ['2001:db8:70:0:1:2:3:4', '2001:db8:70:0::/64'],
    ['2001:DB8:7:7:ffff::', '2001:db8:7:7::/64'],
    ['2001:0db8:0007:0007:0:0:0:9', '2001:db8:7:7::/64'],
    ['2a00::1', '2a00:0:0:0::/64'],
    ['2a00::5:1:2:3:4', '2a00:0:0:5::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::198.51.100.8', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::ffff:198.51.100.8', '198.51.100.8'],
    ['::ffff:c633:6408', '198.51.100.8'],
    ['198.51.100.8', '198.51.100.8'],
    ['', ''],
  ])('of %s is %s, however the address is written', (address, network) => {
    expect(toNetwork(address)).toBe(network);
  });
});
