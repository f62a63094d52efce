import type { ServerResponse } from 'node:http';
import { until } from '../support/until';
import { WebhookStage } from '../support/webhook-stage';

describe('a receiver that answers 410', () => {
  let stage: WebhookStage;

  beforeAll(async () => {
    stage = await WebhookStage.start({ TEST_RETRY_SCHEDULE: '0,3600,3600' });
  });

  afterAll(() => stage.dispose());

  it('gets nothing more, and no delivery shows a next attempt', async () => {
    const { api } = stage;
    const inbox = await stage.addReceiver();
    inbox.answerStatus(500);
    const settings = { event_types: ['ticket.submitted'], max_in_flight: 2 };
    const { id } = await stage.register(inbox.url, settings);
    const listDeliveries = async () => (await api.get(`/v1/destinations/${id}/deliveries`)).data;
    await stage.submitTicket(await stage.createSubscriber(), 'waits for its retry');
    await until('a planned retry', async () => (await listDeliveries())[0]?.['next_attempt_at']);

    const held: ServerResponse[] = [];
    inbox.answer((_, response) => held.push(response));
    const sent = [
      stage.submitTicket(await stage.createSubscriber()),
      stage.submitTicket(await stage.createSubscriber()),
    ];
    await Promise.all(sent);
    await until('two attempts underway', () => held.length === 2);
    await stage.submitTicket(await stage.createSubscriber(), 'waits for a place');
    const [gone, slow] = held as [ServerResponse, ServerResponse];
    gone.writeHead(410).end();
    await until('the destination to be disabled', async () => {
      const { ok } = await api.get(`/v1/destinations/${id}`);
      return ok['disabled_reason'] === 'gone';
    });
    slow.writeHead(500).end();
    await until('the answers to be recorded', async () => {
      const codes = (await listDeliveries()).map((each) => each['last_status_code']);
      return codes.filter((code) => code === 410 || code === 500).length === 3;
    });
    const log = await listDeliveries();
    expect(log.map(({ next_attempt_at: at }) => at)).toEqual(log.map(() => null));
    expect(inbox.received).toHaveLength(3);

    inbox.answerStatus(200);
    (await api.patch(`/v1/destinations/${id}`, { status: 'active' })).expect(200);
    await until('every event', async () => {
      const delivered = (await listDeliveries()).filter(({ status }) => status === 'delivered');
      return delivered.length === 4;
    });
  });
});
