import {
  EventStoreDBClient,
  jsonEvent,
  persistentSubscriptionToStreamSettingsFromDefaults as settings,
  START,
} from '@eventstore/db-client';
import { open } from 'lmdb';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreServer } from '../../packages/embedded-eventstore/test/support/store-server';
import type { BenchOptions } from './main';
import { BareClient } from './support/bare-client';
import { runClosedLoop, formatLatencies, formatRate } from './support/load';

const IN_FLIGHT = [1, 64, 256];
const LEVELS = [10_000, 100_000, 1_000_000];
const APPENDS = 3_000;
const READS = 10_000;
/** The number of events in flight to a consumer of a group. They are acked in batches. */
const BUFFER_EVENTS = 500;
const ACK_BATCH_EVENTS = 100;
/** The approximate size of an event of the service, data and metadata. */
const EVENT_BYTES = 600;
const FILL_EVENTS = 400;
const FILL_STREAMS = 997;
/**
 * A stream that is read in every way before the measurements, because a cold program takes several
 * times as long.
 */
const WARM_UP_STREAM = 'warm-up';

/**
 * Measures the embedded event store through the official client: appends and reads per second, and
 * their change with the number of stored events. The baselines of the same run are LMDB's own
 * synced batches of the same bytes, a gRPC echo that stores nothing, and reads by the gRPC library
 * alone, because the official client's decoding takes longer than all other work. `--size 1000000`
 * goes up to a million events.
 */
export const run = async ({ size = 100_000 }: BenchOptions): Promise<void> => {
  for (const inFlight of IN_FLIGHT) await measureLmdb(inFlight);
  const echo = await startEcho();
  const server = await StoreServer.start({ projections: false });
  const echoing = EventStoreDBClient.connectionString(echo.connectionString);
  const client = EventStoreDBClient.connectionString(server.connectionString);
  const bare = new BareClient(server.address);
  try {
    for (const inFlight of IN_FLIGHT) {
      const baseline = await measureAppends(echoing, inFlight, 'gRPC echo');
      const stored = await measureAppends(client, inFlight, 'appends  ');
      console.log(
        `  ratio ${(stored / baseline).toFixed(2)}${inFlight === 64 ? ' (target 0.60)' : ''}`,
      );
    }
    await measureLevels({ server, client, bare }, size);
  } finally {
    bare.close();
    await echoing.dispose();
    await client.dispose();
    await server.dispose();
    echo.child.disconnect();
  }
};

const createEvent = () =>
  jsonEvent({ type: 'bench.happened', data: { filler: 'x'.repeat(EVENT_BYTES) } });

const createEvents = (count: number) => Array.from({ length: count }, createEvent);

/** Measures synced transactions with as many records as concurrent appends would share. */
const measureLmdb = async (batch: number): Promise<void> => {
  const dir = mkdtempSync(join(tmpdir(), 'lmdb-'));
  const root = open<Buffer, number>({
    path: dir,
    noSubdir: false,
    encoding: 'binary',
    overlappingSync: false,
    eventTurnBatching: false,
  });
  const record = Buffer.alloc(EVENT_BYTES, 1);
  const rounds = batch === 1 ? 200 : 50;
  let key = 0;
  const startedAt = performance.now();
  for (let round = 0; round < rounds; round += 1) {
    await root.batch(() => {
      for (let i = 0; i < batch; i += 1) void root.put(key++, record);
    });
  }
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`LMDB synced, ${batch} a batch: ${formatRate(key, seconds)}`);
  await root.close();
  rmSync(dir, { recursive: true, force: true });
};

interface Echo {
  readonly child: ChildProcess;
  readonly connectionString: string;
}

const startEcho = async (): Promise<Echo> => {
  const child = fork(join(__dirname, 'support/echo-process.ts'), {
    execArgv: ['-r', '@swc-node/register'],
  });
  const [port] = (await once(child, 'message')) as [number];
  return { child, connectionString: `esdb://127.0.0.1:${port}?tls=false` };
};

/** Makes appends of one event each. Returns the number per second. */
const measureAppends = async (
  client: EventStoreDBClient,
  inFlight: number,
  what: string,
): Promise<number> => {
  const append = (i: number) => client.appendToStream(`append-${i % FILL_STREAMS}`, createEvent());
  const count = inFlight === 1 ? APPENDS / 6 : APPENDS;
  await runClosedLoop(count / 5, inFlight, append);
  const { seconds, latenciesMs } = await runClosedLoop(count, inFlight, append);
  console.log(
    `${what} ${inFlight} in flight: ${formatRate(count, seconds)}, ${formatLatencies(latenciesMs)}`,
  );
  return count / seconds;
};

/** Repeats the same measurements on a store with more and more events. */
const measureLevels = async (store: Store, size: number): Promise<void> => {
  const { client, server } = store;
  await spread(client, WARM_UP_STREAM, { events: 0 });
  for (const measure of listMeasures(WARM_UP_STREAM)) await take(store, measure);
  let stored = READS;
  for (const level of LEVELS.filter((each) => each <= size)) {
    const stream = `read-${level}`;
    await spread(client, stream, { events: Math.max(0, level - stored - READS) });
    stored = Math.max(level, stored + READS);
    console.log(`-- ${level.toLocaleString('en')} events stored`);
    await measureAppends(client, 64, 'appends  ');
    for (const measure of listMeasures(stream)) await report(store, measure);
    console.log(`server memory: ${(server.privateBytes / 2 ** 20).toFixed(0)} MiB`);
  }
};

