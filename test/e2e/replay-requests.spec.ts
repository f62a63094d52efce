import { databases } from '../support/databases';
import { HOUR_MS, ReplayStage, getToday } from '../support/replay-stage';

type Json = Record<string, unknown>;

describe.each(databases)('requests for replays, on $name SQL', (database) => {
  let stage: ReplayStage;

  beforeAll(async () => {
    stage = await ReplayStage.start(database);
  }, 120_000);

  afterAll(() => stage.dispose());

  it('run three at a time per environment', async () => {
    const { destination } = await stage.newDestination();
    const body = { destination_id: destination.id, rate_per_second: 0.1 };
    const jobs = await Promise.all([stage.request(body), stage.request(body), stage.request(body)]);
    const fourth = await stage.post({ ...getToday(), ...body });
    expect(fourth.refusal).toEqual([429, 'too_many_concurrent_replays', null]);
    expect(fourth.headers.get('x-service-rate-limited-reason')).toBe('key-concurrency');
    expect(fourth.headers.get('retry-after')).toBe('20');
    for (const { replay_id } of jobs)
      (await stage.tenant.api.delete(`/v1/replay/${replay_id}`)).expect(200);
    const next = await stage.request({ destination_id: destination.id });
    expect((await stage.waitForEnd(next.replay_id))['status']).toBe('completed');
  });

  it('create one job for a repeated request', async () => {
    const { api } = stage.tenant;
    const body = { destination_id: stage.live.destination.id, ...getToday() };
    const headers = { 'idempotency-key': 'one job' };
    const [first, second] = [
      await api.post('/v1/replay', body, headers),
      await api.post('/v1/replay', body, headers),
    ];
    expect(second.expect(202)).toEqual(first.expect(202));
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.headers.get('location')).toBe(`/v1/replay/${String(first.body['replay_id'])}`);
  });

  describe('are checked', () => {
    const cases: [string, (day: Json) => Json, [number, string, string | null]][] = [
      [
        'no destination',
        ({ destination_id: _, ...rest }) => rest,
        [400, 'parameter_missing', 'destination_id'],
      ],
      ['no from', ({ from: _, ...rest }) => rest, [400, 'parameter_missing', 'from']],
      ['no to', ({ to: _, ...rest }) => rest, [400, 'parameter_missing', 'to']],
      [
        'a from that is no time',
        (b) => ({ ...b, from: 'yesterday' }),
        [400, 'parameter_invalid', 'from'],
      ],
      [
        'a from of 25 months ago',
        (b) => ({ ...b, from: getMonthsAgo(25) }),
        [400, 'invalid_replay_window', 'from'],
      ],
      [
        'a from in the future',
        (b) => ({ ...b, from: getHoursAhead(1), to: getHoursAhead(2) }),
        [400, 'invalid_replay_window', 'from'],
      ],
      ['an empty window', (b) => ({ ...b, to: b['from'] }), [400, 'invalid_replay_window', 'to']],
      [
        'an unknown destination',
        (b) => ({ ...b, destination_id: 'dest_0000000000000000' }),
        [404, 'resource_not_found', 'destination_id'],
      ],
      [
        'no event types',
        (b) => ({ ...b, event_types: [] }),
        [400, 'parameter_invalid', 'event_types'],
      ],
      [
        'an unknown event type',
        (b) => ({ ...b, event_types: ['nothing.*'] }),
        [400, 'parameter_invalid', 'event_types'],
      ],
      [
        'an unknown subscriber',
        (b) => ({ ...b, subscriber_ids: ['subscriber_0000000000000000'] }),
        [404, 'resource_not_found', 'subscriber_ids'],
      ],
      [
        'an unknown cohort',
        (b) => ({ ...b, cohort_ids: ['cohort_0000000000000000'] }),
        [404, 'resource_not_found', 'cohort_ids'],
      ],
      [
        'no subscribers',
        (b) => ({ ...b, subscriber_ids: [] }),
        [400, 'parameter_invalid', 'subscriber_ids'],
      ],
      [
        '501 subscribers',
        (b) => ({ ...b, subscriber_ids: Array.from({ length: 501 }, (_, i) => `subscriber_${i}`) }),
        [400, 'parameter_invalid', 'subscriber_ids'],
      ],
      [
        '501 cohorts',
        (b) => ({ ...b, cohort_ids: Array.from({ length: 501 }, (_, i) => `cohort_${i}`) }),
        [400, 'parameter_invalid', 'cohort_ids'],
      ],
      [
        'an unknown strategy',
        (b) => ({ ...b, dedupe_strategy: 'maybe' }),
        [400, 'parameter_invalid', 'dedupe_strategy'],
      ],
      ['an unknown field', (b) => ({ ...b, until: 'now' }), [400, 'parameter_unknown', 'until']],
      [
        'an unknown replay to retry',
        () => ({ retry_of: 'rep_0000000000000000' }),
        [404, 'resource_not_found', 'retry_of'],
      ],
      [
        'a retry with a window',
        (b) => ({ from: b['from'], retry_of: 'rep_0000000000000000' }),
        [400, 'parameter_invalid', 'from'],
      ],
    ];

    it.each(cases)('are refused for %s', async (_, change, refusal) => {
      const body = { destination_id: stage.live.destination.id, ...getToday() };
      expect((await stage.post(change(body))).refusal).toEqual(refusal);
    });

    it('are refused for event types that the destination does not receive', async () => {
      const { destination } = await stage.newDestination({ event_types: ['ticket.*'] });
      const body = { destination_id: destination.id, ...getToday(), event_types: ['payment.*'] };
      expect((await stage.post(body)).refusal).toEqual([
        422,
        'event_types_not_subscribed',
        'event_types',
      ]);
    });

    it('are accepted for a window of exactly 24 months, also a minute late', async () => {
      const from = new Date(Date.parse(getMonthsAgo(24)) - 50_000).toISOString();
      const body = {
        destination_id: stage.live.destination.id,
        from,
        to: getToday().to,
        dry_run: true,
      };
      expect((await stage.post(body)).ok['estimated_event_count']).toBe(0);
    });

    it('are refused for jobs, destinations and subscribers of the other environment', async () => {
      const { replay_id } = await stage.request({ destination_id: stage.live.destination.id });
      const other = await stage.service.createKey(stage.tenant.id, 'live');
      for (const answer of [
        await other.api.get(`/v1/replay/${replay_id}`),
        await other.api.get(`/v1/replay/${replay_id}/failures`),
        await other.api.delete(`/v1/replay/${replay_id}`),
      ]) {
        expect(answer.refusal).toEqual([404, 'resource_not_found', 'replay_id']);
      }
      const body = { destination_id: stage.live.destination.id, ...getToday() };
      expect((await other.api.post('/v1/replay', body)).refusal).toEqual([
        404,
        'resource_not_found',
        'destination_id',
      ]);
      expect((await other.api.get('/v1/replay')).data).toEqual([]);
      await stage.waitForEnd(replay_id);
    });
  });
});

const getMonthsAgo = (months: number): string => {
  const at = new Date();
  at.setUTCMonth(at.getUTCMonth() - months);
  return at.toISOString();
};

const getHoursAhead = (hours: number): string =>
  new Date(Date.now() + hours * HOUR_MS).toISOString();
