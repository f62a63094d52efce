import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** IPv4 space that is not the public internet (IANA special-purpose registry, RFC 6890 and successors). */
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

/** Only global unicast (2000::/3) is public; of it, what embeds or documents other addresses is not. */
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
 * Whether an address is on the public internet. Mapped and translated forms (`::ffff:…`, NAT64
 * `64:ff9b::`, 6to4, Teredo) are not: they lead wherever the address inside them does.
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

/** This machine by definition, whether it can be resolved or not (RFC 6761). */
const LOCAL_NAME = /(?:^|\.)localhost$/i;
/** A name server that is slow must not hold up a registration. */
const RESOLVE_TIMEOUT_MS = 2_000;

/** The address may not be connected to (D-68). */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'url_not_allowed';

  constructor() {
    super('the address is not allowed');
  }
}

/** Without the brackets of an IPv6 address in a URL, and the dot that ends a full name. */
const hostOf = (hostname: string): string => hostname.replace(/^\[|\]$|\.$/g, '');

type Resolve = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Keeps deliveries off private networks (D-68). The check happens where a connection is made: the
 * socket goes to the very addresses that were checked, so a name that answers differently a moment
 * later (rebinding) gains nothing. A name with one forbidden address is refused altogether.
 */
export class AddressGuard {
  constructor(
    private readonly allowInsecure: boolean,
    private readonly resolver: Resolve = resolve,
  ) {}

  /** Whether a literal address may be connected to; other names are looked at when they are resolved. */
  allowsLiteral(hostname: string): boolean {
    if (this.allowInsecure) return true;
    const host = hostOf(hostname);
    return isIP(host) === 0 ? !LOCAL_NAME.test(host) : isPublicAddress(host);
  }

  /** For `net.connect`: resolves, refuses, and hands out what was checked. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.resolver(hostname, { ...options, all: true }, (error, addresses) => {
      const refusal = error ?? this.refusal(addresses);
      const [first] = addresses ?? [];
      if (refusal !== null || first === undefined) {
        callback(refusal ?? new AddressRefused(), []);
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };

  private refusal(addresses: readonly LookupAddress[]): Error | null {
    if (this.allowInsecure || addresses.every(({ address }) => isPublicAddress(address))) {
      return null;
    }
    return new AddressRefused();
  }

  /**
   * Resolves whether a name leads only where it may. One that cannot be resolved now is allowed where
   * it is resolved and checked again when it is connected to, and refused where it is not.
   */
  async allows(hostname: string, whereUnresolved = true): Promise<boolean> {
    if (this.allowInsecure) return true;
    if (!this.allowsLiteral(hostname)) return false;
    return new Promise((settle) => {
      setTimeout(settle, RESOLVE_TIMEOUT_MS, whereUnresolved).unref();
      this.lookup(hostOf(hostname), { all: true }, (error) => {
        if (error === null) settle(true);
        else settle(!(error instanceof AddressRefused) && whereUnresolved);
      });
    });
  }
}
