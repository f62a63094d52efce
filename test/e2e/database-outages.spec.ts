import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Answer } from '../support/api';
import { describeWithPostgres } from '../support/cluster';
import { databases } from '../support/databases';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

const CLIENTS = 6;
const TERMINATIONS = 40;
const PAUSE_MS = 50;

/**
 * This suite needs TEST_DATABASE_URL: only the service itself can end a connection of the embedded
 * database.
 */
describeWithPostgres('on a PostgreSQL that breaks connections', () => {
  let admin: Client;
  let database: string;
  let service: Service;
  let tenant: TestTenant;

  beforeAll(async () => {
    const { env, drop } = await databases.find(({ name }) => name === 'postgres')!.create();
    database = new URL(env['DATABASE_URL']!).pathname.slice(1);
    admin = new Client({ connectionString: process.env['TEST_DATABASE_URL'] });
    await admin.connect();
    service = await Service.start({
      database: { name: 'postgres', create: () => Promise.resolve({ env, drop }) },
    });
    tenant = await service.tenant();
  });

  afterAll(async () => {
    await service.dispose();
    await admin.end();
  });

  const terminateAll = () =>
    admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      database,
    ]);

  const allowConnections = (allowed: boolean) =>
    admin.query(`alter database ${database} allow_connections ${String(allowed)}`);

  const create = (key = randomUUID()) =>
    tenant.api.post('/v1/subscribers', { email: 'ada@example.com' }, { 'idempotency-key': key });

  const isRefusedForNow = ({ status, headers }: Answer): boolean =>
    status === 503 && headers.get('retry-after') === '1';

  /** Repeats a request with its first key until it is accepted. */
  const createInTheEnd = async (): Promise<string> => {
    const key = randomUUID();
    return until('the subscriber to be accepted', async () => {
      const answer = await create(key);
      if (answer.status === 201) return answer.body['id'] as string;
      // The first attempt of a repeated request may still be running.
      if (!isRefusedForNow(answer)) expect(answer.refusal[1]).toBe('idempotency_key_in_use');
      return undefined;
    });
  };

  it('continues to write, read and project, and temporarily refuses requests that it cannot execute', async () => {
    const accepted: string[] = [];
    let terminating = true;
    const writers = Array.from({ length: CLIENTS }, async () => {
      while (terminating) accepted.push(await createInTheEnd());
    });
    const reader = (async () => {
      while (terminating) {
        const answer = await tenant.api.get('/v1/subscribers');
        if (!isRefusedForNow(answer)) expect(answer.status).toBe(200);
      }
    })();
    for (let i = 0; i < TERMINATIONS; i += 1) {
      await terminateAll();
      await delay(PAUSE_MS);
    }
    terminating = false;
    await Promise.all([...writers, reader]);
    expect(service.running).toBe(true);
    await until('the read models to have the last of them', async () => {
      const { status } = await tenant.api.get(`/v1/subscribers/${accepted.at(-1)!}`);
      return status === 200;
    });
    for (const id of accepted)
      expect((await tenant.api.get(`/v1/subscribers/${id}`)).status).toBe(200);
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  });

  const countServerErrors = async (): Promise<number> => {
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    return Number(/^subscription_service_http_server_errors_total (\d+)$/m.exec(metrics)?.[1]);
  };

  it('answers 503 with Retry-After while the database accepts no connections', async () => {
    const errorsBefore = await countServerErrors();
    await allowConnections(false);
    try {
      await terminateAll();
      expect(isRefusedForNow(await create())).toBe(true);
      expect(isRefusedForNow(await tenant.api.get('/v1/subscribers'))).toBe(true);
      const ready = await fetch(`${service.url}/health/ready`);
      expect([ready.status, await ready.text()]).toEqual([
        503,
        expect.stringContaining('database'),
      ]);
      // The health check of a process that is not ready is not an error.
      expect(await countServerErrors()).toBe(errorsBefore + 2);
    } finally {
      await allowConnections(true);
    }
    await until('the service to be ready again', async () => {
      return (await fetch(`${service.url}/health/ready`)).ok;
    });
    expect((await create()).status).toBe(201);
  });

  /** Makes the database read only, like a standby to which the address leads after a failover. */
  const makeReadOnly = (readOnly: boolean) =>
    admin.query(
      `alter database ${database} set default_transaction_read_only = ${readOnly ? 'on' : 'off'}`,
    );

  it('answers 503 while the database is read only, and is not ready', async () => {
    await makeReadOnly(true);
    try {
      await terminateAll();
      // The first request uses sessions that have ended, later ones use new sessions.
      for (let i = 0; i < 3; i += 1) expect(isRefusedForNow(await create())).toBe(true);
      const ready = await fetch(`${service.url}/health/ready`);
      expect([ready.status, await ready.text()]).toEqual([
        503,
        expect.stringContaining('database read_only'),
      ]);
    } finally {
      await makeReadOnly(false);
    }
    // No session is ended by the database. The service closes those that cannot write.
    await until('the service to be ready again', async () => {
      return (await fetch(`${service.url}/health/ready`)).ok;
    });
    const id = await createInTheEnd();
    await until('the read models to have it', async () => {
      return (await tenant.api.get(`/v1/subscribers/${id}`)).status === 200;
    });
    expect(service.running).toBe(true);
  });
});
