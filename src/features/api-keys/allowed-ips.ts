import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { DomainError } from '../../kernel/errors';

/**
 * Maximum number of addresses and CIDR ranges, IPv4 and IPv6, from which a key may be used (D-90).
 */
export const ALLOWED_IPS_MAX = 100;

interface Range {
  readonly family: 'ipv4' | 'ipv6';
  readonly address: string;
  /** The length of the prefix in bits; null for a single address. */
  readonly prefix: number | null;
}

const IPV4_MAPPED_PREFIX = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

/** The form of an address or a range. Not every text of this form is one (`parseRange`). */
export const ADDRESS_OR_RANGE =
  /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}(\/(3[0-2]|[12]?\d))?|[0-9a-fA-F]{0,4}(:[0-9a-fA-F]{0,4}){2,7}(\/(12[0-8]|1[01]\d|[1-9]?\d))?)$/;

const parseRange = (text: string): Range | null => {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : null;
  // An address with a zone such as `fe80::1%eth0` is refused, because a zone is valid on one
  // machine only. An IPv6 address that ends with an IPv4 address, such as `::ffff:10.0.0.1`, is
  // refused, so that an IPv4 address has one form only.
  const isUnclear = address.includes('%') || (family === 'ipv6' && address.includes('.'));
  if (family === null || rest.length > 0 || isUnclear) return null;
  if (bits === undefined) return { family, address, prefix: null };
  const prefix = /^\d{1,3}$/.test(bits) ? Number(bits) : Infinity;
  return prefix <= (family === 'ipv4' ? 32 : 128) ? { family, address, prefix } : null;
};

/**
 * Returns the list as it is stored; null if the key may be used from everywhere. Throws an error
 * that names the first invalid entry.
 */
export const readAllowedIps = (entries: readonly string[] | null | undefined): string[] | null => {
  if (entries == null) return null;
  entries.forEach((entry, i) => {
    if (parseRange(entry) !== null) return;
    const param = `allowed_ips[${i}]`;
    throw invalidError(param, `${param} must be an IPv4 or IPv6 address or a CIDR range.`);
  });
  return [...new Set(entries)];
};

const invalidError = (param: string, message: string): DomainError =>
  new DomainError('parameter_invalid', message, { param });

/** Block lists by list of entries. A list of entries is never modified, so it is compiled once. */
const compiled = new WeakMap<readonly string[], BlockList>();

const compile = (entries: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const { family, address, prefix } of entries
    .map(parseRange)
    .filter((each) => each !== null)) {
    if (prefix === null) list.addAddress(address, family);
    else list.addSubnet(address, prefix, family);
  }
  compiled.set(entries, list);
  return list;
};

/**
 * True if the list contains the address that a socket reports. A text that is no address is never
 * allowed.
 */
export const isAllowedIp = (entries: readonly string[], remote: string): boolean => {
  const address = remote.replace(IPV4_MAPPED_PREFIX, '').replace(/%.*$/, '');
  const list = compiled.get(entries) ?? compile(entries);
  if (isIPv4(address)) return list.check(address, 'ipv4');
  return isIPv6(address) && list.check(address, 'ipv6');
};
