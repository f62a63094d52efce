import { jsonEvent } from '@eventstore/db-client';
import { EventStoreConnection } from '../../src/event-store/connection';
import { deliverableStream, streams } from '../../src/event-store/streams';
import { scanUntilFound } from '../../src/replay/running/late-links';
import { StoreServer } from '../../packages/embedded-eventstore/test/support/store-server';
import { until } from '../support/until';

const PROJECTION = '$by_category';
/** The factor by which the clock runs faster, so that the time limit of the scan is shorter. */
const SPEED_FACTOR = 200;
const scope = { tenantId: 'tnt_0', environment: 'test' } as const;
const category = deliverableStream(scope);
const getStreamName = (n: number): string => streams.subscriber(scope, `subscriber_${n}`).name;

/** This suite uses its own server, because links cannot be delayed on a shared one. */
describe('the scan of a replay whose events are linked late', () => {
  let store: StoreServer;
  let connection: EventStoreConnection;

  beforeAll(async () => {
    const nowMs = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => SPEED_FACTOR * nowMs());
    store = await StoreServer.start();
    connection = new EventStoreConnection(store.connectionString);
  });

  afterAll(async () => {
    jest.restoreAllMocks();
    await connection.close();
    await store.dispose();
  });

  const write = async (stream: string): Promise<bigint> => {
    const metadata = { schema: 'v1', at: '2026-03-10T12:00:00.000Z', command: 'c' };
    const event = jsonEvent({ type: 'ticket.submitted', data: {}, metadata });
    const { position } = await connection.client.appendToStream(stream, event);
    return position?.commit ?? 0n;
  };

  /** Scans until the event at `end` is found, or until the scan stops waiting for it. */
  const scan = (end: bigint, signal = new AbortController().signal) => {
    const streams: string[] = [];
    const options = {
      from: 0,
      filter: { matchesStream: null, matchesType: null },
      hasNoLiveDeliveries: () => true,
    };
    const startReading = async (): Promise<string[]> => {
      for await (const page of scanUntilFound(connection, category, { ...options, end, signal })) {
        streams.push(...page.events.map(({ stream }) => stream));
        if ((page.lastPosition ?? -1n) >= end) break;
      }
      return streams;
    };
    return { streams, done: startReading() };
  };

  it('continues until they are linked, however late that is', async () => {
    await write(getStreamName(1));
    await until('the first link', async () => (await scan(0n).done).length === 1);
    await connection.client.disableProjection(PROJECTION);
    const end = await write(getStreamName(2));
    await write(streams.replay('rep_1').name);
    let ended = false;
    const { streams: found, done } = scan(end);
    void done.then(() => (ended = true));
    const looks = jest.spyOn(connection.client, 'readStream');
    const countReads = (): number =>
      looks.mock.calls.filter(([stream]) => stream === '$ce-replay').length;
    await until('it to ask more than once', () => countReads() > 2);
    expect([ended, found]).toEqual([false, [getStreamName(1)]]);
    await connection.client.enableProjection(PROJECTION);
    expect(await done).toEqual([getStreamName(1), getStreamName(2)]);
  });

  it('ends if the last event is deleted', async () => {
    const end = await write(getStreamName(3));
    await connection.client.deleteStream(getStreamName(3));
    await write(streams.replay('rep_1').name);
    expect(await scan(end).done).toEqual([getStreamName(1), getStreamName(2)]);
  });

  it('ends when it is aborted', async () => {
    const stop = new AbortController();
    const { done } = scan(2n ** 60n, stop.signal);
    stop.abort();
    await expect(done).resolves.toBeDefined();
  });
});
