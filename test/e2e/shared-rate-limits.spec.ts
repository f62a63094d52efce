import { Cluster, describeWithPostgres } from '../support/cluster';
import { until } from '../support/until';

const REPLAYS_PER_MINUTE = 3;

describeWithPostgres('two processes that share a limit', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await Cluster.start({ RATE_LIMIT_REPLAY: String(REPLAYS_PER_MINUTE) });
    await cluster.join();
    await cluster.join();
  });

  afterAll(() => cluster.dispose());

  it('let a key call POST /replay three times a minute in total', async () => {
    const [first, second] = cluster.services;
    const operator = first!.createOperatorApi(cluster.operatorToken);
    const { id } = (await operator.post('/operator/v1/tenants', { name: 'Acme Magazine' })).created;
    const issued = await operator.post(`/operator/v1/tenants/${String(id)}/api-keys`, {
      environment: 'test',
      name: 'tests',
    });
    const apis = [first!, second!].map((service) =>
      service.createApi(issued.created['key'] as string),
    );
    await until('the key in the other process', async () => {
      return (await apis[1]!.get('/v1/replay')).status === 200;
    });
    const answers = await Promise.all(
      Array.from({ length: 4 * REPLAYS_PER_MINUTE }, (_, i) =>
        // The bodies are invalid in different ways, because refused calls count as well.
        apis[i % 2]!.post('/v1/replay', i % 3 === 0 ? {} : { unknown: true }),
      ),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.length - refused.length).toBe(REPLAYS_PER_MINUTE);
    for (const { headers, refusal } of refused) {
      expect(refusal[1]).toBe('rate_limited');
      expect(headers.get('x-service-rate-limited-reason')).toBe('endpoint-rate');
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(1);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60 / REPLAYS_PER_MINUTE);
    }
  });
});
