import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { databases, type TestDatabase } from '../support/databases';
import { Receiver } from '../support/receiver';
import { runCli } from '../support/cli';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';
import { readWrappedKey } from '../support/vault-file';

const EMAIL = 'ada.unforgettable@example.com';
const TEXT = 'My cat ate the invoice';
const TOMBSTONE = `sha256:${'0'.repeat(64)}`;

describe.each(databases)('erasing a subscriber, on $name SQL', (database) => {
  let service: Service;
  let tenant: TestTenant;
  let receiver: Receiver;
  let databaseUrl: string | undefined;
  let id: string;
  let creditId: unknown;
  let cancelledId: unknown;
  let runId: unknown;
  let erasedAt: unknown;
  let wrappedKey: string;

  const key = { 'idempotency-key': 'register ada' };
  const registration = { email: EMAIL, metadata: { note: TEXT }, tags: ['vip'] };

  beforeAll(async () => {
    const watched: TestDatabase = {
      name: database.name,
      create: async () => {
        const made = await database.create();
        databaseUrl = made.env['DATABASE_URL'];
        return made;
      },
    };
    service = await Service.start({ database: watched });
    tenant = await service.tenant();
    // The receiver echoes the request, and the delivery log keeps the response.
    receiver = await Receiver.start(({ body }, response) => {
      response.end(body);
    });
    const destination = { type: 'https_webhook', url: receiver.url, environment: 'test' };
    const path = `/operator/v1/tenants/${tenant.id}/destinations`;
    (await service.operator.post(path, destination)).expect(201);
    id = (await tenant.api.post('/v1/subscribers', registration, key)).created['id'] as string;
    const plan = { name: 'Pro', amount: 900, currency: 'USD', interval: 'month' };
    await tenant.api.put('/v1/plans/pro', plan);
    const subscription = { subscriber_id: id, plan: 'pro', payment_method: 'pm_test_ok' };
    cancelledId = (await tenant.api.post('/v1/subscriptions', subscription)).created['id'];
    const cancellation = { effective: 'immediately', feedback: 'other', comment: TEXT };
    const cancelling = `/v1/subscriptions/${String(cancelledId)}/cancel`;
    (await tenant.api.post(cancelling, cancellation)).expect(200);
    (await tenant.api.post('/v1/subscriptions', subscription)).expect(201);
    const ticket = { subscriber_id: id, topic: 'other', subject: TEXT, body: EMAIL };
    (await tenant.api.post('/v1/tickets', ticket)).expect(201);
    const credit = { amount: 100, currency: 'USD', note: TEXT };
    creditId = (await tenant.api.post(`/v1/subscribers/${id}/credits`, credit)).created['id'];
    const offer = { type: 'credit', amount: 100, currency: 'USD' };
    const motion = { name: 'Thanks', kind: 'cancel_save', cohort_ids: [], offer };
    const { id: motionId } = (await tenant.api.post('/v1/motions', motion)).created;
    (await tenant.api.post(`/v1/motions/${String(motionId)}/activate`)).expect(200);
    const trigger = { subscriber_id: id };
    const triggering = `/v1/motions/${String(motionId)}/trigger`;
    runId = (await tenant.api.post(triggering, trigger)).expect(202)['id'];
    const presented = `/v1/motion_runs/${String(runId)}/outcome`;
    (await tenant.api.post(presented, { outcome: 'presented' })).expect(200);
    await tenant.api.patch(`/v1/subscribers/${id}`, { metadata: { more: TEXT } });
    await receiver.next('subscriber.updated');
  });

  afterAll(async () => {
    await service.dispose();
    await receiver.close();
  });

  it('cannot be verified before it is done', async () => {
    wrappedKey = readWrappedKey(readFileSync(join(service.dataDir, 'eventstore/data.mdb')), id);
    expect(wrappedKey.length).toBeGreaterThan(40);
    const check = await runCli(service, ['erasure', 'verify', id]);
    expect([check.code, check.stderr]).toEqual([6, expect.stringContaining('was not erased')]);
  });

  it('answers the time of the erasure, and the same again', async () => {
    const answer = (await tenant.api.delete(`/v1/subscribers/${id}`)).ok;
    erasedAt = answer['erased_at'];
    expect(answer).toEqual({ id, erased_at: erasedAt });
    expect((await tenant.api.delete(`/v1/subscribers/${id}`)).ok).toEqual(answer);
    const event = await receiver.next('subscriber.erased');
    expect(event.event).toMatchObject({
      subscriber: { id, email: null, email_hashed: TOMBSTONE },
      data: { erased_at: erasedAt },
    });
  });

  it('leaves a tombstone that refuses commands', async () => {
    expect((await tenant.api.get(`/v1/subscribers/${id}`)).ok).toMatchObject({
      id,
      email: null,
      email_hashed: TOMBSTONE,
      erased_at: erasedAt,
      tags: [],
      metadata: {},
    });
    for (const answer of [
      await tenant.api.patch(`/v1/subscribers/${id}`, { tags: ['x'] }),
      await tenant.api.put(`/v1/subscribers/${id}/engagement_score`, { score: 1 }),
      await tenant.api.post('/v1/tickets', { subscriber_id: id, topic: 'other' }),
      await tenant.api.post('/v1/subscriptions', { subscriber_id: id, plan: 'pro' }),
      await tenant.api.post('/v1/subscribers', registration, key),
    ]) {
      expect(answer.refusal.slice(0, 2)).toEqual([409, 'subscriber_erased']);
    }
  });

  it('ends the motion runs whose offer was not answered', async () => {
    const run = (await tenant.api.get(`/v1/motion_runs/${String(runId)}`)).ok;
    expect(run).toMatchObject({ status: 'expired', accepted_at: null, ended_at: erasedAt });
    const last = `/v1/events?subscriber_id=${id}&limit=6`;
    expect((await tenant.api.get(last)).data.map(({ type }) => type)).toEqual([
      'subscriber.erased',
      'ticket.closed',
      'credit.voided',
      'motion.expired',
      'subscription.cancelled',
      'subscriber.updated',
    ]);
    const { points } = (await tenant.api.get('/v1/metrics/motion_acceptance')).ok;
    expect((points as object[]).at(-1)).toMatchObject({ sample_size: 1, value: 0 });
    expect((points as object[]).at(-1)).not.toMatchObject({ maturing: true });
  });

  it('voids the credits and closes the tickets, which nobody could end afterwards', async () => {
    const credit = (await tenant.api.get(`/v1/credits/${String(creditId)}`)).ok;
    expect(credit).toMatchObject({ status: 'voided', remaining: 0 });
    const { points } = (await tenant.api.get('/v1/metrics/credit_outstanding')).ok;
    expect((points as object[]).at(-1)).toMatchObject({ value: 0, sample_size: 0 });
    const [ticket, ...more] = (await tenant.api.get(`/v1/tickets?subscriber_id=${id}`)).data;
    expect([ticket, more]).toMatchObject([{ status: 'closed', closed_at: erasedAt }, []]);
  });

  it.each(['2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z'])(
    'deletes stored responses of requests, also if a test clock says that it is %s',
    async (frozen_time) => {
      const clock = (await tenant.api.post('/v1/test_helpers/clocks', { frozen_time })).created;
      const clocked = { ...registration, test_clock: clock['id'] };
      const once = { 'idempotency-key': `register at ${frozen_time}` };
      const path = `/v1/subscribers/${String((await tenant.api.post('/v1/subscribers', clocked, once)).created['id'])}`;
      const erase = () => tenant.api.delete(path, { 'idempotency-key': `erase at ${frozen_time}` });
      const { ok } = await erase();
      expect((await tenant.api.post('/v1/subscribers', clocked, once)).refusal.slice(0, 2)).toEqual(
        [409, 'subscriber_erased'],
      );
      // A second erasure deletes stored responses again, except those of the first erasure.
      expect((await tenant.api.delete(path)).ok).toEqual(ok);
      expect((await erase()).ok).toEqual(ok);
    },
  );

  it('refuses commands on the subscriber’s objects, so that nobody is charged any more', async () => {
    const [subscription] = (await tenant.api.get(`/v1/subscriptions?subscriber_id=${id}`)).data;
    const path = `/v1/subscriptions/${String(subscription?.['id'])}`;
    for (const answer of [
      await tenant.api.post(`${path}/reactivate`),
      await tenant.api.post(`${path}/pause`),
      await tenant.api.post(`${path}/resume`),
      await tenant.api.post(`${path}/cancel`),
      await tenant.api.post(`${path}/uncancel`),
      await tenant.api.post(`${path}/plan`, { to_plan: 'pro' }),
      await tenant.api.post(`${path}/plan/preview`, { to_plan: 'pro' }),
      await tenant.api.put(`${path}/payment_method`, { payment_method: 'pm_test_ok' }),
    ]) {
      expect(answer.refusal.slice(0, 2)).toEqual([409, 'subscriber_erased']);
    }
    expect((await tenant.api.get(path)).ok).toMatchObject({ status: 'cancelled' });
  });

  it('refuses commands on payments, credits and motion runs, but records a dispute', async () => {
    const [payment] = (await tenant.api.get(`/v1/payments?subscriber_id=${id}`)).data;
    const path = `/v1/payments/${String(payment?.['id'])}`;
    for (const answer of [
      await tenant.api.post(`${path}/refunds`, { amount: 100, reason: 'other' }),
      await tenant.api.post(`${path}/retry`),
      await tenant.api.post(`${path}/attempts`, { outcome: 'succeeded' }),
      await tenant.api.post(`/v1/credits/${String(creditId)}/void`),
      await tenant.api.post(`/v1/motion_runs/${String(runId)}/outcome`, { outcome: 'accepted' }),
    ]) {
      expect(answer.refusal.slice(0, 2)).toEqual([409, 'subscriber_erased']);
    }
    (await tenant.api.post(`${path}/disputes`, { dispute_status: 'open' })).expect(200);
  });

  it('removes the subscriber from every response', async () => {
    for (const path of [
      'subscribers',
      'tickets',
      'events?limit=100',
      `subscribers/${id}/timeline`,
      `subscribers/${id}/events`,
      `subscriptions/${String(cancelledId)}`,
      `credits/${String(creditId)}`,
    ]) {
      const { body, status } = await tenant.api.get(`/v1/${path}`);
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toMatch(/unforgettable|My cat/);
    }
    const [created] = (await tenant.api.get('/v1/events?event_types=subscriber.created')).data;
    expect(created).toMatchObject({
      subscriber: { email: null, email_hashed: TOMBSTONE },
      data: { email: null, metadata: { note: null } },
    });
  });

  it('keeps its result when the process is killed and started again', async () => {
    await service.kill();
    await service.run();
    // The next process does the work that was pending at the crash. Repeating it is harmless.
    expect((await tenant.api.get(`/v1/subscribers/${id}`)).ok['erased_at']).toBe(erasedAt);
  });

  it('leaves nothing in the log within 60 s, also across a restart', async () => {
    await until(
      'nothing to be found of the person',
      async () => (await runCli(service, ['erasure', 'verify', id])).code === 0,
      60_000,
    );
  }, 90_000);

  // Rows can be inserted only if the test reaches the database.
  (database.name === 'postgres' ? it : it.skip)(
    'is verified in every table that could contain data of the subscriber',
    async () => {
      const client = new Client({ connectionString: databaseUrl! });
      await client.connect();
      try {
        const scope = `${tenant.id}.test`;
        const { rows } = await client.query<{ id: string }>(
          'select id from read_model.events where scope = $1 and subscriber_id = $2 limit 1',
          [scope, id],
        );
        const event = rows[0]?.id;
        await client.query(
          `insert into read_model.import_errors (scope, id, created_at, line, code, param, message)
            values ('imp_1', 'e1', now(), 7, 'parameter_unknown', $1, 'x')`,
          [id],
        );
        await client.query(
          `insert into service.test_mails (id, created_at, scope, event_id, destination_id, message)
            values ('m1', now(), $1, $2, 'dest_1', '{}')`,
          [scope, event],
        );
        await client.query(
          `update read_model.delivery_attempts set response_body = 'as it came'
            where event_id = $1`,
          [event],
        );
        const check = await runCli(service, ['erasure', 'verify', id]);
        expect(check.code).toBe(1);
        expect(check.stdout).toContain('imports: import_errors: line 7 of imp_1');
        expect(check.stdout).toContain(`mails: test_mails: a mail of ${event}`);
        expect(check.stdout).toMatch(/deliveries: delivery_attempts: .* is not sealed/);
        await client.query(`delete from read_model.import_errors where id = 'e1'`);
        await client.query(`delete from service.test_mails where id = 'm1'`);
        await client.query('delete from read_model.delivery_attempts where event_id = $1', [event]);
      } finally {
        await client.end();
      }
    },
  );

  it('leaves no data in the stores', async () => {
    if (databaseUrl !== undefined) {
      const rows = await until('the projected rows', async () => dump(databaseUrl!));
      expect(rows).toContain(id);
      expect(rows).not.toMatch(/unforgettable|My cat/);
    }
    const compacted = await runCli(service, ['store', 'compact']);
    expect([compacted.code, compacted.stdout]).toEqual([0, expect.stringContaining('completed')]);
    const check = await runCli(service, ['erasure', 'verify', id]);
    expect([check.stderr, check.code]).toEqual(['', 0]);
    await service.stop();
    const files = listFiles(service.dataDir).map((file) => readFileSync(file));
    const countFilesWith = (text: string): number =>
      files.filter((file) => file.includes(text)).length;
    // The search finds data that exists.
    expect(countFilesWith(id)).toBeGreaterThan(0);
    // The search does not find the person.
    expect([countFilesWith(EMAIL), countFilesWith('unforgettable'), countFilesWith(TEXT)]).toEqual([
      0, 0, 0,
    ]);
    expect(countFilesWith(wrappedKey)).toBe(0);
  });
});

const listFiles = (dir: string): string[] =>
  readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    const found = statSync(path);
    if (found.isDirectory()) return listFiles(path);
    return found.isFile() ? [path] : [];
  });

/** Returns every row of every table as text. */
const dump = async (url: string): Promise<string> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname in ('read_model', 'service')`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(
        `select row_to_json(t)::text as text from ${name} t`,
      );
      texts.push(...rows.map(({ text }) => text));
    }
    return texts.join('\n');
  } finally {
    await client.end();
  }
};
