import { type ChannelInterface, experimental } from '@grpc/grpc-js';
import { ThreadChannel, type ThreadConnection } from './client/thread-channel';

/**
 * The official client accepts only a host and a port, and passes `host:port` to grpc-js as the
 * target. grpc-js reads the target `embedded:1` as an address of the scheme `embedded`. This file
 * defines that scheme: the number stands for a Unix socket. Such an address is valid in this
 * process only.
 */
const SCHEME = 'embedded';

const paths = new Map<string, string>();
const threads = new Map<string, ThreadConnection>();

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

/**
 * Returns a connection string with which clients of this process reach a Unix socket. If `thread`
 * is given, clients that were passed to `connectToThread` reach the store without the socket.
 */
export const createConnectionString = (socketPath: string, thread?: ThreadConnection): string => {
  if (paths.size === 0) experimental.registerResolver(SCHEME, SocketResolver);
  const number = String(paths.size + 1);
  paths.set(number, socketPath);
  if (thread) threads.set(number, thread);
  return `esdb://${SCHEME}:${number}?tls=false`;
};

/** The function by which the official client opens a channel. */
interface ChannelOpener {
  createChannel: () => Promise<ChannelInterface>;
}

/**
 * Makes a client of the official package call a store in a thread of this process over a message
 * port. A client of another store does not change.
 */
export const connectToThread = (client: object, connectionString: string): void => {
  const number = /^esdb:\/\/embedded:(\d+)/.exec(connectionString)?.[1];
  const thread = threads.get(number ?? '');
  if (!thread) return;
  const createChannel = (): Promise<ChannelInterface> =>
    Promise.resolve(new ThreadChannel(thread, `thread:${SCHEME}:${number}`));
  Object.assign(client, { createChannel } satisfies ChannelOpener);
};
