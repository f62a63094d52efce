import type { EventStoreDBClient } from '@eventstore/db-client';
import { jsonEvent, NotFoundError, RUNNING, START, STOPPED } from '@eventstore/db-client';
import {
  collect,
  ContractStore,
  embeddedOnly,
  next,
  numbered,
  numberOf,
  unique,
} from '../support/store-contract';
import { until } from '../support/until';

describe('system projections', () => {
  let store: ContractStore;
  let client: EventStoreDBClient;
  const category = unique('p');

  beforeAll(async () => {
    store = await ContractStore.start();
    client = store.client;
    // Before any of them runs: what was there is covered too.
    await client.appendToStream(`${category}-1`, [numbered(0), numbered(1)]);
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

  it('link each event to its category, old ones and new ones', async () => {
    const links = subscribe(`$ce-${category}`);
    const seen = next(links, 4);
    await client.appendToStream(`${category}-2`, numbered(2));
    await client.appendToStream(`${category}-1`, numbered(3));
    const events = await seen;
    expect(events.map(numberOf)).toEqual([0, 1, 2, 3]);
    expect(events.map(({ link }) => link?.revision)).toEqual([0n, 1n, 2n, 3n]);
    expect(events[2]?.link?.type).toBe('$>');
    const metadata = events[2]?.link?.metadata;
    const parsed = (
      metadata instanceof Uint8Array ? JSON.parse(Buffer.from(metadata).toString()) : metadata
    ) as Record<string, unknown>;
    expect(Object.keys(parsed)).toEqual(expect.arrayContaining(['$v', '$c', '$p', '$causedBy']));
    expect(parsed['$causedBy']).toBe(events[2]?.event?.id);
  });

  it('link by type', async () => {
    const type = unique('type');
    await client.appendToStream(unique('x-'), jsonEvent({ type, data: { n: 5 } }));
    expect((await next(subscribe(`$et-${type}`), 1)).map(numberOf)).toEqual([5]);
  });

  it('link by correlation', async () => {
    const $correlationId = unique('corr');
    const event = jsonEvent({ type: 'x', data: { n: 6 }, metadata: { $correlationId } });
    await client.appendToStream(unique('x-'), event);
    expect((await next(subscribe(`$bc-${$correlationId}`), 1)).map(numberOf)).toEqual([6]);
  });

  it('list the streams, and those of a category', async () => {
    const mine = unique('q');
    await client.appendToStream(`${mine}-1`, numbered(0));
    await client.appendToStream(`${mine}-1`, numbered(1));
    await client.appendToStream(`${mine}-2`, numbered(2));
    const names = await next(client.subscribeToStream(`$category-${mine}`), 2);
    expect(names.map(({ event }) => Buffer.from(event?.data as Uint8Array).toString())).toEqual([
      `${mine}-1`,
      `${mine}-2`,
    ]);
    await until('both streams in the list, once', async () => {
      const listed = (await collect(client.readStream('$streams', { resolveLinkTos: true })))
        .map(({ event }) => event?.streamId)
        .filter((stream) => stream?.startsWith(mine));
      return listed.length === 2;
    });
  });

  it('tell their state and can be turned off and on', async () => {
    const status = async () => (await client.getProjectionStatus('$by_category')).projectionStatus;
    expect(await status()).toBe(RUNNING);
    await client.disableProjection('$by_category');
    expect(await status()).toBe(STOPPED);
    const other = unique('p');
    await client.appendToStream(`${other}-1`, numbered(0));
    await client.enableProjection('$by_category');
    expect((await next(subscribe(`$ce-${other}`), 1)).map(numberOf)).toEqual([0]);
    const names = (await client.listProjections()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['$by_category', '$streams']));
  });

  it('that do not exist are not found', async () => {
    for (const call of [
      () => client.enableProjection('none'),
      () => client.getProjectionStatus('none'),
      () => client.deleteProjection('none'),
    ]) {
      await expect(call()).rejects.toBeInstanceOf(NotFoundError);
    }
  });

  embeddedOnly('restarts the server')('go on after a restart', async () => {
    await store.restart();
    client = store.client;
    const other = unique('p');
    await client.appendToStream(`${other}-1`, numbered(0));
    expect((await next(subscribe(`$ce-${other}`), 1)).map(numberOf)).toEqual([0]);
    const links = await collect(client.readStream(`$ce-${category}`));
    expect(links).toHaveLength(4);
  });
});
