import { join } from 'node:path';
import { type CollectedSpan, OtlpCollector } from '../support/otlp-collector';
import { Receiver } from '../support/receiver';
import { Service } from '../support/service';
import { until } from '../support/until';

const nodeFlags = ['--require', join(__dirname, '../support/loaded-packages.cjs')];
const CLIENT_STEP = 'b7ad6b7169203331';
const SERVER = 2;
const ERROR = 2;

describe('spans', () => {
  let collector: OtlpCollector;
  let receiver: Receiver;
  let service: Service;

  afterAll(async () => {
    await service?.dispose();
    await receiver?.close();
  });

  /** Creates a delivered event from a request of this trace. */
  const causeEvent = async (traceId: string, flags: '00' | '01'): Promise<string> => {
    const { api } = await service.tenant();
    const destination = { type: 'https_webhook', url: receiver.url, event_types: ['ticket.*'] };
    const { id } = (await api.post('/v1/destinations', destination)).created;
    const person = { email: 'ada@example.com' };
    const subscriber_id = (await api.post('/v1/subscribers', person)).created['id'];
    const before = receiver.received.length;
    const ticket = { subscriber_id, topic: 'other', subject: 'Traced' };
    const traceparent = `00-${traceId}-${CLIENT_STEP}-${flags}`;
    (await api.post('/v1/tickets', ticket, { traceparent })).expect(201);
    await until('the webhook', () => receiver.received.length > before);
    const day = 86_400_000;
    const window = {
      from: new Date(Date.now() - day).toISOString(),
      to: new Date(Date.now() + day).toISOString(),
    };
    const job = { destination_id: id, ...window, dedupe_strategy: 'force_redeliver' };
    (await api.post('/v1/replay', job)).expect(202);
    await until('the replay', () => receiver.received.length > before + 1);
    return id as string;
  };

  const findOnlySpan = (spans: readonly CollectedSpan[], name: string): CollectedSpan => {
    const found = spans.filter((span) => span.name === name);
    expect(found.map((each) => each.name)).toEqual([name]);
    return found[0]!;
  };

  it('are not recorded, and no package of OpenTelemetry is loaded, if no collector is configured', async () => {
    receiver = await Receiver.start();
    service = await Service.start({ nodeFlags, env: { OTEL_SERVICE_NAME: 'unused' } });
    await causeEvent('a'.repeat(32), '01');
    expect(service.said).not.toContain('loaded @opentelemetry/');
    await service.stop();
  });

  it('show a request, its append, its projection, its delivery and its attempt', async () => {
    collector = await OtlpCollector.start();
    await service.run({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_SERVICE_NAME: 'the-shop',
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    });
    expect(service.said).toContain('loaded @opentelemetry/sdk-trace-node');
    const [unsampled, sampled] = ['b'.repeat(32), 'c'.repeat(32)];
    await causeEvent(unsampled, '00');
    await causeEvent(sampled, '01');
    const spans = await until('the spans of the trace', () => {
      const found = collector.listSpansOfTrace(sampled);
      return found.length >= 5 ? found : null;
    });
    const request = findOnlySpan(spans, 'request');
    expect(request).toMatchObject({ parentSpanId: CLIENT_STEP, kind: SERVER });
    for (const name of ['append', 'project', 'deliver']) {
      expect(findOnlySpan(spans, name).parentSpanId).toBe(request.spanId);
    }
    const attempt = findOnlySpan(spans, 'attempt');
    expect(attempt.parentSpanId).toBe(findOnlySpan(spans, 'deliver').spanId);
    expect(attempt.status.code).not.toBe(ERROR);
    const sent = receiver.received.map(({ headers }) => headers['traceparent']);
    expect(sent).toContain(`00-${sampled}-${attempt.spanId}-01`);
    for (const { startTimeUnixNano: start, endTimeUnixNano: end } of spans) {
      expect(BigInt(end) >= BigInt(start)).toBe(true);
      expect(Math.abs(Number(BigInt(start) / 1_000_000n) - Date.now())).toBeLessThan(600_000);
    }
    expect(collector.listSpansOfTrace(unsampled)).toEqual([]);
    expect([...collector.services]).toEqual(['the-shop']);
  });

  it('show a replay as a separate trace that is linked to the original one', async () => {
    const replay = await until('the span of the replay', () =>
      collector.spans.find(
        ({ name, traceId }) =>
          name === 'replay' && collector.listSpansOfTrace(traceId).some(isLinkedTo('c'.repeat(32))),
      ),
    );
    const spans = collector.listSpansOfTrace(replay.traceId);
    const deliver = findOnlySpan(spans, 'deliver');
    expect(deliver.parentSpanId).toBe(replay.spanId);
    expect(findOnlySpan(spans, 'attempt').parentSpanId).toBe(deliver.spanId);
  });

  it('contain nothing personal', () => {
    const all = collector.bodies.map(({ text }) => text).join('\n');
    expect(all).toContain('/v1/tickets');
    for (const secret of ['ada@example.com', 'Traced', receiver.url, 'whsec_']) {
      expect(all).not.toContain(secret);
    }
  });

  it('are sent as protobuf by default, and do no harm while the collector is down', async () => {
    await service.stop();
    await service.run({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER: 'always_on',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    });
    (await service.operator.get('/operator/v1/tenants')).expect(200);
    const body = await until('a body in protobuf', () =>
      collector.bodies.find(({ type }) => type === 'application/x-protobuf'),
    );
    expect(body.text).toContain('subscription-event-service');
    expect(body.text).toContain('/operator/v1/tenants');
    await collector.close();
    await causeEvent('d'.repeat(32), '01');
    expect(await service.stop()).toBe(0);
  });
});

const isLinkedTo =
  (traceId: string) =>
  ({ links = [] }: CollectedSpan): boolean =>
    links.some((link) => link.traceId === traceId);
