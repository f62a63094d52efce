import { lookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { buildConnector } from 'undici';

const EVENT_STORE_PORT = 2113;
const SQL_PORT = 5432;
const RESOLVE_TIMEOUT_MS = 2_000;

/** The TCP address of one of the service's own stores. */
export interface StoreAddress {
  readonly host: string;
  readonly port: number;
}

interface StoreUrls {
  readonly eventStoreUrl?: string | undefined;
  readonly databaseUrl?: string | undefined;
}

/**
 * Returns the TCP addresses in the connection strings. A connection string may name several hosts.
 * A store that is reached by a Unix socket has none.
 */
export const readStoreAddresses = ({ eventStoreUrl, databaseUrl }: StoreUrls): StoreAddress[] => [
  ...listEventStoreAddresses(eventStoreUrl ?? ''),
  ...listDatabaseAddresses(databaseUrl),
];

const listEventStoreAddresses = (url: string): StoreAddress[] => {
  const [, hosts = ''] = /^esdb(?:\+discover)?:\/\/(?:[^@/]*@)?([^/?]*)/.exec(url) ?? [];
  return hosts
    .split(',')
    .filter((each) => each !== '')
    .map((each) => {
      const [, host = each, port] = /^(.*?)(?::(\d+))?$/.exec(each) ?? [];
      return { host: normalizeHost(host), port: Number(port ?? EVENT_STORE_PORT) };
    });
};

/**
 * Reads the addresses as the PostgreSQL client does: `host` and `port` may be parameters, and
 * PGHOST and PGPORT are the defaults.
 */
const listDatabaseAddresses = (url: string | undefined): StoreAddress[] => {
  if (url === undefined) return [];
  const parsed = new URL(url.replace('@/', '@localhost/'));
  const { searchParams } = parsed;
  const { PGHOST, PGPORT } = process.env;
  const hosts = searchParams.get('host') ?? findFirstNonEmpty(parsed.hostname, PGHOST, 'localhost');
  const port = Number(
    searchParams.get('port') ?? findFirstNonEmpty(parsed.port, PGPORT, String(SQL_PORT)),
  );
  return decodeURIComponent(hosts)
    .split(',')
    .filter((host) => !host.startsWith('/'))
    .map((host) => ({ host: normalizeHost(host), port }));
};

/** Returns the first text that is given and not empty. */
const findFirstNonEmpty = (...texts: readonly (string | undefined)[]): string =>
  texts.find((text) => text !== undefined && text !== '') ?? '';

/**
 * Removes the brackets of an IPv6 address and the dot that ends a full name, and converts to lower
 * case.
 */
const normalizeHost = (host: string): string => host.replace(/^\[|\]$|\.$/g, '').toLowerCase();

/** Thrown when a connection would lead to a store of the service itself. */
export class StoreAddressRefused extends Error {
  override readonly name = 'StoreAddressRefused';
  readonly code = 'address_not_allowed';

  constructor() {
    super('the address is one of the service’s own stores');
  }
}

type Resolve = (host: string) => Promise<readonly string[]>;

const resolveAll: Resolve = (host) =>
  new Promise((resolve) => {
    setTimeout(resolve, RESOLVE_TIMEOUT_MS, []).unref();
    lookup(host, { all: true }, (error: Error | null, found: LookupAddress[] | undefined) => {
      resolve(error === null && found !== undefined ? found.map(({ address }) => address) : []);
    });
  });

/**
 * Keeps deliveries off the service's own event store and SQL database if these listen on TCP. No
 * setting disables it: a destination in a private network is the operator's choice, but the stores
 * are never valid destinations.
 */
export class StoreGuard {
  private readonly ports: ReadonlySet<number>;

  constructor(
    private readonly stores: readonly StoreAddress[],
    private readonly resolve: Resolve = resolveAll,
  ) {
    this.ports = new Set(stores.map(({ port }) => port));
  }

  /** True if a connection to this host and port would reach a store. Names are resolved. */
  async leadsToStore(hostname: string, port: number): Promise<boolean> {
    if (!this.ports.has(port)) return false;
    const host = normalizeHost(hostname);
    const stores = this.stores.filter((store) => store.port === port);
    if (stores.some((store) => store.host === host)) return true;
    const [given, ...stored] = await Promise.all(
      [host, ...stores.map((store) => store.host)].map((each) => this.resolveAddresses(each)),
    );
    const storeAddresses = stored.flat();
    // A store that listens on this machine may listen on all of its addresses.
    if (storeAddresses.some(isOnThisMachine) && given?.some(isOnThisMachine) === true) return true;
    return given?.some((address) => storeAddresses.includes(address)) ?? false;
  }

  /**
   * Wraps a connector so that connections to a store fail. The address that was reached is checked
   * again.
   */
  protect(connect: buildConnector.connector): buildConnector.connector {
    if (this.ports.size === 0) return connect;
    return (options, callback) => {
      const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80));
      if (!this.ports.has(port)) {
        connect(options, callback);
        return;
      }
      this.connectChecked(connect, { options, callback, port }).catch((error: unknown) => {
        callback(error instanceof Error ? error : new Error(String(error)), null);
      });
    };
  }

  private async connectChecked(
    connect: buildConnector.connector,
    { options, callback, port }: CheckedConnection,
  ): Promise<void> {
    if (await this.leadsToStore(options.hostname, port)) throw new StoreAddressRefused();
    connect(options, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      void this.leadsToStore(socket.remoteAddress ?? '', socket.remotePort ?? port).then(
        (refused) => {
          if (refused) refuse(socket, callback);
          else callback(null, socket);
        },
      );
    });
  }

  private async resolveAddresses(host: string): Promise<readonly string[]> {
    const addresses = isIP(host) === 0 ? await this.resolve(host) : [host];
    return addresses.map(unmapAddress);
  }
}

interface CheckedConnection {
  readonly options: buildConnector.Options;
  readonly callback: buildConnector.Callback;
  readonly port: number;
}

const refuse = (socket: Socket, callback: buildConnector.Callback): void => {
  socket.destroy();
  callback(new StoreAddressRefused(), null);
};

const IPV4_MAPPED_PREFIX = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;
const MAPPED_IN_HEX = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i;

/** Converts an IPv4 address in IPv6 notation to IPv4 notation. */
const unmapAddress = (address: string): string => {
  const plain = address.replace(/%.*$/, '').toLowerCase().replace(IPV4_MAPPED_PREFIX, '');
  const [, high, low] = MAPPED_IN_HEX.exec(plain) ?? [];
  if (high === undefined || low === undefined) return plain;
  const [a, b] = [parseInt(high, 16), parseInt(low, 16)];
  return `${a >> 8}.${a & 255}.${b >> 8}.${b & 255}`;
};

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('0.0.0.0', 'ipv4');
loopback.addAddress('::', 'ipv6');
loopback.addAddress('::1', 'ipv6');

const isOnThisMachine = (address: string): boolean => {
  const version = isIP(address);
  if (version === 0) return false;
  if (loopback.check(address, version === 4 ? 'ipv4' : 'ipv6')) return true;
  return Object.values(networkInterfaces()).some((each) =>
    each?.some((own) => own.address === address),
  );
};