/**
 * Writes a stream of `READS` events, evenly among this many events of other streams, so that
 * reading it passes through the whole log.
 */
const spread = async (
  client: EventStoreDBClient,
  stream: string,
  others: { readonly events: number },
): Promise<void> => {
  const rounds = Math.max(READS / FILL_EVENTS, Math.ceil(others.events / FILL_EVENTS));
  const fillings = Math.ceil(others.events / FILL_EVENTS);
  const { seconds } = await runClosedLoop(rounds, 8, async (i) => {
    const share = Math.floor(((i + 1) * READS) / rounds) - Math.floor((i * READS) / rounds);
    if (share > 0) await client.appendToStream(stream, createEvents(share));
    if (i < fillings)
      await client.appendToStream(`fill-${i % FILL_STREAMS}`, createEvents(FILL_EVENTS));
  });
  if (others.events === 0) return;
  console.log(`filled, ${FILL_EVENTS} events an append: ${formatRate(others.events, seconds)}`);
};

interface Store {
  readonly server: StoreServer;
  readonly client: EventStoreDBClient;
  readonly bare: BareClient;
}

/** A way to read `READS` events: through the official client, and without decoding them. */
interface Measure {
  readonly what: string;
  readonly official: (client: EventStoreDBClient) => AsyncIterable<unknown> & Partial<Ending>;
  readonly bare: (bare: BareClient) => Promise<void>;
  readonly prepare?: (client: EventStoreDBClient) => Promise<void>;
}

interface Ending {
  unsubscribe(): Promise<void>;
}

const listMeasures = (stream: string): readonly Measure[] => [
  {
    what: 'read of a stream',
    official: (client) => client.readStream(stream, { maxCount: READS }),
    bare: (bare) => bare.read({ stream, subscription: false, count: READS }),
  },
  {
    what: 'read of $all',
    official: (client) => client.readAll({ maxCount: READS }),
    bare: (bare) => bare.read({ subscription: false, count: READS }),
  },
  {
    what: 'catch-up, stream',
    official: (client) => client.subscribeToStream(stream),
    bare: (bare) => bare.read({ stream, subscription: true, count: READS }),
  },
  {
    what: 'catch-up, $all',
    official: (client) => client.subscribeToAll({ fromPosition: START }),
    bare: (bare) => bare.read({ subscription: true, count: READS }),
  },
  {
    what: 'persistent, acks',
    prepare: async (client) => {
      for (const group of ['official', 'bare']) await createGroup(client, stream, group);
    },
    official: (client) => consumeGroup(client, stream),
    bare: (bare) =>
      bare.consume(
        { stream, group: 'bare', bufferSize: BUFFER_EVENTS },
        { count: READS, atATime: ACK_BATCH_EVENTS },
      ),
  },
];

const createGroup = (client: EventStoreDBClient, stream: string, group: string): Promise<void> =>
  client.createPersistentSubscriptionToStream(
    stream,
    group,
    settings({ startFrom: START, readBatchSize: 200, historyBufferSize: 1_000 }),
  );

/** Consumes a stream and acks every event, a hundred at a time. */
const consumeGroup = (
  client: EventStoreDBClient,
  stream: string,
): AsyncIterable<unknown> & Ending => {
  const subscription = client.subscribeToPersistentSubscriptionToStream(stream, 'official', {
    bufferSize: BUFFER_EVENTS,
  });
  const acked = async function* () {
    const unacked = [];
    for await (const delivered of subscription) {
      unacked.push(delivered);
      if (unacked.length === ACK_BATCH_EVENTS) await subscription.ack(...unacked.splice(0));
      yield delivered;
    }
  };
  return { [Symbol.asyncIterator]: acked, unsubscribe: () => subscription.unsubscribe() };
};

/** The events per second, and the CPU time of the server's threads. */
interface Figures {
  readonly official: number;
  readonly bare: number;
  readonly serverMicroseconds: number;
}

const take = async ({ client, bare, server }: Store, measure: Measure): Promise<Figures> => {
  await measure.prepare?.(client);
  const cpuBefore = server.cpuSeconds;
  const official = await measureSeconds(() => readOfficially(measure.official(client)));
  const alone = await measureSeconds(() => measure.bare(bare));
  const serverMicroseconds = ((server.cpuSeconds - cpuBefore) / (2 * READS)) * 1e6;
  return { official, bare: alone, serverMicroseconds };
};

const report = async (store: Store, measure: Measure): Promise<void> => {
  const { official, bare, serverMicroseconds } = await take(store, measure);
  console.log(
    `${measure.what.padEnd(18)} ${formatRate(READS, official)} by the official client, ` +
      `${formatRate(READS, bare)} undecoded, server CPU ${serverMicroseconds.toFixed(1)} µs an event`,
  );
};

const measureSeconds = async (work: () => Promise<void>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
};

const readOfficially = async (source: AsyncIterable<unknown> & Partial<Ending>): Promise<void> => {
  let seen = 0;
  for await (const _ of source) if (++seen === READS) break;
  if (seen < READS) throw new Error(`only ${seen} of ${READS} events`);
  await source.unsubscribe?.();
};
