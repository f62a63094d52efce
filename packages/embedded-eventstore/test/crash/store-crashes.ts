import {
  EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  type PersistentSubscriptionToStream,
  PersistentSubscriptionExistsError,
  persistentSubscriptionToStreamSettingsFromDefaults as settings,
  START,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '../../src/faults/seeded-random';
import { storeCommand, StoreServer } from '../support/store-server';
import { until } from '../support/until';

const WRITERS = 8;
const GROUPS = 3;
/** The longest time in ms between the start of the server and its kill. */
const LIFE_MS_MAX = 600;
/**
 * The time in ms after which a call without a response is given up. Its outcome is then unknown.
 */
const CALL_TIMEOUT_MS = 1_000;

/**
 * The faults that can happen in a cycle in addition to the kill. Surplus answers are left out,
 * because they end the process of the unmodified official client.
 */
const FAULTS = [
  'timeout-after-commit=2%',
  'append-unanswered=1%',
  'drop-connection=0.3%',
  'not-leader=0.5%',
  'leader-change=0.3%',
  'not-ready=150ms',
  'connect-unanswered=20%',
  'create-unanswered=20%',
  'answer-lost=20%',
  'drop-group=1%',
  'duplicate-delivery=2%',
  'projection-fault=0.2%',
  'silence=100ms',
];
/** The number of faults in one cycle. */
const FAULTS_MAX = 4;
const STREAMS_PER_WRITER = 4;

interface CrashOptions {
  readonly cycles: number;
  /** The seed of kills and faults, which is printed with the result. */
  readonly seed: number;
}

/** What a writer knows about one of its streams. */
interface Account {
  readonly stream: string;
  /** The acknowledged ids by revision. */
  readonly acknowledged: string[];
  /** The append whose outcome is unknown. It is repeated with the same ids. */
  pending: readonly string[] | undefined;
}

/** Defines the suite: kills the store again and again under load, with random faults in between. */
export const describeStoreCrashes = ({ cycles, seed }: CrashOptions): void => {
  describe('kill -9 of the event store under load, with random faults', () => {
    defineCrashes({ cycles, seed });
  });
};

const defineCrashes = ({ cycles, seed }: CrashOptions): void => {
  const random = createRandom(seed);
  let server: StoreServer;
  let client: EventStoreDBClient;
  let stopped = false;
  const accounts: Account[] = [];
  /** The ids of the events that each group has delivered. */
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

  const limitTime = <T>(work: Promise<T>): Promise<T> =>
    Promise.race([
      work,
      delay(CALL_TIMEOUT_MS, undefined, { ref: false }).then(() => {
        throw new Error('no answer');
      }),
    ]);

  /**
   * Appends one to three events at the known revision, and repeats the append until its outcome is
   * known.
   */
  const write = async (account: Account): Promise<void> => {
    account.pending ??= Array.from({ length: 1 + Math.floor(Math.random() * 3) }, () =>
      crypto.randomUUID(),
    );
    const count = account.acknowledged.length;
    const events = account.pending.map((id) =>
      jsonEvent({ id, type: 'written', data: { filler: 'x'.repeat(200) } }),
    );
    const expectedRevision = count === 0 ? NO_STREAM : BigInt(count - 1);
    const { nextExpectedRevision } = await limitTime(
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

  /**
   * Reads a group on the category, acknowledges its events, and connects again after each crash.
   */
  const runConsumer = async (index: number): Promise<void> => {
    const group = `group-${index}`;
    const often = { checkPointLowerBound: 1, checkPointUpperBound: 20, checkPointAfter: 100 };
    const all = settings({ startFrom: START, resolveLinkTos: true, ...often });
    while (!stopped) {
      try {
        await limitTime(client.createPersistentSubscriptionToStream('$ce-load', group, all)).catch(
          (error: unknown) => {
            if (!(error instanceof PersistentSubscriptionExistsError)) throw error;
          },
        );
        const subscription = client.subscribeToPersistentSubscriptionToStream('$ce-load', group);
        await waitForConfirmation(subscription);
        for await (const event of subscription) {
          if (event.event) delivered[index]?.add(event.event.id);
          await subscription.ack(event);
        }
      } catch {
        await delay(10);
      }
    }
  };

  /** A connect without a confirmation in time is cancelled and repeated. */
  const waitForConfirmation = async (
    subscription: PersistentSubscriptionToStream,
  ): Promise<void> => {
    const confirmation = new Promise<void>((resolve, reject) => {
      subscription.once('confirmation', () => {
        resolve();
      });
      subscription.once('error', reject);
    });
    try {
      await limitTime(confirmation);
    } catch (error) {
      subscription.on('error', () => undefined);
      void subscription.unsubscribe();
      throw error;
    }
  };

  /** Returns the arguments that enable some faults until the next kill. */
  const chooseFaults = (): readonly string[] => {
    const chosen = FAULTS.toSorted(() => random() - 0.5).slice(0, random() * (FAULTS_MAX + 1));
    const faultSeed = String(Math.floor(random() * 2 ** 32));
    return ['--fault-seed', faultSeed, ...chosen.flatMap((fault) => ['--fault', fault])];
  };

  /** A projection that has failed stays so until somebody enables it. */
  const enableLinks = (): Promise<void> => limitTime(client.enableProjection('$by_category'));

  it(
    `keeps what it acknowledged, once and without gaps, over ${cycles} crashes`,
    async () => {
      const work = [
        ...Array.from({ length: WRITERS }, (_, i) => writer(i)),
        ...Array.from({ length: GROUPS }, (_, i) => runConsumer(i)),
      ];
      const broken = Promise.all(work);
      const crashes = (async () => {
        for (let cycle = 0; cycle < cycles; cycle += 1) {
          await delay(random() * LIFE_MS_MAX);
          await server.signal('SIGKILL');
          await server.run(cycle === cycles - 1 ? [] : chooseFaults());
          // A client that lost its connection waits a second before it tries to connect again.
          void client.dispose();
          client = connect();
        }
      })();
      await Promise.race([crashes, broken]);

      stopped = true;
      await limitTime(Promise.all(work.slice(0, WRITERS)));
      for (const account of accounts) if (account.pending) await write(account);
      await enableLinks();

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
      const readers = Array.from({ length: GROUPS }, (_, i) => runConsumer(i));
      const all = accounts.flatMap(({ acknowledged }) => acknowledged);
      await until('every group to have had every event', () =>
        delivered.every((ids) => all.every((id) => ids.has(id))),
      );
      stopped = true;
      await server.stop();
      await Promise.all(readers);

      const { code, output } = await storeCommand('verify', '--dir', server.dir);
      expect({ code, output }).toMatchObject({ code: 0 });
      console.log(
        `${cycles} crashes with seed ${seed}, ${all.length} events acknowledged, none lost; ${output}`,
      );
    },
    60_000 + cycles * 4_000,
  );
};
