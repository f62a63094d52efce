import { Client } from 'pg';
import { ANALYTICS_VIEWS } from '../../src/features/analytics/analytics.dto';
import { databases } from '../support/databases';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

type Json = Record<string, unknown>;

const countOf = (view: string): string => `select count(*)::int as n from ${view}`;

describe.each(databases)('exports and views for analysts, on $name SQL', (database) => {
  let service: Service;
  let tenant: TestTenant;

  beforeAll(async () => {
    service = await Service.start({ database });
    tenant = await service.tenant();
    for (let i = 0; i < 7; i += 1) {
      const body = {
        email: `reader${i}@example.com`,
        tags: ['vip'],
        metadata: { note: 'private' },
      };
      const { id } = (await tenant.api.post('/v1/subscribers', body)).created;
      (await tenant.api.post('/v1/tickets', { subscriber_id: id, topic: 'other' })).expect(201);
    }
    // A read waits for the writes before it.
    (await tenant.api.get('/v1/events')).expect(200);
  });

  afterAll(() => service.dispose());

  const readExportChunk = async (query: string): Promise<Json> =>
    (
      await service.operator.get(
        `/operator/v1/exports?tenant_id=${tenant.id}&environment=test&${query}`,
      )
    ).ok;

  it('export every row once, in chunks, without personal data', async () => {
    const rows: Json[] = [];
    let next: unknown = '';
    while (typeof next === 'string') {
      const answer = await readExportChunk(
        `view=subscribers&rows=3${next === '' ? '' : `&after=${next}`}`,
      );
      rows.push(...(answer['data'] as Json[]));
      next = answer['next'];
    }
    expect(new Set(rows.map(({ id }) => id)).size).toBe(7);
    expect(rows).toHaveLength(7);
    expect(rows[0]).toMatchObject({ tenant_id: tenant.id, environment: 'test', tags: ['vip'] });
    expect(JSON.stringify(rows)).not.toMatch(/example\.com|private/);
    expect((await readExportChunk('view=tickets'))['data']).toHaveLength(7);
    expect((await readExportChunk('view=events'))['data']).toHaveLength(14);
    expect((await readExportChunk('view=daily_counts'))['data']).toMatchObject([
      { series: 'tickets', part: 'other', value: '7' },
    ]);
  });

  it('refuse a forged cursor, also one with NUL or a time that SQL does not know', async () => {
    for (const place of [
      ['2026-01-01T00:00:00.000Z', 'a\0'],
      ['2026-01-01T00:00:00+16:00', 'a'],
      ['infinity', 'a'],
      ['2026-01-01T00:00:00.000Z'],
      'a',
    ]) {
      const after = Buffer.from(JSON.stringify(place)).toString('base64url');
      const path = `/operator/v1/exports?tenant_id=${tenant.id}&environment=test&view=subscribers`;
      const { refusal } = await service.operator.get(`${path}&after=${after}`);
      expect(refusal.slice(0, 2)).toEqual([400, 'invalid_cursor']);
    }
  });

  it('show drift, and none if there is none', async () => {
    const runVerification = async (body: Json = {}) =>
      (await service.operator.post('/operator/v1/projections/verify', body)).ok;
    expect(await runVerification()).toMatchObject({ subscribers: 7, events: 14, differences: [] });
  });

  const rebuild = async (): Promise<void> => {
    const { id } = (await service.operator.post('/operator/v1/rebuilds', {})).expect(202);
    await until('the rebuild', async () => {
      const { ok } = await service.operator.get(`/operator/v1/rebuilds/${id as string}`);
      expect(ok['status']).not.toBe('failed');
      return ok['status'] === 'completed';
    });
  };

  it('stay the same after a rebuild', async () => {
    await rebuild();
    expect((await readExportChunk('view=subscribers'))['data']).toHaveLength(7);
  });

  it('contain payments with their recovery', async () => {
    const plan = { name: 'Pro', amount: 2000, currency: 'USD', interval: 'month' };
    (await tenant.api.put('/v1/plans/pro', plan)).expect(200);
    const body = { email: 'payer@example.com' };
    const { id: subscriber_id } = (await tenant.api.post('/v1/subscribers', body)).created;
    const subscribe = { subscriber_id, plan: 'pro', payment_method: 'pm_test_ok' };
    const { id } = (await tenant.api.post('/v1/subscriptions', subscribe)).created;
    (await tenant.api.get('/v1/payments')).expect(200);
    expect((await readExportChunk('view=payments'))['data']).toMatchObject([
      {
        subscriber_id,
        subscription_id: id,
        status: 'succeeded',
        reason: 'subscription_start',
        amount: '2000',
        currency: 'USD',
        recovery_outcome: null,
      },
    ]);
  });

  it.each(['public', 'none', 'pg_monitor', 'Analyst', 'a b', ''])(
    'refuse %j as a role name, because PostgreSQL reserves it or it needs quotes',
    async (name) => {
      const answer = await service.operator.post('/operator/v1/analysts', { name });
      expect(answer.refusal).toEqual([400, 'parameter_invalid', 'name']);
    },
  );

  it('are readable by a role that can read nothing else, on a separate PostgreSQL', async () => {
    const name = `analyst_${Date.now()}`;
    const answer = await service.operator.post('/operator/v1/analysts', { name });
    if (database.name === 'embedded') {
      expect(answer.refusal.slice(0, 2)).toEqual([422, 'analysts_need_postgresql']);
      return;
    }
    const { password, host, port, database: on } = answer.created as Record<string, string>;
    const client = new Client({ user: name, password, host, port: Number(port), database: on });
    await client.connect();
    try {
      const countRowsOfViews = async (): Promise<number[]> => {
        const counts: number[] = [];
        for (const view of ANALYTICS_VIEWS) {
          const { rows } = await client.query<{ n: number }>(countOf(view));
          counts.push(rows[0]?.n ?? -1);
        }
        return counts;
      };
      const before = await countRowsOfViews();
      expect(before[ANALYTICS_VIEWS.indexOf('subscribers')]).toBe(8);
      // A rebuild drops the views and defines them again.
      await rebuild();
      expect(await countRowsOfViews()).toEqual(before);
      await service.stop();
      await service.run();
      expect(await countRowsOfViews()).toEqual(before);
      await expect(client.query('select * from read_model.subscribers')).rejects.toThrow(
        /permission denied/,
      );
    } finally {
      await client.end();
    }
  });
});
