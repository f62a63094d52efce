import { experimental } from '@grpc/grpc-js';

/**
 * The official client takes host and port only, and hands `host:port` to grpc-js as the target. In
 * `embedded:1`, grpc-js sees a target of the scheme `embedded`, for which this file says that number
 * 1 is a socket of the file system. Such addresses mean something in this process only.
 */
const SCHEME = 'embedded';

const paths = new Map<string, string>();

type Resolver = Parameters<typeof experimental.registerResolver>[1];
type Listener = ConstructorParameters<Resolver>[1];
type Target = ConstructorParameters<Resolver>[0];

class SocketResolver {
  #resolved = false;

  constructor(
    private readonly target: Target,
    private readonly listener: Listener,
  ) {}

  updateResolution(): void {
    if (this.#resolved) return;
    this.#resolved = true;
    const path = paths.get(this.target.path) ?? '';
    const endpoints = experimental.statusOrFromValue([{ addresses: [{ path }] }]);
    process.nextTick(() => this.listener(endpoints, {}, null, ''));
  }

  destroy(): void {
    this.#resolved = false;
  }

  static getDefaultAuthority(): string {
    return 'localhost';
  }
}

/** A connection string under which clients of this process reach a socket of the file system. */
export const createConnectionString = (socketPath: string): string => {
  if (paths.size === 0) experimental.registerResolver(SCHEME, SocketResolver);
  const number = String(paths.size + 1);
  paths.set(number, socketPath);
  return `esdb://${SCHEME}:${number}?tls=false`;
};
