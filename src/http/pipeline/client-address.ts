import type { BlockList } from 'node:net';
import { isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * Returns the address of the client. If the connection comes from a trusted proxy, it is the
 * right-most address of `X-Forwarded-For` that is not a trusted proxy. The client itself may have
 * written anything to the left of it.
 */
export const findClientAddress = (
  { socket, headers }: Pick<FastifyRequest, 'socket' | 'headers'>,
  trusted: BlockList,
): string => {
  let address = unmapAddress(socket.remoteAddress ?? '');
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  while (isTrusted(address, trusted)) {
    const next = findAddress(forwarded.pop());
    if (next === null) return address;
    address = next;
  }
  return address;
};

/** Returns the /64 network of an IPv6 address, because one client usually controls a whole /64. */
export const toNetwork = (address: string): string => {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  return `${(plain.split('::', 1)[0] ?? '').split(':').slice(0, 4).join(':')}::/64`;
};

/**
 * True if the client's connection is encrypted, either to this process or to a trusted proxy that
 * reports it.
 */
export const isEncrypted = (
  { socket, headers }: Pick<FastifyRequest, 'socket' | 'headers'>,
  trusted: BlockList,
): boolean => {
  if ('encrypted' in socket && socket.encrypted === true) return true;
  const forwarded = [headers['x-forwarded-proto'] ?? []].flat().join(',').split(',').at(-1);
  return (
    isTrusted(unmapAddress(socket.remoteAddress ?? ''), trusted) && forwarded?.trim() === 'https'
  );
};

const isTrusted = (address: string, trusted: BlockList): boolean =>
  isIP(address) !== 0 && trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

/** The address of an entry, which may have a port; null if the entry has no address. */
const findAddress = (entry: string | undefined): string | null => {
  const text = entry?.trim() ?? '';
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? [];
  const plain = unmapAddress(bracketed ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1'));
  return isIP(plain) === 0 ? null : plain;
};

/** Converts an IPv4-mapped IPv6 address to plain IPv4, so that each IPv4 address has one form. */
const unmapAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');
