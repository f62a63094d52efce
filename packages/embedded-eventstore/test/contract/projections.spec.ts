import type { EventStoreDBClient } from '@eventstore/db-client';
import { jsonEvent, NotFoundError, RUNNING, START, STOPPED } from '@eventstore/db-client';
import {
  readAll,
  ContractStore,
  embeddedOnly,
  receive,
  createNumbered,
  readNumber,
  createUniqueName,
} from '../support/store-contract';
import { until } from '../support/until';

describe('system projections', () => {
  let store: ContractStore;
  let client: EventStoreDBClient;
  const category = createUniqueName('p');

  beforeAll(async () => {
    store = await ContractStore.start();
    client = store.client;
    // The events exist before a projection runs, which must cover them too.
    await client.appendToStream(`${category}-1`, [createNumbered(0), createNumbered(1)]);
    for (const name of [
      '$by_category',
      '$by_event_type',
      '$streams',
      '$stream_by_category',
      '$by_correlation_id',
    ]) {
      await client.enableProjection(name);
    }
  });
  afterAll(() => store.close());

  const subscribe = (stream: string) =>
    client.subscribeToStream(stream, { fromRevision: START, resolveLinkTos: true });

  it('link old and new events to their category', async () => {
    const links = subscribe(`$ce-${category}`);
    const seen = receive(links, 4);
    await client.appendToStream(`${category}-2`, createNumbered(2));
    await client.appendToStream(`${category}-1`, createNumbered(3));
    const events = await seen;
    expect(events.map(readNumber)).toEqual([0, 1, 2, 3]);
    expect(events.map(({ link }) => link?.revision)).toEqual([0n, 1n, 2n, 3n]);
    expect(events[2]?.link?.type).toBe('$>');
    const metadata = events[2]?.link?.metadata;
    const parsed = (
      metadata instanceof Uint8Array ? JSON.parse(Buffer.from(metadata).toString()) : metadata
    ) as Record<string, unknown>;
    expect(Object.keys(parsed)).toEqual(expect.arrayContaining(['$v', '$c', '$p', '$causedBy']));
    expect(parsed['$causedBy']).toBe(events[2]?.event?.id);
  });

  it('link events by type', async () => {
    const type = createUniqueName('type');
    await client.appendToStream(createUniqueName('x-'), jsonEvent({ type, data: { n: 5 } }));
    expect((await receive(subscribe(`$et-${type}`), 1)).map(readNumber)).toEqual([5]);
  });

  it('link events by correlation id', async () => {
    const $correlationId = createUniqueName('corr');
    const event = jsonEvent({ type: 'x', data: { n: 6 }, metadata: { $correlationId } });
    await client.appendToStream(createUniqueName('x-'), event);
    expect((await receive(subscribe(`$bc-${$correlationId}`), 1)).map(readNumber)).toEqual([6]);
  });

  it('list all streams, and the streams of a category', async () => {
    const mine = createUniqueName('q');
    await client.appendToStream(`${mine}-1`, createNumbered(0));
    await client.appendToStream(`${mine}-1`, createNumbered(1));
    await client.appendToStream(`${mine}-2`, createNumbered(2));
    const names = await receive(client.subscribeToStream(`$category-${mine}`), 2);
    expect(names.map(({ event }) => Buffer.from(event?.data as Uint8Array).toString())).toEqual([
      `${mine}-1`,
      `${mine}-2`,
    ]);
    await until('both streams in the list, once', async () => {
      const listed = (await readAll(client.readStream('$streams', { resolveLinkTos: true })))
        .map(({ event }) => event?.streamId)
        .filter((stream) => stream?.startsWith(mine));
      return listed.length === 2;
    });
  });

  it('report their state and can be disabled and enabled', async () => {
    const status = async () => (await client.getProjectionStatus('$by_category')).projectionStatus;
    expect(await status()).toBe(RUNNING);
    await client.disableProjection('$by_category');
    expect(await status()).toBe(STOPPED);
    const other = createUniqueName('p');
    await client.appendToStream(`${other}-1`, createNumbered(0));
    await client.enableProjection('$by_category');
    expect((await receive(subscribe(`$ce-${other}`), 1)).map(readNumber)).toEqual([0]);
    const names = (await client.listProjections()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['$by_category', '$streams']));
  });

  it('are answered as not found if they do not exist', async () => {
    for (const call of [
      () => client.enableProjection('none'),
      () => client.getProjectionStatus('none'),
      () => client.deleteProjection('none'),
    ]) {
      await expect(call()).rejects.toBeInstanceOf(NotFoundError);
    }
  });

  embeddedOnly('restarts the server')('continue after a restart', async () => {
    await store.restart();
    client = store.client;
    const other = createUniqueName('p');
    await client.appendToStream(`${other}-1`, createNumbered(0));
    expect((await receive(subscribe(`$ce-${other}`), 1)).map(readNumber)).toEqual([0]);
    const links = await readAll(client.readStream(`$ce-${category}`));
    expect(links).toHaveLength(4);
  });
});
