import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { startEmbeddedEventStore } from '@subscription-event-service/embedded-eventstore';
import { open } from 'lmdb';
import { Client } from 'pg';
import { startEmbeddedSql } from '../../src/embedded-sql/start';
import { Service } from '../support/service';

describe('data of a later version', () => {
  let service: Service;
  beforeEach(async () => {
    service = await Service.start();
  });
  afterEach(() => service.dispose());

  it('GET /health shows the version', async () => {
    const health = (await (await fetch(`${service.url}/health`)).json()) as object;
    expect(health).toEqual({
      status: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/) as unknown,
      node: process.version,
    });
  });

  it('an SQL database with an unknown migration is refused with exit code 78 and advice', async () => {
    await service.stop();
    const sql = await startEmbeddedSql(join(service.dataDir, 'sql'));
    const client = new Client({ connectionString: sql.connectionString });
    await client.connect();
    await client.query("insert into service.migrations (name) values ('9999-future.sql')");
    await client.end();
    await sql.close();
    await expect(service.run()).rejects.toThrow(
      /code 78[^]*9999-future\.sql[^]*later version[^]*rebuilt from the log/,
    );
  });

  it('a log of a later data format is refused with exit code 78 and the version that can read it', async () => {
    await service.stop();
    const store = await startEmbeddedEventStore({ dir: join(service.dataDir, 'eventstore') });
    const client = EventStoreDBClient.connectionString(store.connectionString);
    const data = { format: 99, version: '9.1.0' };
    const metadata = { schema: 'v1', at: '2030-01-01T00:00:00.000Z', command: randomUUID() };
    const raised = jsonEvent({ id: randomUUID(), type: 'data_format.raised', data, metadata });
    await client.appendToStream('data_format-mark', raised);
    await client.dispose();
    await store.close();
    await expect(service.run()).rejects.toThrow(
      /code 78[^]*data format 99[^]*9\.1\.0 or a newer one/,
    );
  });

  it('a store file of another format is refused with exit code 78', async () => {
    await service.stop();
    const root = open({ path: join(service.dataDir, 'eventstore'), noSubdir: false, maxDbs: 8 });
    const meta = root.openDB<Buffer, Buffer>({
      name: 'meta',
      encoding: 'binary',
      keyEncoding: 'binary',
    });
    await meta.put(Buffer.from('format'), Buffer.from('9'));
    await root.close();
    await expect(service.run()).rejects.toThrow(/code 78[^]*event store format 9[^]*backup/);
  });
});
