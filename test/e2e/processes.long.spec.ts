import { hasEnded, WAIT_LIMIT_MS, ProcessStage } from '../support/process-stage';
import { OtlpCollector, type SentSpan } from '../support/otlp-collector';
import { until } from '../support/until';

const NAMES = ['event-store', 'sql', 'api', 'projector', 'dispatcher-1', 'dispatcher-2'];

describe('several processes under one supervisor, killed', () => {
  let stage: ProcessStage;

  beforeAll(async () => {
    stage = await ProcessStage.start(4);
  }, WAIT_LIMIT_MS);

  afterAll(() => stage.dispose());

  it.each(NAMES)(
    'deliver everything that was accepted when %s is killed',
    (name) => stage.killAndExpectNoLoss(name),
    4 * WAIT_LIMIT_MS,
  );

  const readStatus = async (): Promise<number> => {
    const [subscriber = ''] = stage.subscribers;
    return (await stage.tenant.api.get(`/v1/subscribers/${subscriber}`)).status;
  };

  it('continue with the same data after SIGTERM', async () => {
    expect(await stage.service.stop()).toBe(0);
    await stage.service.run();
    expect(await readStatus()).toBe(200);
  });

  it('each send the spans of their own work, of an event and of its replay', async () => {
    const collector = await OtlpCollector.start();
    await stage.service.stop();
    await stage.service.run({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_TRACES_SAMPLER: 'always_on',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    });
    try {
      const { api } = stage.tenant;
      const ticket = { subscriber_id: stage.subscribers[0], topic: 'other', subject: 'traced' };
      const traceId = 'e'.repeat(32);
      const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
      const created = (await api.post('/v1/tickets', ticket, { traceparent })).created;
      const listProcessesPerTrace = (spans: readonly SentSpan[]): string[][] =>
        spans.map(({ name, process = '' }) => [name, process.replace(/-\d$/, '')]).sort();
      await until(
        'the spans of the event',
        () => collector.listSpansOfTrace(traceId).length >= 5,
        WAIT_LIMIT_MS,
      );
      expect(listProcessesPerTrace(collector.listSpansOfTrace(traceId))).toEqual([
        ['append', 'api'],
        ['attempt', 'dispatcher'],
        ['deliver', 'dispatcher'],
        ['project', 'projector'],
        ['request', 'api'],
      ]);
      const from = String(created['created_at']);
      const to = new Date(Date.parse(from) + 60_000).toISOString();
      const [destination] = (await api.get('/v1/destinations')).data;
      const window = { from, to, dedupe_strategy: 'force_redeliver' };
      (await api.post('/v1/replay', { destination_id: destination!['id'], ...window })).expect(202);
      const replay = await until(
        'the span of the replay',
        () => collector.spans.find(({ name }) => name === 'replay'),
        WAIT_LIMIT_MS,
      );
      expect(replay.process).toMatch(/^dispatcher-\d$/);
    } finally {
      await collector.close();
    }
  });

  it('end with their supervisor, so that one process can use the data', async () => {
    const pids = [...stage.listProcessIds().values()];
    expect(pids).toHaveLength(NAMES.length);
    await stage.service.kill();
    await until('the end of the processes', () => pids.every(hasEnded));
    await stage.service.run({ PROCESSES: '1' });
    expect(stage.listProcessIds().size).toBe(0);
    expect(await readStatus()).toBe(200);
  });
});
