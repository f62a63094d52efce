import { until } from '../support/until';
import { WebhookStage } from '../support/webhook-stage';

/**
 * The retry schedule in seconds. It has two attempts, and the second is not due while the test
 * runs.
 */
const SCHEDULE = '0,3600';

describe('manual retries of a waiting delivery', () => {
  let stage: WebhookStage;

  beforeAll(async () => {
    stage = await WebhookStage.start({ TEST_RETRY_SCHEDULE: SCHEDULE });
  });

  afterAll(() => stage.dispose());

  it('do not change the schedule, also after a restart', async () => {
    const { api } = stage;
    const inbox = await stage.receiver();
    inbox.answerStatus(500);
    const { id } = await stage.register(inbox.url, { event_types: ['ticket.submitted'] });
    const event = await stage.eventOf(await stage.ticket(await stage.subscriber()));
    const path = `/v1/destinations/${id}/deliveries/${event.id}`;
    const attempted = (count: number) =>
      until(`attempt ${count}`, async () => {
        const { body } = await api.get(path);
        return body['attempt_count'] === count ? body : null;
      });
    const { next_attempt_at } = await attempted(1);
    expect(Date.parse(String(next_attempt_at)) - Date.now()).toBeGreaterThan(3_000_000);
    const waits = { status: 'pending', next_attempt_at };

    for (const count of [2, 3]) {
      (await api.post(`${path}/retry`)).expect(202);
      expect(await attempted(count)).toMatchObject(waits);
    }
    await stage.service.stop();
    await stage.service.run();
    (await api.post(`${path}/retry`)).expect(202);
    expect(await attempted(4)).toMatchObject(waits);
    expect(inbox.received.map(({ headers }) => headers['x-service-attempt'])).toEqual([
      '1',
      '2',
      '3',
      '4',
    ]);

    inbox.answerStatus(200);
    (await api.post(`${path}/retry`)).expect(202);
    expect(await attempted(5)).toMatchObject({ status: 'delivered', next_attempt_at: null });
  });
});
