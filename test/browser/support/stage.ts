import type { ServerResponse } from 'node:http';
import type { Api } from '../../support/api';
import { Receiver } from '../../support/receiver';
import type { TestTenant } from '../../support/service';
import { until } from '../../support/until';

type Json = Record<string, unknown>;

/** Text that would run if any page showed it as HTML. */
export const SCRIPT = '<img src=x onerror="document.title=\'broken\'"><script>alert(1)</script>';

/** An address that is wider than a telephone. */
const LONG_EMAIL = 'somebody.with.a.very.long.name.indeed@a-subdomain.of.some-company.example.com';

/** The ids with which pages are opened: those of a tenant that has at least one object of each kind. */
export interface Stage {
  readonly receiver: Receiver;
  readonly destinationId: string;
  readonly failingId: string;
  readonly subscriberId: string;
  readonly eventId: string;
  /** An event whose delivery to the failing destination has failed more than once. */
  readonly failedEventId: string;
  readonly ticketId: string;
  readonly cohortId: string;
  readonly motionId: string;
  readonly replayId: string;
}

const refuse = (_: unknown, response: ServerResponse): void => {
  response.statusCode = 500;
  response.setHeader('content-type', 'text/html');
  response.end(`<h1>Internal error</h1>${SCRIPT}`);
};

/** Fills a test environment: destinations good and bad, subscribers, payments, tickets, growth. */
export const fillTenant = async ({ api }: TestTenant, subscribers = 300): Promise<Stage> => {
  const receiver = await Receiver.start((received, response) => {
    if (received.path.startsWith('/broken')) refuse(received, response);
    else response.end('ok');
  });
  const destinationId = await makeDestination(api, {
    url: receiver.url,
    description: 'Billing backend',
  });
  const failingId = await makeDestination(api, {
    url: receiver.url.replace('/hook', '/broken'),
    description: 'Old warehouse',
    event_types: ['payment.*', 'subscription.*'],
    pii_mode: 'minimal',
  });
  await api.post('/v1/test_helpers/seed', { subscribers });
  await makePlans(api);
  const cohortId = (
    await api.post('/v1/cohorts', {
      name: 'Active readers',
      description: 'Everybody with an active subscription.',
      definition: { status: ['active'] },
    })
  ).created['id'] as string;
  const played = await playScenarios(api);
  const subscriberId = await makeSubscriber(api);
  await api.post('/v1/subscribers', { email: LONG_EMAIL, external_id: 'x'.repeat(200) });
  const ticketId = await makeTickets(api, subscriberId);
  await receiver.next('ticket.submitted');
  const motionId = await makeMotion(api);
  const events = (await api.get(`/v1/subscribers/${subscriberId}/events?limit=100`)).data;
  const replayId = await replayTo(api, destinationId);
  const failed = await until('a delivery that fails', async () => {
    const { data } = await api.get(`/v1/destinations/${failingId}/deliveries?limit=10`);
    return data.find(({ attempt_count: count }) => Number(count) > 1);
  });
  return {
    receiver,
    destinationId,
    failingId,
    subscriberId: played[0] ?? subscriberId,
    eventId: String(events[0]?.['id']),
    failedEventId: String(failed['event_id']),
    ticketId,
    cohortId,
    motionId,
    replayId,
  };
};

const makeDestination = async (api: Api, body: Json): Promise<string> => {
  const created = await api.post('/v1/destinations', { type: 'https_webhook', ...body });
  return created.created['id'] as string;
};

const makePlans = async (api: Api): Promise<void> => {
  const plans = [
    ['digital', { name: 'Digital', amount: 900, currency: 'USD', interval: 'month' }],
    [
      'print',
      { name: `Print ${SCRIPT.slice(0, 60)}`, amount: 14_900, currency: 'USD', interval: 'year' },
    ],
  ] as const;
  for (const [id, body] of plans) await api.put(`/v1/plans/${id}`, body);
};

const playScenarios = async (api: Api): Promise<string[]> => {
  const ids: string[] = [];
  for (const name of ['dunning_recovered', 'trial_convert', 'dunning_lost', 'cancel_save']) {
    const played = (await api.post(`/v1/test_helpers/scenarios/${name}`)).expect(202);
    ids.push(String(played['subscriber_id']));
  }
  return ids;
};

/** A subscriber whose own words try to be HTML. */
const makeSubscriber = async (api: Api): Promise<string> => {
  const subscriber = (
    await api.post('/v1/subscribers', {
      email: 'ada@example.com',
      external_id: SCRIPT,
      tags: ['vip', 'newsletter'],
      metadata: { name: SCRIPT },
    })
  ).created;
  const id = String(subscriber['id']);
  await api.post('/v1/subscriptions', {
    subscriber_id: id,
    plan: 'digital',
    payment_method: 'pm_test_ok',
  });
  return id;
};

const makeTickets = async (api: Api, subscriberId: string): Promise<string> => {
  let first = '';
  for (const [topic, subject] of [
    ['refund_request', SCRIPT],
    ['payment_issue', 'My card was charged twice'],
    ['billing_question', 'Where do I find my invoice?'],
  ]) {
    const ticket = { subscriber_id: subscriberId, topic, subject, body: `Hello. ${SCRIPT}` };
    const { id } = (await api.post('/v1/tickets', ticket)).created;
    first ||= String(id);
  }
  return first;
};

const makeMotion = async (api: Api): Promise<string> => {
  const { data } = await api.get('/v1/motions');
  return String(data[0]?.['id']);
};

const replayTo = async (api: Api, destinationId: string): Promise<string> => {
  const day = 86_400_000;
  const asked = await api.post('/v1/replay', {
    destination_id: destinationId,
    from: new Date(Date.now() - 30 * day).toISOString(),
    to: new Date().toISOString(),
    dedupe_strategy: 'force_redeliver',
  });
  return String(asked.expect(202)['replay_id']);
};
