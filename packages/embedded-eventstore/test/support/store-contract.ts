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

/** A connection string to run the contract against a real server instead of our own. */
const REAL_SERVER = process.env['TEST_EVENTSTORE_URL'];
/** `thread` to run the contract against our own server in a thread, without a socket between. */
const IN_THREAD = process.env['TEST_EVENTSTORE_TRANSPORT'] === 'thread';

const connect = (connectionString: string): EventStoreDBClient => {
  const client = EventStoreDBClient.connectionString(connectionString);
  connectToThread(client, connectionString);
  return client;
};

/** A case that only our own server can run; the reason stands in the name of the skipped case. */
export const embeddedOnly =
  (reason: string) =>
  (name: string, run: () => Promise<void>): void => {
    if (REAL_SERVER === undefined) it(name, run);
    else it.skip(`${name} [embedded only: ${reason}]`, run);
  };

/** The store under test, and a client that knows it by its connection string alone. */
export class ContractStore {
  private constructor(
    private readonly server: StoreServer | ThreadStore | undefined,
    public client: EventStoreDBClient,
  ) {}

  /** `projections` says whether category links are on; a real server is asked to turn them on. */
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

  /** Embedded only. */
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

/** Names that no earlier run used. */
export const unique = (prefix: string): string => `${prefix}${randomUUID().replaceAll('-', '')}`;

export const numbered = (n: number) => jsonEvent({ type: 'numbered', data: { n } });

export const numberedUpTo = (count: number) => Array.from({ length: count }, (_, n) => numbered(n));

type Resolved = ResolvedEvent | AllStreamResolvedEvent;

export const numberOf = ({ event }: Resolved): number | undefined =>
  (event?.data as { n?: number } | undefined)?.n;

/** Everything a read gives. */
export const collect = async <T>(read: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const each of read) all.push(each);
  return all;
};

export const numbersIn = async (read: AsyncIterable<Resolved>): Promise<(number | undefined)[]> =>
  (await collect(read)).map(numberOf);

interface Ending {
  unsubscribe(): Promise<void>;
}

/** The next `count` of a subscription, which then ends. */
export const next = async <T>(
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

/** Takes `count` deliveries of a group and answers each as told; ends the connection after them. */
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
  // Leaving the loop does not end the call.
  await group.unsubscribe();
  return seen;
};

/** The next error of a subscription that is being read. */
export const failure = (subscription: Group | AsyncIterable<unknown>): Promise<unknown> =>
  collect(subscription as AsyncIterable<unknown>).then(
    () => new Error('it ended without an error'),
    (error: unknown) => error,
  );
