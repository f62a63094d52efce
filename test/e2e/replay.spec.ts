import { databases } from '../support/databases';
import { type Received, verify } from '../support/receiver';
import {
  expectBalanced,
  readCounts,
  type Envelope,
  ReplayStage,
  getToday,
} from '../support/replay-stage';
import { until } from '../support/until';

type Json = Record<string, unknown>;

describe.each(databases)('replay, on $name SQL', (database) => {
  let stage: ReplayStage;

  beforeAll(async () => {
    stage = await ReplayStage.start(database);
  }, 120_000);

  afterAll(() => stage.dispose());

  it('fills a destination that did not exist when the events were stored', async () => {
    const { receiver, destination } = await stage.newDestination();
    const job = await stage.request({ destination_id: destination.id });
    expect(job).toMatchObject({
      status: 'queued',
      destination_id: destination.id,
      estimated_event_count: stage.events.length,
      events_pending: stage.events.length,
      started_at: null,
      finished_at: null,
    });
    expect(job.replay_id).toMatch(/^rep_/);
    const end = await stage.waitForEnd(job.replay_id);
    expect(end['status']).toBe('completed');
    expect(readCounts(end)).toEqual([stage.events.length, stage.events.length, 0, 0, 0]);
    expect(receiver.eventIds.sort()).toEqual(stage.events.map(({ id }) => id).sort());
    for (const delivery of receiver.received) {
      verify(delivery, destination.signing_secret);
      expect(delivery.headers).toMatchObject({
        'x-service-replay-id': job.replay_id,
        'x-service-replay-attempt': '1',
        'x-service-replay-dedupe': 'skip_existing',
      });
    }
    expect(listOutOfOrder(receiver.received)).toEqual([]);
  });

  it('skips events that the destination has answered with a 2xx', async () => {
    const before = stage.live.receiver.received.length;
    const job = await stage.request({ destination_id: stage.live.destination.id });
    expect(readCounts(job)).toEqual([stage.events.length, 0, 0, 0, stage.events.length]);
    expect(job['estimated_event_count']).toBe(0);
    const end = await stage.waitForEnd(job.replay_id);
    expect([end['status'], ...readCounts(end)]).toEqual([
      'completed',
      stage.events.length,
      0,
      0,
      0,
      stage.events.length,
    ]);
    expect(stage.live.receiver.received).toHaveLength(before);
  });

  it('sends all events again with force_redeliver: the same bytes, the same stable signature', async () => {
    const originals = new Map(stage.live.receiver.received.map((each) => [each.event.id, each]));
    const before = stage.live.receiver.received.length;
    const job = await stage.request({
      destination_id: stage.live.destination.id,
      dedupe_strategy: 'force_redeliver',
    });
    expect((await stage.waitForEnd(job.replay_id))['events_delivered']).toBe(stage.events.length);
    const again = stage.live.receiver.received.slice(before);
    expect(again).toHaveLength(stage.events.length);
    for (const delivery of again) {
      const original = originals.get(delivery.event.id)!;
      expect(delivery.body).toBe(original.body);
      expect(delivery.headers['x-service-signature']).toBe(original.headers['x-service-signature']);
      expect(delivery.headers['x-service-replay-dedupe']).toBe('force_redeliver');
      verify(delivery, stage.live.destination.signing_secret);
    }
  });

  it('selects by window, type and subscriber, within the events that the destination receives', async () => {
    const from = stage.events[3]!.created_at;
    const to = stage.events[8]!.created_at;
    const inWindow = stage.events.filter(({ created_at: at }) => at >= from && at < to);
    const one = stage.subscribers[2]!;
    const cases: [Json, Json, Envelope[]][] = [
      [{}, { from, to }, inWindow],
      [
        {},
        { event_types: ['ticket.*'] },
        stage.events.filter(({ type }) => type.startsWith('ticket.')),
      ],
      [
        {},
        { subscriber_ids: [one] },
        stage.events.filter(({ subscriber }) => subscriber.id === one),
      ],
      [
        { event_types: ['ticket.*'] },
        { subscriber_ids: [one] },
        stage.events.filter(
          ({ subscriber, type }) => subscriber.id === one && type.startsWith('ticket'),
        ),
      ],
      [{}, { from: '2025-06-01T00:00:00Z', to: '2025-06-02T00:00:00Z' }, []],
    ];
    for (const [fields, filters, selected] of cases) {
      const { receiver, destination } = await stage.newDestination(fields);
      const job = await stage.request({ destination_id: destination.id, ...filters });
      const end = await stage.waitForEnd(job.replay_id);
      expect([end['status'], ...readCounts(end)]).toEqual([
        'completed',
        selected.length,
        selected.length,
        0,
        0,
        0,
      ]);
      expect(receiver.eventIds.sort()).toEqual(selected.map(({ id }) => id).sort());
    }
  });

  it('makes three attempts for an event, lists failures and can send only those again', async () => {
    const { receiver, destination } = await stage.newDestination();
    const bad = new Set(stage.events.filter((_, i) => i % 4 === 1).map(({ id }) => id));
    const once = stage.events[0]!.id;
    let failures = 1;
    receiver.answer(({ event }, response) => {
      const fail = bad.has(event.id) || (event.id === once && failures-- > 0);
      response.statusCode = fail ? 503 : 200;
      response.end('answer');
    });
    const job = await stage.request({ destination_id: destination.id });
    const end = await stage.waitForEnd(job.replay_id);
    expect(end['status']).toBe('completed_with_errors');
    expect(readCounts(end)).toEqual([
      stage.events.length,
      stage.events.length - bad.size,
      bad.size,
      0,
      0,
    ]);
    const listAttempts = (id: string) =>
      receiver.received
        .filter(({ event }) => event.id === id)
        .map(({ headers }) => headers['x-service-replay-attempt']);
    for (const id of bad) expect(listAttempts(id)).toEqual(['1', '2', '3']);
    expect(listAttempts(once)).toEqual(['1', '2']);

    const failed: Json[] = [];
    let cursor = '';
    do {
      const query = cursor === '' ? 'limit=2' : `limit=2&starting_after=${cursor}`;
      const page = (await stage.tenant.api.get(`/v1/replay/${job.replay_id}/failures?${query}`)).ok;
      failed.push(...(page['data'] as Json[]));
      cursor = (page['next_cursor'] as string | null) ?? '';
    } while (cursor !== '');
    expect(failed.map(({ event_id }) => event_id as string).sort()).toEqual([...bad].sort());
    expect(failed[0]).toMatchObject({ attempts: 3, last_status_code: 503, last_error: null });
    expect(Object.keys(failed[0]!)).toEqual([
      'event_id',
      'event_type',
      'attempts',
      'last_status_code',
      'last_error',
      'last_attempt_at',
    ]);

    receiver.answerStatus(200);
    const before = receiver.received.length;
    const retry = (await stage.post({ retry_of: job.replay_id })).expect(202);
    expect(retry).toMatchObject({
      destination_id: destination.id,
      retry_of: job.replay_id,
      dedupe_strategy: 'force_redeliver',
      from: job['from'],
      to: job['to'],
      estimated_event_count: bad.size,
    });
    const again = await stage.waitForEnd(retry['replay_id'] as string);
    expect([again['status'], ...readCounts(again)]).toEqual([
      'completed',
      bad.size,
      bad.size,
      0,
      0,
      0,
    ]);
    const sent = receiver.received.slice(before).map(({ event }) => event.id);
    expect(sent.sort()).toEqual([...bad].sort());
  });

  it('stops within a second of a cancellation and counts events that were in flight', async () => {
    const { receiver, destination } = await stage.newDestination({ max_in_flight: 2 });
    receiver.answer((_, response) => {
      setTimeout(() => response.end(), 150);
    });
    const job = await stage.request({ destination_id: destination.id });
    await until('the first delivery', () => receiver.received.length > 1);
    const cancelled = (await stage.tenant.api.delete(`/v1/replay/${job.replay_id}`)).ok;
    const cancelledAtMs = Date.now();
    expect(expectBalanced(cancelled)['status']).toBe('cancelled');
    const repeated = (await stage.tenant.api.delete(`/v1/replay/${job.replay_id}`)).ok;
    expect(repeated['status']).toBe('cancelled');
    const settled = await until('the requests under way', async () => {
      const now = await stage.get(job.replay_id);
      return now['events_delivered'] === receiver.received.length ? now : null;
    });
    expect(settled).toMatchObject({ status: 'cancelled', events_failed: 0 });
    expect(settled['events_pending']).toBe(stage.events.length - receiver.received.length);
    expect(settled['events_pending']).toBeGreaterThan(0);
    expect(Math.max(...receiver.received.map(({ atMs }) => atMs))).toBeLessThan(
      cancelledAtMs + 1_000,
    );
  });

  it('refuses to cancel a job that has ended', async () => {
    const { replay_id } = await stage.request({ destination_id: stage.live.destination.id });
    await stage.waitForEnd(replay_id);
    const answer = await stage.tenant.api.delete(`/v1/replay/${replay_id}`);
    expect(answer.refusal).toEqual([409, 'replay_not_cancellable', null]);
  });

  it('keeps the requested rate', async () => {
    const { receiver, destination } = await stage.newDestination();
    const job = await stage.request({ destination_id: destination.id, rate_per_second: 20 });
    const { started_at } = await stage.waitForEnd(job.replay_id);
    const lastMs = Math.max(...receiver.received.map(({ atMs }) => atMs));
    const seconds = (lastMs - Date.parse(started_at as string)) / 1_000;
    expect(seconds).toBeGreaterThan((stage.events.length - 1) / 20 - 0.1);
  });

  it('answers a dry run without creating a job', async () => {
    const { receiver, destination } = await stage.newDestination();
    const filters = {
      event_types: ['ticket.submitted'],
      subscriber_ids: stage.subscribers.slice(0, 2),
    };
    const answer = await stage.post({
      destination_id: destination.id,
      ...getToday(),
      ...filters,
      dry_run: true,
    });
    const selected = stage.events.filter(
      ({ type, subscriber }) =>
        type === 'ticket.submitted' && filters.subscriber_ids.includes(subscriber.id),
    );
    const selectEdge = ({ id, created_at }: Envelope) => ({ id, created_at });
    expect(answer.ok).toMatchObject({
      dry_run: true,
      destination_id: destination.id,
      estimated_event_count: 2,
      first_event: selectEdge(selected[0]!),
      last_event: selectEdge(selected[1]!),
    });
    const none = await stage.post({
      destination_id: destination.id,
      from: '2025-06-01T00:00:00Z',
      to: '2025-06-02T00:00:00Z',
      dry_run: true,
    });
    expect(none.ok).toMatchObject({
      estimated_event_count: 0,
      first_event: null,
      last_event: null,
    });
    const jobs = await stage.tenant.api.get(`/v1/replay?destination_id=${destination.id}`);
    expect(jobs.data).toEqual([]);
    expect(receiver.received).toEqual([]);
  });

  it('selects the members of its cohorts at acceptance, and named subscribers', async () => {
    const [member, named] = [stage.subscribers[1]!, stage.subscribers[4]!];
    const { api } = stage.tenant;
    (await api.patch(`/v1/subscribers/${member}`, { tags: ['vip'] })).expect(200);
    const definition = { tags_include: ['vip'] };
    const { id } = (await api.post('/v1/cohorts', { name: 'VIP', definition })).created;
    await until('the member', async () => {
      const { data } = await api.get(`/v1/cohorts/${String(id)}/members`);
      return data.some(({ subscriber_id }) => subscriber_id === member);
    });
    const { receiver, destination } = await stage.newDestination();
    const job = await stage.request({
      destination_id: destination.id,
      cohort_ids: [id],
      subscriber_ids: [named],
      to: new Date(Date.parse(stage.events.at(-1)!.created_at) + 1).toISOString(),
    });
    expect((await stage.waitForEnd(job.replay_id))['status']).toBe('completed');
    const selected = stage.events.filter(({ subscriber }) =>
      [member, named].includes(subscriber.id),
    );
    expect(receiver.eventIds.sort()).toEqual(selected.map((event) => event.id).sort());
  });

  it('lists jobs, newest first, and by status', async () => {
    const jobs = (await stage.tenant.api.get('/v1/replay?limit=100')).data;
    const at = jobs.map((job) => job['created_at'] as string);
    expect(at).toEqual([...at].sort().reverse());
    const failed = (await stage.tenant.api.get('/v1/replay?limit=100&status=completed_with_errors'))
      .data;
    expect(failed.map(({ replay_id }) => replay_id)).toEqual(
      jobs
        .filter(({ status }) => status === 'completed_with_errors')
        .map(({ replay_id }) => replay_id),
    );
  });
});

const listOutOfOrder = (received: readonly Received[]): string[] => {
  const highest = new Map<string, number>();
  return received.flatMap(({ event }) => {
    const { id } = event['subscriber'] as { id: string };
    const before = highest.get(id) ?? 0;
    highest.set(id, event.sequence);
    return event.sequence < before ? [`${id} ${event.sequence} after ${before}`] : [];
  });
};
