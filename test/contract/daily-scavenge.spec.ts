import { jsonEvent } from '@eventstore/db-client';
import { join } from 'node:path';
import { EventStoreConnection } from '../../src/event-store/connection';
import { tombstoneStream } from '../../src/event-store/append';
import type { Database } from '../../src/read-models/database';
import { migrate } from '../../src/read-models/migrate';
import { DailyScavenge, recordErasure } from '../../src/services/store-maintenance/daily-scavenge';
import { RemoteStoreMaintenance } from '../../src/services/store-maintenance/store-maintenance';
import { StoreServer } from '../../packages/embedded-eventstore/test/support/store-server';
import { databases } from '../support/databases';
import { openSql } from '../support/sql';
import { until } from '../support/until';

const TLS = join(__dirname, '../../packages/embedded-eventstore/test/support/tls');
const cert = join(TLS, 'localhost.pem');

/**
 * The service reaches the event store of this suite as it reaches an EventStoreDB: over the
 * operations API.
 */
describe.each(databases)('the daily scavenge of an external store, on $name SQL', (which) => {
  let store: StoreServer;
  let connection: EventStoreConnection;
  let sql: Database;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const key = join(TLS, 'localhost.key');
    const args = ['--tls', '--cert', cert, '--key', key];
    const users = ['--user', 'admin:secret', '--user', 'ada:secret'];
    store = await StoreServer.start({ args: [...args, ...users] });
    connection = as('admin:secret');
    ({ sql, close } = await openSql(which));
    await migrate(sql);
  });

  afterAll(async () => {
    await connection.close();
    await close();
    await store.dispose();
  });

  const as = (user: string): EventStoreConnection =>
    new EventStoreConnection(store.createConnectionString(user, `tlsCAFile=${cert}`));

  /** Two processes of the service. */
  const [first, second] = [0, 1].map(() => ({
    scavengeIfDue: () =>
      new DailyScavenge(
        sql,
        new RemoteStoreMaintenance(connection, () => Date.now()),
      ).scavengeIfDue(),
  })) as [DailyScavenge, DailyScavenge];

  const erase = async (id: string): Promise<void> => {
    const stream = `vault-${id}`;
    const event = jsonEvent({ type: 'vault.key_created', data: { wrapped: id } });
    await connection.client.appendToStream(stream, [event]);
    await tombstoneStream(connection, stream);
    await recordErasure(sql);
  };

  /** Returns the keys that a reader of $all gets. */
  const listKeysInLog = async (): Promise<unknown[]> => {
    const found: unknown[] = [];
    for await (const { event } of connection.client.readAll()) {
      if (event?.type !== 'vault.key_created') continue;
      found.push((event.data as { wrapped: string }).wrapped);
    }
    return found;
  };

  const pass = (time: string) =>
    sql.query({ text: `update store_scavenges set scavenged_at = now() - interval '${time}'` });

  it('does not start while no subscriber was erased', async () => {
    expect(await first.scavengeIfDue()).toBe(false);
  });

  it('removes the keys of erased subscribers, and only one process starts it', async () => {
    await erase('ada');
    const started = await Promise.all([first.scavengeIfDue(), second.scavengeIfDue()]);
    expect(started.filter(Boolean)).toHaveLength(1);
    await until('the key to be gone', async () => (await listKeysInLog()).length === 0);
  });

  it('waits a day for the next run, and does not run again for the same erasures', async () => {
    await erase('ben');
    expect(await second.scavengeIfDue()).toBe(false);
    await pass('23 hours');
    expect(await first.scavengeIfDue()).toBe(false);
    await pass('25 hours');
    expect(await first.scavengeIfDue()).toBe(true);
    await until('the key to be gone', async () => (await listKeysInLog()).length === 0);
    await pass('25 hours');
    await sql.query({
      text: `update store_scavenges set last_erasure_at = now() - interval '26 hours'`,
    });
    expect(await first.scavengeIfDue()).toBe(false);
  });

  it('is repeated after it failed because the user had no permission', async () => {
    await recordErasure(sql);
    const stranger = as('ada:secret');
    try {
      const maintenance = new RemoteStoreMaintenance(stranger, () => Date.now());
      await expect(new DailyScavenge(sql, maintenance).scavengeIfDue()).rejects.toThrow(
        'Access Denied',
      );
    } finally {
      await stranger.close();
    }
    // A failed run keeps its claim for five minutes.
    expect(await first.scavengeIfDue()).toBe(false);
    await sql.query({ text: "update store_scavenges set claimed_until = 'yesterday'" });
    expect(await first.scavengeIfDue()).toBe(true);
  });
});
