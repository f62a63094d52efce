import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { DomainError } from '../../kernel/errors';

/** Where a key may be used from (D-90): addresses and CIDR ranges, IPv4 and IPv6. */

export const ALLOWED_IPS_MAX = 100;

interface Range {
  readonly family: 'ipv4' | 'ipv6';
  readonly address: string;
  /** Null for a single address. */
  readonly prefix: number | null;
}

const MAPPED = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

const parseRange = (text: string): Range | null => {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : null;
  // A zone names an interface of one machine, and an IPv4 address has one form only.
  if (family === null || rest.length > 0 || address.includes('%') || MAPPED.test(address)) {
    return null;
  }
  if (bits === undefined) return { family, address, prefix: null };
  const prefix = /^\d{1,3}$/.test(bits) ? Number(bits) : Infinity;
  return prefix <= (family === 'ipv4' ? 32 : 128) ? { family, address, prefix } : null;
};

/** The list as it is kept, null where a key works from everywhere; or a refusal that names the entry. */
export const readAllowedIps = (entries: readonly string[] | null | undefined): string[] | null => {
  if (entries == null) return null;
  if (entries.length === 0) throw invalid('allowed_ips', 'allowed_ips must not be empty.');
  entries.forEach((entry, i) => {
    if (parseRange(entry) !== null) return;
    const param = `allowed_ips[${i}]`;
    throw invalid(param, `${param} must be an IPv4 or IPv6 address or a CIDR range.`);
  });
  return [...new Set(entries)];
};

const invalid = (param: string, message: string): DomainError =>
  new DomainError('parameter_invalid', message, { param });

/** Made once for each list: a key keeps its list for life. */
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

/** Whether an address, as a socket tells it, is in the list. An address that is none never is. */
export const isAllowedIp = (entries: readonly string[], remote: string): boolean => {
  const address = remote.replace(MAPPED, '').replace(/%.*$/, '');
  const list = compiled.get(entries) ?? compile(entries);
  if (isIPv4(address)) return list.check(address, 'ipv4');
  return isIPv6(address) && list.check(address, 'ipv6');
};
