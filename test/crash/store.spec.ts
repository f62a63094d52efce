import {
  EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  PersistentSubscriptionExistsError,
  persistentSubscriptionToStreamSettingsFromDefaults as settings,
  START,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { setTimeout as delay } from 'node:timers/promises';
import { storeCommand, StoreServer } from '../support/store-server';
import { until } from '../support/until';

/** `STORE_CRASH_CYCLES=1000` for the long run. */
const CYCLES = Number(process.env['STORE_CRASH_CYCLES'] ?? 15);
const WRITERS = 8;
const GROUPS = 3;
/** A kill comes this long after the server is ready, at random. */
const LIFE_MS_MAX = 600;
/** Nothing answers for longer than this: the call broke with the server. */
const CALL_TIMEOUT_MS = 3_000;
const STREAMS_PER_WRITER = 4;

/** What a writer knows of one of its streams. */
interface Account {
  readonly stream: string;
  /** Ids that were acknowledged, by revision. */
  readonly acknowledged: string[];
  /** The append whose outcome is not known: it is repeated, with the same ids. */
  pending: readonly string[] | undefined;
}

describe('kill -9 of the event store under load', () => {
  let server: StoreServer;
  let client: EventStoreDBClient;
  let stopped = false;
  const accounts: Account[] = [];
  /** Per group: which events it has handed out, by id. */
  const delivered = Array.from({ length: GROUPS }, () => new Set<string>());

  beforeAll(async () => {
    server = await StoreServer.start();
    client = connect();
  });

  afterAll(async () => {
    stopped = true;
    await client.dispose();
    await server.dispose();
  });

  const connect = () =>
    EventStoreDBClient.connectionString(`${server.connectionString}&defaultDeadline=2000`);

  const bounded = <T>(work: Promise<T>): Promise<T> =>
    Promise.race([
      work,
      delay(CALL_TIMEOUT_MS, undefined, { ref: false }).then(() => {
        throw new Error('no answer');
      }),
    ]);

  /** Appends one to three events at the known revision, and again until the outcome is known. */
  const write = async (account: Account): Promise<void> => {
    account.pending ??= Array.from({ length: 1 + Math.floor(Math.random() * 3) }, () =>
      crypto.randomUUID(),
    );
    const count = account.acknowledged.length;
    const events = account.pending.map((id) =>
      jsonEvent({ id, type: 'written', data: { filler: 'x'.repeat(200) } }),
    );
    const expectedRevision = count === 0 ? NO_STREAM : BigInt(count - 1);
    const { nextExpectedRevision } = await bounded(
      client.appendToStream(account.stream, events, { expectedRevision }),
    );
    account.acknowledged.push(...account.pending);
    account.pending = undefined;
    expect(Number(nextExpectedRevision)).toBe(account.acknowledged.length - 1);
  };

  const writer = async (number: number): Promise<void> => {
    const mine = Array.from({ length: STREAMS_PER_WRITER }, (_, i) => ({
      stream: `load-${number}_${i}`,
      acknowledged: [],
      pending: undefined,
    }));
    accounts.push(...mine);
    while (!stopped) {
      const account = mine[Math.floor(Math.random() * mine.length)]!;
      try {
        await write(account);
      } catch (error) {
        if (error instanceof WrongExpectedVersionError) throw error;
        await delay(10);
      }
    }
  };

  /** A group on the category: acks what it gets, and comes back after each crash. */
  const consumer = async (index: number): Promise<void> => {
    const group = `group-${index}`;
    const often = { checkPointLowerBound: 1, checkPointUpperBound: 20, checkPointAfter: 100 };
    const all = settings({ startFrom: START, resolveLinkTos: true, ...often });
    while (!stopped) {
      try {
        await bounded(client.createPersistentSubscriptionToStream('$ce-load', group, all)).catch(
          (error: unknown) => {
            if (!(error instanceof PersistentSubscriptionExistsError)) throw error;
          },
        );
        const subscription = client.subscribeToPersistentSubscriptionToStream('$ce-load', group);
        for await (const event of subscription) {
          if (event.event) delivered[index]?.add(event.event.id);
          await subscription.ack(event);
        }
      } catch {
        await delay(10);
      }
    }
  };

  it(
    `keeps what it acknowledged, once and without gaps, over ${CYCLES} crashes`,
    async () => {
      const work = [
        ...Array.from({ length: WRITERS }, (_, i) => writer(i)),
        ...Array.from({ length: GROUPS }, (_, i) => consumer(i)),
      ];
      const broken = Promise.all(work);
      const crashes = (async () => {
        for (let cycle = 0; cycle < CYCLES; cycle += 1) {
          await delay(Math.random() * LIFE_MS_MAX);
          await server.signal('SIGKILL');
          await server.run();
          // A client that lost its connection waits a second before it looks for the server again.
          void client.dispose();
          client = connect();
        }
      })();
      await Promise.race([crashes, broken]);

      stopped = true;
      await bounded(Promise.all(work.slice(0, WRITERS)));
      for (const account of accounts) if (account.pending) await write(account);

      for (const { stream, acknowledged } of accounts) {
        if (acknowledged.length === 0) continue;
        const stored: string[] = [];
        for await (const { event } of client.readStream(stream)) {
          expect(event?.revision).toBe(BigInt(stored.length));
          stored.push(event?.id ?? '');
        }
        expect(stored).toEqual(acknowledged);
      }

      stopped = false;
      const readers = Array.from({ length: GROUPS }, (_, i) => consumer(i));
      const all = accounts.flatMap(({ acknowledged }) => acknowledged);
      await until('every group to have had every event', () =>
        delivered.every((ids) => all.every((id) => ids.has(id))),
      );
      stopped = true;
      await server.stop();
      await Promise.all(readers);

      const { code, output } = await storeCommand('verify', '--dir', server.dir);
      expect({ code, output }).toMatchObject({ code: 0 });
      console.log(`${CYCLES} crashes, ${all.length} events acknowledged, none lost; ${output}`);
    },
    60_000 + CYCLES * 4_000,
  );
});
