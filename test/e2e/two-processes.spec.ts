import { Cluster, describeWithPostgres } from '../support/cluster';
import type { TestTenant } from '../support/service';
import { until } from '../support/until';

const WRITES = 60;
/** The default limit of a tenant's destinations. */
const DESTINATIONS_MAX = 10;

describeWithPostgres('two processes on one subscriber', () => {
  let cluster: Cluster;
  let tenants: TestTenant[];

  beforeAll(async () => {
    cluster = await Cluster.start();
    const first = await cluster.join();
    await cluster.join();
    const operator = first.createOperatorApi(cluster.operatorToken);
    const { id } = (await operator.post('/operator/v1/tenants', { name: 'Acme Magazine' })).created;
    const issued = await operator.post(`/operator/v1/tenants/${String(id)}/api-keys`, {
      environment: 'test',
      name: 'tests',
    });
    const key = issued.created['key'] as string;
    tenants = cluster.services.map((service) => ({
      id: id as string,
      key,
      api: service.createApi(key),
    }));
    await until('the key in the other process', async () => {
      return (await tenants[1]!.api.get('/v1/tickets')).status === 200;
    });
  });

  afterAll(() => cluster.dispose());

  it('lose no update and return no conflict', async () => {
    const created = await tenants[0]!.api.post('/v1/subscribers', { email: 'ada@example.com' });
    const path = `/v1/subscribers/${String(created.created['id'])}`;
    const answers = await Promise.all(
      Array.from({ length: WRITES }, (_, i) =>
        tenants[i % 2]!.api.patch(path, {
          metadata: { [`k${i % 50}`]: `v${i}` },
          tags_add: [`t${i % 50}`],
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const sequences = answers.map(({ headers }) => Number(/\d+/.exec(headers.get('etag')!)![0]));
    // Each write was decided on a different version.
    expect(new Set(sequences).size).toBe(WRITES);
    const last = answers[sequences.indexOf(Math.max(...sequences))]!;
    const position = last.headers.get('x-service-log-position')!;
    for (const { api } of tenants) {
      const read = await api.get(path, { 'x-service-log-position': position });
      expect(read.ok).toEqual(last.ok);
      expect((read.ok['tags'] as string[]).length).toBe(50);
    }
  });

  it('run a command with one Idempotency-Key once', async () => {
    const created = await tenants[0]!.api.post('/v1/subscribers', { email: 'ben@example.com' });
    const ticket = { subscriber_id: created.created['id'], topic: 'other' };
    const submit = (i: number) =>
      tenants[i % 2]!.api.post('/v1/tickets', ticket, { 'idempotency-key': 'once' });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => submit(i)));
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    const again = await submit(1);
    expect(again.status).toBe(201);
    // The other process may have written it, and a read waits only for writes of its own process.
    const listed = `/v1/tickets?subscriber_id=${String(created.body['id'])}`;
    await until('the ticket', async () => (await tenants[0]!.api.get(listed)).data.length === 1);
  });

  it('share the limit of destinations, for new and for restored ones', async () => {
    const registerAt = (i: number) => {
      const url = `https://203.0.113.${i + 1}/hook`;
      return tenants[i % 2]!.api.post('/v1/destinations', { type: 'https_webhook', url });
    };
    const answers = await Promise.all(
      Array.from({ length: DESTINATIONS_MAX * 2 }, (_, i) => registerAt(i)),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(DESTINATIONS_MAX);
    expect(answers.filter(({ status }) => status !== 201).map(({ refusal }) => refusal)).toEqual(
      Array.from({ length: DESTINATIONS_MAX }, () => [422, 'destination_limit_reached', null]),
    );

    const [first, second] = made.map(({ body }) => `/v1/destinations/${String(body['id'])}`);
    for (const path of [first!, second!]) (await tenants[0]!.api.delete(path)).expect(200);
    (await registerAt(0)).expect(201);
    const restored = await Promise.all(
      [first!, second!].map((path, i) => tenants[i]!.api.post(`${path}/restore`)),
    );
    expect(restored.map(({ status }) => status).sort()).toEqual([200, 422]);
  });
});
