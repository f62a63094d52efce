import { until } from '../support/until';
import { WebhookStage } from '../support/webhook-stage';

/**
 * The retry schedule in seconds. It has two attempts, and the second is not due while the test
 * runs.
 */
const SCHEDULE = '0,3600';

describe('manual retries of a delivery', () => {
  let stage: WebhookStage;

  beforeAll(async () => {
    stage = await WebhookStage.start({ TEST_RETRY_SCHEDULE: SCHEDULE });
  });

  afterAll(() => stage.dispose());

  it('do not change the schedule of one that waits, also after a restart', async () => {
    const { api } = stage;
    const inbox = await stage.addReceiver();
    inbox.answerStatus(500);
    const { id } = await stage.register(inbox.url, { event_types: ['ticket.submitted'] });
    const event = await stage.findTicketEvent(
      await stage.submitTicket(await stage.createSubscriber()),
    );
    const path = `/v1/destinations/${id}/deliveries/${event.id}`;
    const waitForAttempts = (count: number) =>
      until(`attempt ${count}`, async () => {
        const { body } = await api.get(path);
        return body['attempt_count'] === count ? body : null;
      });
    const { next_attempt_at } = await waitForAttempts(1);
    expect(Date.parse(String(next_attempt_at)) - Date.now()).toBeGreaterThan(3_000_000);
    const waits = { status: 'pending', next_attempt_at };

    for (const count of [2, 3]) {
      (await api.post(`${path}/retry`)).expect(202);
      expect(await waitForAttempts(count)).toMatchObject(waits);
    }
    await stage.service.stop();
    await stage.service.run();
    (await api.post(`${path}/retry`)).expect(202);
    expect(await waitForAttempts(4)).toMatchObject(waits);
    expect(inbox.received.map(({ headers }) => headers['x-service-attempt'])).toEqual([
      '1',
      '2',
      '3',
      '4',
    ]);

    inbox.answerStatus(200);
    (await api.post(`${path}/retry`)).expect(202);
    expect(await waitForAttempts(5)).toMatchObject({ status: 'delivered', next_attempt_at: null });
  });

  it.each([200, 500])(
    'have numbers of their own if they are asked for at once, after a %i',
    async (status) => {
      const { api } = stage;
      const inbox = await stage.addReceiver();
      inbox.answerStatus(status);
      const { id } = await stage.register(inbox.url, { event_types: ['ticket.submitted'] });
      const event = await stage.findTicketEvent(
        await stage.submitTicket(await stage.createSubscriber()),
      );
      const path = `/v1/destinations/${id}/deliveries/${event.id}`;
      await until(
        'the first attempt',
        async () => (await api.get(path)).body['attempt_count'] === 1,
      );
      const listNumbers = () =>
        inbox.received.map(({ headers }) => Number(headers['x-service-attempt']));
      // Requests that arrive before their attempt starts share one attempt, so they are repeated until
      // three attempts were made.
      await until('three attempts', async () => {
        const asked = [api.post(`${path}/retry`), api.post(`${path}/retry`)];
        for (const answer of await Promise.all(asked)) answer.expect(202);
        return inbox.received.length >= 3;
      });
      await until('every attempt in the log', async () => {
        return (await api.get(path)).body['attempt_count'] === inbox.received.length;
      });
      expect(listNumbers()).toEqual(listNumbers().map((_, index) => index + 1));
      await stage.forget(id);
    },
  );
});
