import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/**
 * IPv4 networks that are not part of the public internet (IANA special-purpose registry, RFC 6890
 * and its successors).
 */
const PRIVATE_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/**
 * Only global unicast (2000::/3) is public. Parts of it that embed other addresses or are for
 * documentation are not public.
 */
const PUBLIC_V6 = ['2000::', 3] as const;
const PRIVATE_V6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const privateV4 = new BlockList();
for (const [network, prefix] of PRIVATE_V4) privateV4.addSubnet(network, prefix, 'ipv4');
const publicV6 = new BlockList();
publicV6.addSubnet(...PUBLIC_V6, 'ipv6');
const privateV6 = new BlockList();
for (const [network, prefix] of PRIVATE_V6) privateV6.addSubnet(network, prefix, 'ipv6');

/**
 * True if an address is on the public internet. Mapped and translated forms (`::ffff:…`, NAT64
 * `64:ff9b::`, 6to4, Teredo) are not, because they lead to the address inside them.
 */
export const isPublicAddress = (address: string): boolean => {
  const bare = address.replace(/%.*$/, '');
  switch (isIP(bare)) {
    case 4:
      return !privateV4.check(bare, 'ipv4');
    case 6:
      return publicV6.check(bare, 'ipv6') && !privateV6.check(bare, 'ipv6');
    default:
      return false;
  }
};

/** Names that mean this machine by definition (RFC 6761). */
const LOCAL_NAME = /(?:^|\.)localhost$/i;
/** Time limit of a resolution, so that a slow name server does not delay a registration. */
const RESOLVE_TIMEOUT_MS = 2_000;

/** Thrown when deliveries to an address are forbidden (D-68). */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'url_not_allowed';

  constructor() {
    super('the address is not allowed');
  }
}

/** Removes the brackets of an IPv6 address in a URL and the dot that ends a full name. */
const stripHost = (hostname: string): string => hostname.replace(/^\[|\]$|\.$/g, '');

type Resolve = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Keeps deliveries off private networks (D-68). The check happens where a connection is made, and
 * the socket connects to the checked addresses. A name that resolves differently a moment later
 * (DNS rebinding) therefore gains nothing. A name with one forbidden address is refused altogether.
 */
export class AddressGuard {
  constructor(
    private readonly allowInsecure: boolean,
    private readonly resolver: Resolve = lookup,
  ) {}

  /**
   * True if a literal address may be connected to. Other names are checked when they are resolved.
   */
  allowsLiteral(hostname: string): boolean {
    if (this.allowInsecure) return true;
    const host = stripHost(hostname);
    return isIP(host) === 0 ? !LOCAL_NAME.test(host) : isPublicAddress(host);
  }

  /**
   * Lookup function for `net.connect`: resolves a name, checks all its addresses and returns them.
   */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.resolver(hostname, { ...options, all: true }, (error, addresses) => {
      const refusal = error ?? this.findRefusal(addresses);
      const [first] = addresses ?? [];
      if (refusal !== null || first === undefined) {
        callback(refusal ?? new AddressRefused(), []);
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };

  private findRefusal(addresses: readonly LookupAddress[]): Error | null {
    if (this.allowInsecure || addresses.every(({ address }) => isPublicAddress(address))) {
      return null;
    }
    return new AddressRefused();
  }

  /**
   * Resolves to true if all addresses of a name are allowed. `ifUnresolved` is the result if the
   * name cannot be resolved now; allowing it is safe if the name is checked again when it is
   * connected to.
   */
  async allows(hostname: string, ifUnresolved = true): Promise<boolean> {
    if (this.allowInsecure) return true;
    if (!this.allowsLiteral(hostname)) return false;
    return new Promise((resolve) => {
      setTimeout(resolve, RESOLVE_TIMEOUT_MS, ifUnresolved).unref();
      this.lookup(stripHost(hostname), { all: true }, (error) => {
        if (error === null) resolve(true);
        else resolve(!(error instanceof AddressRefused) && ifUnresolved);
      });
    });
  }
}
