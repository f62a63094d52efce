import {
  type AllStreamResolvedEvent,
  EventStoreDBClient,
  jsonEvent,
  type PersistentSubscriptionToStream,
  type PersistentSubscriptionToAll,
  type ResolvedEvent,
} from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import { connectToThread } from '../../src/start';
import { StoreServer } from './store-server';
import { ThreadStore } from './thread-store';

/**
 * The connection string of a real server against which the contract runs, instead of the embedded
 * one.
 */
const REAL_SERVER = process.env['TEST_EVENTSTORE_URL'];
/** `thread` runs the contract against the embedded server in a thread, without a socket. */
const IN_THREAD = process.env['TEST_EVENTSTORE_TRANSPORT'] === 'thread';

const connect = (connectionString: string): EventStoreDBClient => {
  const client = EventStoreDBClient.connectionString(connectionString);
  connectToThread(client, connectionString);
  return client;
};

/**
 * Defines a case that only the embedded server can run. The name of a skipped case has the reason.
 */
export const embeddedOnly =
  (reason: string) =>
  (name: string, run: () => Promise<void>): void => {
    if (REAL_SERVER === undefined) it(name, run);
    else it.skip(`${name} [embedded only: ${reason}]`, run);
  };

/** The store under test, and a client that knows only its connection string. */
export class ContractStore {
  private constructor(
    private readonly server: StoreServer | ThreadStore | undefined,
    public client: EventStoreDBClient,
  ) {}

  /**
   * Starts the store. `projections` says whether it writes category links; a real server is asked
   * to.
   */
  static async start({ projections = false } = {}): Promise<ContractStore> {
    if (REAL_SERVER === undefined) {
      const server = await (IN_THREAD ? ThreadStore : StoreServer).start({ projections });
      return new ContractStore(server, connect(server.connectionString));
    }
    const client = EventStoreDBClient.connectionString(REAL_SERVER);
    if (projections) await client.enableProjection('$by_category');
    return new ContractStore(undefined, client);
  }

  get connectionString(): string {
    return this.server?.connectionString ?? REAL_SERVER ?? '';
  }

  /** Restarts the store. Only the embedded one can restart. */
  async restart(): Promise<void> {
    await this.client.dispose();
    await this.server?.restart();
    this.client = connect(this.connectionString);
  }

  async close(): Promise<void> {
    await this.client.dispose();
    await this.server?.dispose();
  }
}

/** Returns a name that no earlier run used. */
export const createUniqueName = (prefix: string): string =>
  `${prefix}${randomUUID().replaceAll('-', '')}`;

export const createNumbered = (n: number) => jsonEvent({ type: 'numbered', data: { n } });

export const createNumberedUpTo = (count: number) =>
  Array.from({ length: count }, (_, n) => createNumbered(n));

type Resolved = ResolvedEvent | AllStreamResolvedEvent;

export const readNumber = ({ event }: Resolved): number | undefined =>
  (event?.data as { n?: number } | undefined)?.n;

/** Returns everything that a read yields. */
export const readAll = async <T>(read: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const each of read) all.push(each);
  return all;
};

export const numbersIn = async (read: AsyncIterable<Resolved>): Promise<(number | undefined)[]> =>
  (await readAll(read)).map(readNumber);

interface Ending {
  unsubscribe(): Promise<void>;
}

/** Returns the next `count` items of a subscription and ends it. */
export const receive = async <T>(
  subscription: AsyncIterable<T> & Ending,
  count: number,
): Promise<T[]> => {
  const seen: T[] = [];
  for await (const each of subscription) {
    seen.push(each);
    if (seen.length === count) break;
  }
  await subscription.unsubscribe();
  return seen;
};

type Group = PersistentSubscriptionToStream | PersistentSubscriptionToAll;
type Delivered = { readonly retryCount: number } & Resolved;

/** Receives `count` deliveries of a group, answers each as given, and ends the connection. */
export const consume = async (
  group: Group,
  count: number,
  answer: (delivered: Delivered, index: number) => Promise<void> | void = (event) =>
    group.ack(event),
): Promise<Delivered[]> => {
  const seen: Delivered[] = [];
  for await (const event of group as AsyncIterable<Delivered>) {
    await answer(event, seen.length);
    seen.push(event);
    if (seen.length === count) break;
  }
  // The end of the loop does not end the call.
  await group.unsubscribe();
  return seen;
};

/** Resolves with the next error of a subscription that is being read. */
export const waitForError = (subscription: Group | AsyncIterable<unknown>): Promise<unknown> =>
  readAll(subscription as AsyncIterable<unknown>).then(
    () => new Error('it ended without an error'),
    (error: unknown) => error,
  );
