import { EventStoreDBClient } from '@eventstore/db-client';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cluster, describeWithPostgres } from '../support/cluster';
import type { Service } from '../support/service';
import { until } from '../support/until';

describeWithPostgres('two processes, one of which rotates the master key', () => {
  let cluster: Cluster;
  let services: readonly Service[];
  let dir: string;

  beforeAll(async () => {
    cluster = await Cluster.start();
    services = [await cluster.join(), await cluster.join()];
    dir = mkdtempSync(join(tmpdir(), 'keys-'));
  });

  afterAll(async () => {
    await cluster.dispose();
    rmSync(dir, { recursive: true, force: true });
  });

  const stateOf = async (service: Service): Promise<Record<string, unknown>> =>
    (await service.createOperatorApi(cluster.operatorToken).get('/operator/v1/master_key')).ok;

  it('both read and write before, during and after the rotation', async () => {
    const operator = services[0]!.createOperatorApi(cluster.operatorToken);
    const tenant = (await operator.post('/operator/v1/tenants', { name: 'Acme' })).created['id'];
    const path = `/operator/v1/tenants/${String(tenant)}/api-keys`;
    const key = (await operator.post(path, { environment: 'test', name: 'tests' })).created['key'];
    const apis = services.map((service) => service.createApi(String(key)));
    const ids: string[] = [];
    const register = async (): Promise<void> => {
      for (const api of apis) {
        const { created } = await until('a registration', () =>
          api.post('/v1/subscribers', { email: 'ada@example.com' }).then(
            (answer) => (answer.status === 201 ? answer : null),
            () => null,
          ),
        );
        ids.push(created['id'] as string);
      }
    };
    await register();
    const { key_id: old } = await stateOf(services[0]!);
    const file = join(dir, 'new-key');
    writeFileSync(file, randomBytes(32).toString('base64'));
    (await operator.post('/operator/v1/master_key/rotate', { new_key_file: file })).expect(202);
    await register();
    await until(
      'the end of the rotation in both processes',
      async () => {
        const states = await Promise.all(services.map(stateOf));
        return states.every(({ status, key_id }) => status === 'current' && key_id !== old);
      },
      60_000,
    );
    await register();
    for (const api of apis) {
      for (const id of ids) {
        expect((await api.get(`/v1/subscribers/${id}`)).ok['email']).toBe('ada@example.com');
      }
    }
    (await operator.post('/operator/v1/store/scavenge', {})).expect(202);
    await until('the log without a data key under the old master key', async () => {
      const texts = await listWrappedTexts();
      return (
        texts.length >= ids.length && !texts.some((text) => text.startsWith(`${String(old)}.`))
      );
    });
  }, 120_000);

  /** Returns every data key in the whole log, including keys that their stream no longer shows. */
  const listWrappedTexts = async (): Promise<string[]> => {
    const client = EventStoreDBClient.connectionString(cluster.store.connectionString);
    const found: string[] = [];
    for await (const { event } of client.readAll()) {
      if (event?.type.startsWith('vault.') === true) {
        found.push((event.data as { wrapped: string }).wrapped);
      }
    }
    await client.dispose();
    return found;
  };
});
