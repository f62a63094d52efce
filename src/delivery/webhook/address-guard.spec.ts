import type { LookupAddress } from 'node:dns';
import { AddressGuard, AddressRefused, isPublicAddress } from './address-guard';

describe('the address', () => {
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    'localhost',
    '',
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('the address guard', () => {
  const answering = (...addresses: string[]) =>
    new AddressGuard(false, (_name, _options, callback) => {
      const found = addresses.map((address): LookupAddress => ({ address, family: 4 }));
      callback(null, found);
    });

  const look = (guard: AddressGuard, all: boolean): Promise<unknown> =>
    new Promise((resolve) => {
      guard.lookup('example.com', { all }, (error, address) => {
        resolve(error ?? address);
      });
    });

  it('connects to the addresses that it checked', async () => {
    expect(await look(answering('8.8.8.8', '8.8.4.4'), false)).toBe('8.8.8.8');
    expect(await look(answering('8.8.8.8'), true)).toEqual([{ address: '8.8.8.8', family: 4 }]);
  });

  it('refuses a name with one forbidden address', async () => {
    expect(await look(answering('8.8.8.8', '10.0.0.1'), true)).toBeInstanceOf(AddressRefused);
    expect(await answering('8.8.8.8', '10.0.0.1').allows('example.com')).toBe(false);
    expect(await answering('8.8.8.8').allows('example.com')).toBe(true);
  });

  it('recognises a private address in every notation', async () => {
    const guard = answering('8.8.8.8');
    for (const host of [
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '127.1',
      '[::ffff:7f00:1]',
      '[::1]',
    ]) {
      expect(await guard.allows(new URL(`https://${host}/`).hostname)).toBe(false);
    }
  });

  it('accepts a name without a DNS response after 2 s only if it is checked again later', async () => {
    jest.useFakeTimers();
    try {
      const guard = new AddressGuard(false, () => undefined);
      const answers = [guard.allows('slow.example'), guard.allows('slow.example', false)];
      await jest.advanceTimersByTimeAsync(2_000);
      expect(await Promise.all(answers)).toEqual([true, false]);
    } finally {
      jest.useRealTimers();
    }
  });
});
