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

/**
 * Returns the /64 network of an IPv6 address, because one client usually controls a whole /64. An
 * address may be written in several ways, so its groups are compared as numbers.
 */
export const toNetwork = (address: string): string => {
  if (!isIPv6(address)) return address;
  const groups = parseGroups(address);
  if (isMappedIPv4(groups)) return groups.slice(6).flatMap(toBytes).join('.');
  return `${groups.slice(0, 4).map(formatGroup).join(':')}::/64`;
};

/** Returns the eight groups of an IPv6 address (RFC 4291 section 2.2). */
const parseGroups = (address: string): number[] => {
  const hex = address.replace(/%.*$/, '').replace(/\d+\.\d+\.\d+\.\d+$/, (ipv4) => {
    const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
    return `${formatGroup(a * 256 + b)}:${formatGroup(c * 256 + d)}`;
  });
  const [before = [], after] = hex
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''))
    .map((half) => half.map((group) => Number.parseInt(group, 16)));
  if (after === undefined) return before;
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
};

/** True for an IPv4 address in the form of IPv6, `::ffff:0:0/96` (RFC 4291 section 2.5.5.2). */
const isMappedIPv4 = ([a, b, c, d, e, f]: readonly number[]): boolean =>
  [a, b, c, d, e].every((group) => group === 0) && f === 0xffff;

const toBytes = (group: number): number[] => [group >> 8, group & 0xff];
const formatGroup = (group: number): string => group.toString(16);

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
