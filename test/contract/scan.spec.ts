import { jsonEvent } from '@eventstore/db-client';
import { EventStoreConnection } from '../../src/event-store/connection';
import { deliverableStream, streams } from '../../src/event-store/streams';
import {
  findRevision,
  type ScanFilter,
  type ScannedEvent,
  scanPages,
} from '../../src/replay/running/scan';
import {
  ContractStore,
  createUniqueName,
} from '../../packages/embedded-eventstore/test/support/store-contract';
import { until } from '../support/until';

const SUBSCRIBERS = 300;
const ROUNDS = 3;
const TYPES = ['ticket.submitted', 'ticket.closed'];

/**
 * A replay's scan reads a category by the cheapest of several ways. All of them give the same
 * events.
 */
describe('the scan of a category', () => {
  const scope = {
    tenantId: createUniqueName('tnt_').replaceAll(/[-.]/g, ''),
    environment: 'test',
  } as const;
  const category = deliverableStream(scope);
  const getStreamName = (n: number): string => streams.subscriber(scope, `subscriber_${n}`).name;
  let store: ContractStore;
  let connection: EventStoreConnection;
  let everything: ScannedEvent[];

  const scan = async (
    filter: ScanFilter,
    { from = 0, alone = true } = {},
  ): Promise<ScannedEvent[]> => {
    const found: ScannedEvent[] = [];
    let next = from;
    const options = { from, filter, hasNoLiveDeliveries: () => alone };
    for await (const page of scanPages(connection, category, options)) {
      expect(page.next).toBeGreaterThan(next);
      next = page.next;
      expect(page.lastPosition).toBe(everything?.[next - 1]?.position ?? page.lastPosition);
      found.push(...page.events);
    }
    return found;
  };

  beforeAll(async () => {
    store = await ContractStore.start({ projections: true });
    connection = new EventStoreConnection(store.connectionString);
    const metadata = { schema: 'v1', at: '2026-03-10T12:00:00.000Z', command: 'c' };
    for (let round = 0; round < ROUNDS; round += 1) {
      const type = TYPES[round % TYPES.length] ?? '';
      await Promise.all(
        Array.from({ length: SUBSCRIBERS }, (_, n) =>
          connection.client.appendToStream(
            getStreamName(n),
            jsonEvent({ type, data: { round }, metadata }),
          ),
        ),
      );
    }
    everything = await until('the links', async () => {
      const all = await scan({ matchesStream: null, matchesType: null });
      return all.length === SUBSCRIBERS * ROUNDS ? all : null;
    });
  });

  afterAll(async () => {
    await connection.close();
    await store.close();
  });

  const expectSame = (found: ScannedEvent[], wanted: (event: ScannedEvent) => boolean): void => {
    const rows = (events: ScannedEvent[]) =>
      events.map(({ id, linkRevision }) => [linkRevision, id]);
    expect(rows(found)).toEqual(rows(everything.filter(wanted)));
  };

  it.each<[string, readonly number[]]>([
    ['one of three hundred', [7]],
    ['none', []],
    ['two', [0, SUBSCRIBERS - 1]],
    ['half of them', Array.from({ length: SUBSCRIBERS / 2 }, (_, i) => 2 * i)],
  ])('finds the events of %s', async (_, subscribers) => {
    const names = new Set(subscribers.map(getStreamName));
    const matchesStream = (name: string): boolean => names.has(name);
    for (const alone of [true, false]) {
      const found = await scan({ matchesStream, matchesType: null }, { alone });
      expectSame(found, ({ stream }) => names.has(stream));
    }
  });

  it('finds the events of a type, of a subscriber or of all subscribers', async () => {
    const matchesType = (type: string): boolean => type === TYPES[1];
    expectSame(await scan({ matchesStream: null, matchesType }), ({ type }) => matchesType(type));
    const matchesStream = (name: string): boolean => name === getStreamName(11);
    expectSame(
      await scan({ matchesStream, matchesType }),
      (e) => matchesType(e.type) && matchesStream(e.stream),
    );
  });

  it('begins shortly before the requested position', async () => {
    for (const share of [0, 0.3, 0.62, 0.999]) {
      const at = Math.floor(share * everything.length);
      const found = await findRevision(connection, category, everything[at]?.position ?? 0n);
      expect(found).toBeLessThanOrEqual(at);
      expect(found).toBeGreaterThan(at - 100);
      const rest = await scan({ matchesStream: null, matchesType: null }, { from: found });
      expect(rest.at(-1)?.id).toBe(everything.at(-1)?.id);
    }
  });

  it('finds nothing if the category does not exist', async () => {
    const none = '$ce-nobody.test';
    expect(await findRevision(connection, none, 5n)).toBe(0);
    const options = {
      from: 0,
      filter: { matchesStream: null, matchesType: null },
      hasNoLiveDeliveries: () => true,
    };
    for await (const page of scanPages(connection, none, options)) expect(page).toBeUndefined();
  });
});
