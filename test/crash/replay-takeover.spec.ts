import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithPostgres } from '../support/cluster';
import { databases, type TestDatabase } from '../support/databases';
import { Receiver } from '../support/receiver';
import { readCounts } from '../support/replay-stage';
import { Service } from '../support/service';
import {
  type EmbeddedEventStore,
  startEmbeddedEventStore,
} from '@subscription-event-service/embedded-eventstore';
import { until } from '../support/until';

const EVENTS = 40;

/** A PostgreSQL server, which processes can share. The embedded database belongs to one process. */
const shared = databases.find(({ name }) => name === 'postgres');

describeWithPostgres('a replay whose process dies', () => {
  let store: EmbeddedEventStore;
  let dir: string;
  let drop: () => Promise<void>;
  let first: Service;
  let second: Service;
  let receiver: Receiver;

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'store-'));
    store = await startEmbeddedEventStore({ dir });
    const sql = await shared!.create();
    drop = sql.drop;
    const env = {
      ...sql.env,
      EVENTSTORE_URL: store.connectionString,
      MASTER_KEY: randomBytes(32).toString('base64'),
      OPERATOR_TOKEN: 'operator-token-of-two-processes',
    };
    const both: TestDatabase = {
      name: 'postgres',
      create: () => Promise.resolve({ env, drop: () => Promise.resolve() }),
    };
    first = await Service.start({ database: both });
    second = await Service.start({ database: both, env: { ROLES: 'api,projector' } });
    receiver = await Receiver.start();
  });

  afterAll(async () => {
    await first.dispose();
    await second.dispose();
    await receiver.close();
    await drop();
    await store.close();
    rmSync(dir, { recursive: true });
  });

  it('is taken over by another process, which continues where it stopped', async () => {
    const operator = second.createApi('operator-token-of-two-processes');
    const { id } = (await operator.post('/operator/v1/tenants', { name: 'Acme' })).created;
    const issue = { environment: 'test', name: 'tests' };
    const { key } = (await operator.post(`/operator/v1/tenants/${String(id)}/api-keys`, issue))
      .created;
    const api = second.createApi(key as string);
    for (let i = 0; i < EVENTS; i += 1) {
      await until('the key to be known', async () => {
        const answer = await api.post('/v1/subscribers', { email: `r${i}@example.com` });
        return answer.status === 201;
      });
    }
    const destination = (
      await operator.post(`/operator/v1/tenants/${String(id)}/destinations`, {
        type: 'https_webhook',
        url: receiver.url,
        environment: 'test',
      })
    ).created;
    const job = (
      await api.post('/v1/replay', {
        destination_id: destination['id'],
        from: new Date(Date.now() - 3_600_000).toISOString(),
        to: new Date().toISOString(),
        rate_per_second: 2,
      })
    ).expect(202);
    expect(job['events_matched']).toBe(EVENTS);
    await until('a part of it', () => receiver.eventIds.length > 2);

    await second.stop();
    await second.run({ ROLES: 'api,projector,replayer' });
    await first.kill();
    const killedAtMs = Date.now();
    const before = receiver.eventIds.length;
    expect(before).toBeLessThan(EVENTS);
    await until('more of it', () => receiver.eventIds.length > before);
    console.log(`taken over after ${Date.now() - killedAtMs} ms`);

    const end = await until('the end', async () => {
      const { ok } = await api.get(`/v1/replay/${String(job['replay_id'])}`);
      return ok['finished_at'] === null ? null : ok;
    });
    expect([end['status'], ...readCounts(end)]).toEqual(['completed', EVENTS, EVENTS, 0, 0, 0]);
    expect(receiver.eventIds).toHaveLength(EVENTS);
  });
});
