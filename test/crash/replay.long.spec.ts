import { databases } from '../support/databases';
import { Receiver } from '../support/receiver';
import { expectBalanced } from '../support/replay-stage';
import { type Seeded, seedHistory } from '../support/seed';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

type Json = Record<string, unknown>;

/**
 * The number of events. `REPLAY_EVENTS=1000000` is the large case; a tenth of the events is
 * replayed.
 */
const EVENTS = Number(process.env['REPLAY_EVENTS'] ?? 3_000);
const SUBSCRIBERS = Math.max(20, Math.ceil(EVENTS / 5_000));
const KILLS = 3;
const IN_FLIGHT_MAX = 50;
/**
 * The share of events that always fail. The event decides this, so that the test knows which ones
 * fail.
 */
const ALWAYS_FAILING = 1 / 100;
const FAILING_AT_RANDOM = 1 / 100;
const DAY_MS = 24 * 3_600_000;
const WAIT_LIMIT_MS = 60_000 + EVENTS;

describe.each(databases)('kill -9 during a replay, on $name SQL', (database) => {
  let service: Service;
  let tenant: TestTenant;
  let receiver: Receiver;
  let history: Seeded;
  const toMs = Date.now() - DAY_MS;
  const fromMs = toMs - 300 * DAY_MS;

  beforeAll(async () => {
    service = await Service.start({ database, env: { REPLAY_RETRY_SCHEDULE: '0,0.2,0.2' } });
    tenant = await service.tenant();
    history = await seedHistory(service, tenant, {
      subscribers: SUBSCRIBERS,
      events: EVENTS,
      fromMs,
      toMs,
    });
    receiver = await Receiver.start();
  }, WAIT_LIMIT_MS);

  afterAll(async () => {
    await service.dispose();
    await receiver.close();
  });

  it(
    'delivers exactly the selected events and counts them exactly',
    async () => {
      receiver.answer(({ event }, response) => {
        const fails = isHopeless(event.id) || Math.random() < FAILING_AT_RANDOM;
        response.statusCode = fails ? 500 : 200;
        response.end();
      });
      const destination = (
        await service.operator.post(`/operator/v1/tenants/${tenant.id}/destinations`, {
          type: 'https_webhook',
          url: receiver.url,
          environment: 'test',
          max_in_flight: IN_FLIGHT_MAX,
        })
      ).created;

      // The selection covers a fifth of the time and half of the subscribers.
      const window = { fromMs: fromMs + 100 * DAY_MS, toMs: fromMs + 160 * DAY_MS };
      const chosen = new Set(history.subscriberIds.filter((_, i) => i % 2 === 0).slice(0, 500));
      const selected = history.events.filter(
        ({ subscriberId, createdAtMs }) =>
          chosen.has(subscriberId) && createdAtMs >= window.fromMs && createdAtMs < window.toMs,
      );
      const request = {
        destination_id: destination['id'],
        from: new Date(window.fromMs).toISOString(),
        to: new Date(window.toMs).toISOString(),
        subscriber_ids: [...chosen],
        rate_per_second: Math.max(250, selected.length / 30),
      };
      const job = await until(
        'an index of the history',
        async () => {
          const answer = await tenant.api.post('/v1/replay', request);
          return answer.status === 202 ? answer.body : null;
        },
        WAIT_LIMIT_MS,
      );
      expect(job['events_matched']).toBe(selected.length);
      const id = job['replay_id'] as string;

      for (let kill = 1; kill <= KILLS; kill += 1) {
        const due = (selected.length * kill) / (KILLS + 1);
        await until('a part of it', () => receiver.eventIds.length >= due, WAIT_LIMIT_MS);
        await service.kill();
        await service.run();
      }

      const end = await until(
        'the end',
        async () => {
          const answer = await tenant.api.get(`/v1/replay/${id}`).catch(() => null);
          if (answer?.status !== 200) return null;
          expectBalanced(answer.body);
          return answer.body['finished_at'] === null ? null : answer.body;
        },
        WAIT_LIMIT_MS,
      );
      const hopeless = selected.filter((event) => isHopeless(event.id));
      expect(end).toMatchObject({
        status: hopeless.length > 0 ? 'completed_with_errors' : 'completed',
        events_matched: selected.length,
        events_delivered: selected.length - hopeless.length,
        events_failed: hopeless.length,
        events_pending: 0,
        events_skipped: 0,
      });
      expect(receiver.eventIds.sort()).toEqual(selected.map((event) => event.id).sort());
      expect((await listFailures(tenant, id)).sort()).toEqual(hopeless.map((e) => e.id).sort());

      const accepted = receiver.received.filter(({ event }) => !isHopeless(event.id)).length;
      const repeated = accepted - (selected.length - hopeless.length);
      console.log(
        `${selected.length} of ${EVENTS} events replayed, ${hopeless.length} failed, ` +
          `${repeated} sent more than once (${KILLS} kills, random failures included)`,
      );
      expect(repeated).toBeLessThanOrEqual(KILLS * IN_FLIGHT_MAX + selected.length * 0.05);
    },
    3 * WAIT_LIMIT_MS,
  );
});

const isHopeless = (eventId: string): boolean => {
  let hash = 0;
  for (const char of eventId) hash = (hash * 31 + char.charCodeAt(0)) % 10_007;
  return hash < 10_007 * ALWAYS_FAILING;
};

const listFailures = async (tenant: TestTenant, id: string): Promise<string[]> => {
  const ids: string[] = [];
  let query = 'limit=100';
  for (;;) {
    const { ok } = await tenant.api.get(`/v1/replay/${id}/failures?${query}`);
    ids.push(...(ok['data'] as Json[]).map((failure) => failure['event_id'] as string));
    if (ok['has_more'] !== true) return ids;
    query = `limit=100&starting_after=${String(ok['next_cursor'])}`;
  }
};
