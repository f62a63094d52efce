import { METRIC_CATALOGUE, METRIC_PREFIX } from '../../src/ops/metric-catalogue';
import { WebhookStage } from '../support/webhook-stage';
import { until } from '../support/until';

describe('metrics for each tenant and destination', () => {
  let stage: WebhookStage;

  beforeAll(async () => {
    // The second attempt is in an hour, so a delivery of the failing destination is waiting.
    stage = await WebhookStage.start({
      METRICS_PER_TENANT: 'true',
      TEST_RETRY_SCHEDULE: '0,3600',
    });
  });

  afterAll(() => stage.dispose());

  it('show attempts, waiting deliveries, and the age of the oldest', async () => {
    const healthy = await stage.addReceiver();
    const failing = await stage.addReceiver();
    failing.answerStatus(500);
    const filter = { event_types: ['ticket.submitted'] };
    const { id: good } = await stage.register(healthy.url, filter);
    const { id: bad } = await stage.register(failing.url, filter);
    await stage.submitTicket(await stage.createSubscriber());
    const createLabels = (destination: string): string =>
      `tenant="${stage.tenant.id}",environment="test",destination="${destination}"`;
    const metrics = await until('a delivered and a waiting event', async () => {
      const text = await (await fetch(`${stage.service.url}/metrics`)).text();
      const isThere = [
        `destination_attempts_total{${createLabels(good)},outcome="delivered"} 1`,
        `destination_waiting{${createLabels(bad)},state="retrying"} 1`,
      ].every((line) => text.includes(`subscription_service_${line}`));
      return isThere ? text : null;
    });
    const readValue = (metric: string): number => {
      const line = metrics.split('\n').find((each) => each.startsWith(metric));
      return Number(line?.split(' ').at(-1));
    };
    const name = 'subscription_service_destination_oldest_waiting_seconds';
    expect(readValue(`${name}{${createLabels(good)}}`)).toBe(0);
    expect(readValue(`${name}{${createLabels(bad)}}`)).toBeGreaterThan(0);
    expect(metrics).toContain(
      `subscription_service_destination_attempts_total{${createLabels(bad)},outcome="retry"} 1`,
    );
    expect(metrics).toContain(
      `subscription_service_destination_waiting{${createLabels(good)},state="ready"} 0`,
    );
  });

  it('are, together with those of the service, exactly the metrics of the catalogue', async () => {
    const text = await (await fetch(`${stage.service.url}/metrics`)).text();
    const shown = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)]
      .map(([, name = '', kind]) => [name, kind] as const)
      .filter(([name]) => name.startsWith(METRIC_PREFIX));
    const known = Object.entries(METRIC_CATALOGUE).map(([name, { kind }]) => [
      METRIC_PREFIX + name,
      kind,
    ]);
    expect(shown.sort()).toEqual(known.sort());
  });
});
