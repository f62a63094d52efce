import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedEventStore } from '@subscription-event-service/embedded-eventstore';
import { isAnswering } from '../../src/event-store/availability';
import { append, type NewEvent, computeSize } from '../../src/event-store/append';
import { EventStoreConnection } from '../../src/event-store/connection';
import { readStream } from '../../src/event-store/read';
import type { Instant } from '../../src/kernel/time';
import { createUniqueName } from '../../packages/embedded-eventstore/test/support/store-contract';
import { until } from '../support/until';

const APPENDS = 1_000;
const CONCURRENT_APPENDS = 20;

const buildEvent = (bytes = 0): NewEvent => {
  const uuid = randomUUID();
  const at = '2026-01-01T00:00:00.000Z' as Instant;
  const data = { text: 'x'.repeat(bytes) };
  return { uuid, type: 'tested', data, metadata: { schema: 'v1', at, command: uuid } };
};

/** This suite appends while the event store misbehaves. */
describe('appends under faults of the event store', () => {
  let dir: string;
  let store: Awaited<ReturnType<typeof startEmbeddedEventStore>>;
  let connections: EventStoreConnection[];

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'appends-'));
    store = await startEmbeddedEventStore({ dir });
    connections = [new EventStoreConnection(store.connectionString)];
    // The other channel has another append stream in the same process.
    const other = `${store.connectionString}&keepAliveTimeout=10001`;
    connections.push(new EventStoreConnection(other));
  });
  afterEach(() => store.clearFaults());
  afterAll(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    await store.close();
    rmSync(dir, { recursive: true });
  });

  const listStored = async (stream: string): Promise<string[]> => {
    const uuids: string[] = [];
    for await (const { uuid } of readStream(connections[0]!.client, stream)) uuids.push(uuid);
    return uuids;
  };

  it('stores the given bytes, whatever instruments the client', async () => {
    const [connection] = connections;
    // This patch does the same as `@eventstore/opentelemetry`: it spreads the metadata, which is
    // bytes here.
    const client = connection!.client as unknown as Record<string, unknown>;
    const patched = jest.fn(() => Promise.reject(new Error('the patched append was called')));
    client['appendToStream'] = patched;
    const stream = createUniqueName('patched');
    const given = buildEvent();
    const tracked = { by: { type: 'system', id: 'test', name: 'test' } as const, traceparent: 'x' };
    const metadata = { ...given.metadata, origin: tracked };
    await append(connection!, { stream, expected: -1, events: [{ ...given, metadata }] });
    expect(patched).not.toHaveBeenCalled();
    const found = [];
    for await (const stored of readStream(connection!.client, stream)) found.push(stored.metadata);
    expect(found).toEqual([metadata]);
    delete client['appendToStream'];
  });

  it.each([
    ['double-answer', 1],
    ['unknown-answer', 1],
    ['timeout-after-commit', 2],
    ['break-other-append-stream', 3],
    ['drop-connection', 20],
    ['leader-change', 20],
  ] as const)(
    'completes every append and stores it once, with the fault %s=%s',
    async (name, every) => {
      await store.injectFault(name, { every });
      const prefix = createUniqueName('safe-');
      const runWriter = async (_: unknown, w: number) => {
        const connection = connections[w % connections.length]!;
        const stream = `${prefix}-${w}`;
        const sent: string[] = [];
        for (let i = 0; i < APPENDS / CONCURRENT_APPENDS; i += 1) {
          const next = buildEvent();
          const { revision } = await append(connection, {
            stream,
            expected: i - 1,
            events: [next],
          });
          expect(revision).toBe(i);
          sent.push(next.uuid);
        }
        return [stream, sent] as const;
      };
      const all = await Promise.all(Array.from({ length: CONCURRENT_APPENDS }, runWriter));
      await store.clearFaults();
      await until('the store to be back', () => isAnswering(connections[0]!));
      for (const [stream, sent] of all) expect(await listStored(stream)).toEqual(sent);
    },
  );

  it('looks up an append that was stored and never answered', async () => {
    const stream = createUniqueName('lost-');
    await append(connections[0]!, { stream, expected: -1, events: [buildEvent()] });
    await store.injectFault('append-unanswered', { next: 1 });
    const lost = buildEvent();
    const { revision } = await append(connections[0]!, { stream, expected: 0, events: [lost] });
    expect(revision).toBe(1);
    await store.injectFault('append-unanswered', { next: 1 });
    const other = buildEvent();
    await append(connections[0]!, { stream, expected: 'any', events: [other] });
    expect((await listStored(stream)).slice(1)).toEqual([lost.uuid, other.uuid]);
  });

  it('refuses events that the server would not accept, before they are sent', async () => {
    const large = buildEvent(1_048_576);
    const stream = createUniqueName('large-');
    const refused = append(connections[0]!, { stream, expected: -1, events: [large] });
    await expect(refused).rejects.toMatchObject({
      code: 'payload_too_large',
      message: expect.stringMatching(/^This would store 10\d{5} bytes at once/) as string,
    });
    expect(await listStored(stream)).toEqual([]);
  });

  it('counts the length of the type twice in the size of an event, as the server does', () => {
    expect(
      computeSize({ type: 'abc', data: new Uint8Array(10), metadata: new Uint8Array(5) }),
    ).toBe(21);
  });
});
