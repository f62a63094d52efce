import { ClockedSubscriber } from '../support/billing';
import { databases } from '../support/databases';
import { Receiver } from '../support/receiver';
import { RunningService, type SharedService, type TestTenant } from '../support/service';
import { until } from '../support/until';

type Json = Record<string, unknown>;

const ENTERED = 'cohort.entered';

describe.each(databases)('cohorts, on $name SQL', (database) => {
  let service: SharedService;
  let tenant: TestTenant;

  beforeAll(async () => {
    service = await RunningService.shared(database);
    tenant = await service.tenant();
  });

  const register = async (tags: string[] = []): Promise<string> => {
    const body = { email: 'ada@example.com', tags };
    return (await tenant.api.post('/v1/subscribers', body)).created['id'] as string;
  };

  const createCohort = async (definition: Json, name = 'A cohort'): Promise<Json> =>
    (await tenant.api.post('/v1/cohorts', { name, definition })).created;

  const listMembers = async ({ id }: Json): Promise<unknown[]> =>
    (await tenant.api.get(`/v1/cohorts/${id as string}/members?limit=100`)).data.map(
      ({ subscriber_id }) => subscriber_id,
    );

  const listEvents = async (subscriberId: string): Promise<Json[]> =>
    (
      await tenant.api.get(
        `/v1/events?order=asc&event_types=cohort.*&subscriber_id=${subscriberId}`,
      )
    ).data;

  it('have subscribers that matched at creation as members, without events', async () => {
    const [vip, other] = [await register(['early']), await register()];
    const created = await createCohort({ tags_include: ['early'] }, 'Early');
    expect(created).toEqual({
      id: expect.stringMatching(/^cohort_/) as string,
      name: 'Early',
      description: null,
      definition: { tags_include: ['early'] },
      member_count: 1,
      used_by_motions: [],
      created_at: expect.any(String) as string,
      updated_at: created['created_at'],
    });
    expect(await listMembers(created)).toEqual([vip]);
    expect(await listEvents(vip)).toEqual([]);
    const id = created['id'] as string;
    expect((await tenant.api.get(`/v1/subscribers/${vip}`)).ok['cohort_ids']).toEqual([id]);
    expect((await tenant.api.get(`/v1/subscribers/${other}`)).ok['cohort_ids']).toEqual([]);
    const noted = (await tenant.api.patch(`/v1/subscribers/${vip}`, { metadata: { a: 'b' } })).ok;
    expect(noted['cohort_ids']).toEqual([id]);
    const filtered = (await tenant.api.get(`/v1/subscribers?cohort_id=${id}`)).data;
    expect(filtered.map((each) => each['id'])).toEqual([vip]);
  });

  it('are entered and left as subscribers change, and destinations receive the events', async () => {
    const receiver = await Receiver.start();
    const hook = { type: 'https_webhook', url: receiver.url, event_types: ['cohort.*'] };
    (await tenant.api.post('/v1/destinations', hook)).expect(201);
    (await tenant.api.put('/v1/plans/pro', PLAN)).expect(200);
    const active = await createCohort({ status: ['active'], plan_ids: ['pro'] }, 'Active');
    const id = await register();
    const subscription = { subscriber_id: id, plan: 'pro', payment_method: 'pm_test_ok' };
    const { id: sub } = (await tenant.api.post('/v1/subscriptions', subscription)).created;
    const entered = await receiver.next('cohort.entered');
    expect(entered.event).toMatchObject({
      subscriber: { id },
      data: {
        cohort_id: active['id'],
        cohort_name: 'Active',
        reason: 'subscriber_changed',
        actor: 'system',
      },
    });
    await tenant.api.post(`/v1/subscriptions/${sub as string}/pause`, { effective: 'immediately' });
    expect((await receiver.next('cohort.exited')).event['data']).toMatchObject({
      cohort_id: active['id'],
    });
    await until('the exit', async () => (await listMembers(active)).length === 0);
    expect((await listEvents(id)).map(({ type }) => type)).toEqual([
      'cohort.entered',
      'cohort.exited',
    ]);
    await receiver.close();
  });

  it('evaluate tags and scores as they change', async () => {
    const created = await createCohort({ tags_include: ['warm'], engagement_score_min: 50 });
    const id = await register(['warm']);
    await tenant.api.put(`/v1/subscribers/${id}/engagement_score`, {
      score: 50,
      observed_at: new Date().toISOString(),
    });
    await until('the entry', async () => (await listMembers(created)).includes(id));
    (await tenant.api.patch(`/v1/subscribers/${id}`, { tags_remove: ['warm'] })).expect(200);
    await until('the exit', async () => (await listMembers(created)).length === 0);
  });

  it('report entries and exits in order, and finally the current state, however quick the changes', async () => {
    const [quick, done] = [{ tags_include: ['quick'] }, { tags_include: ['done'] }];
    const [created, after] = [await createCohort(quick), await createCohort(done)];
    const id = await register();
    for (let i = 0; i < 9; i += 1) {
      const tags = i === 8 ? ['quick', 'done'] : i % 2 === 0 ? ['quick'] : [];
      (await tenant.api.patch(`/v1/subscribers/${id}`, { tags })).expect(200);
    }
    await until('the last change', async () => (await listMembers(after)).includes(id));
    await until('the last entry', async () => (await listMembers(created)).includes(id));
    const told = (await listEvents(id))
      .filter(({ data }) => (data as Json)['cohort_id'] === created['id'])
      .map(({ type }) => type);
    expect(told).toEqual(told.map((_, i) => (i % 2 === 0 ? ENTERED : 'cohort.exited')));
    expect(told.at(-1)).toBe(ENTERED);
    const { ok } = await tenant.api.get('/v1/event_types/cohort.entered');
    expect((ok['schema'] as Json)['description']).toContain('may cause no events');
  });

  it('move every subscriber that a changed definition affects', async () => {
    const [a, b, c] = [await register(['a']), await register(['b']), await register(['a', 'b'])];
    const created = await createCohort({ tags_include: ['a'] });
    const path = `/v1/cohorts/${created['id'] as string}`;
    const changed = (await tenant.api.patch(path, { definition: { tags_include: ['b'] } })).ok;
    expect(changed).toMatchObject({ name: 'A cohort', member_count: 2 });
    expect(await listMembers(created)).toEqual(expect.arrayContaining([b, c]));
    const moved = (await Promise.all([a, b, c].map(listEvents))).map((events) =>
      events.map(({ type, data }) => [type, (data as Json)['reason']]),
    );
    expect(moved).toEqual([
      [['cohort.exited', 'definition_changed']],
      [['cohort.entered', 'definition_changed']],
      [],
    ]);
    expect((await tenant.api.patch(path, { description: 'x' })).ok).toMatchObject({
      definition: { tags_include: ['b'] },
      description: 'x',
    });
  });

  it('follow the calendar: tenure needs no event of the subscriber', async () => {
    const young = await createCohort({ tenure_days_max: 0 });
    const old = await createCohort({ tenure_days_min: 1 });
    const id = await register();
    await until('the entry', async () => (await listMembers(young)).includes(id));
    expect(await listMembers(old)).toEqual([]);
    for (const each of [young, old]) await end(each);
  });

  it('follow a test clock for its subscribers', async () => {
    const frozen_time = '2026-01-10T00:00:00.000Z';
    const clock = (await tenant.api.post('/v1/test_helpers/clocks', { frozen_time })).created;
    const body = { email: 'eve@example.com', test_clock: clock['id'], tags: ['clocked'] };
    const { id } = (await tenant.api.post('/v1/subscribers', body)).created;
    const seasoned = await createCohort({ tags_include: ['clocked'], tenure_days_min: 5 });
    expect(await listMembers(seasoned)).toEqual([]);
    const path = `/v1/test_helpers/clocks/${clock['id'] as string}/advance`;
    (await tenant.api.post(path, { frozen_time: '2026-01-15T00:00:00.000Z' })).expect(200);
    await until('the entry', async () => (await listMembers(seasoned)).length === 1);
    expect(await listEvents(id as string)).toMatchObject([
      {
        type: 'cohort.entered',
        created_at: '2026-01-15T00:00:00.000Z',
        data: { reason: 'tenure' },
      },
    ]);
  });

  /**
   * Returns `minute type reason` of one cohort's events about a subscriber, in the stream's order.
   */
  const selectMoves = (events: Json[], { id }: Json): string[] =>
    events
      .filter(({ type }) => String(type).startsWith('cohort.'))
      .filter(({ data }) => (data as Json)['cohort_id'] === id)
      .map(
        ({ created_at, type, data }) =>
          `${String(created_at).slice(0, 16)} ${String(type)} ${String((data as Json)['reason'])}`,
      );

  const end = ({ id }: Json) => tenant.api.delete(`/v1/cohorts/${id as string}`);

  it.each<[string, Json, { from: string; to: string; moves: string[]; members: number }]>([
    [
      'entered',
      { tenure_days_min: 30, tenure_days_max: 40 },
      {
        from: '2026-01-10T12:00:00Z',
        to: '2026-02-12T00:00:00Z',
        moves: ['2026-02-09T12:00 cohort.entered tenure'],
        members: 1,
      },
    ],
    [
      'entered long before the clock stops',
      { tenure_days_min: 10 },
      {
        from: '2026-01-01T00:00:00Z',
        to: '2026-02-01T00:00:00Z',
        moves: ['2026-01-11T00:00 cohort.entered tenure'],
        members: 1,
      },
    ],
    [
      'left by who was a member without an event',
      { tenure_days_max: 5 },
      {
        from: '2026-01-01T00:00:00Z',
        to: '2026-01-20T00:00:00Z',
        moves: ['2026-01-07T00:00 cohort.exited tenure'],
        members: 0,
      },
    ],
    [
      'entered and left by one advance',
      { tenure_days_min: 2, tenure_days_max: 3 },
      {
        from: '2026-01-01T00:00:00Z',
        to: '2026-02-01T00:00:00Z',
        moves: ['2026-01-03T00:00 cohort.entered tenure', '2026-01-05T00:00 cohort.exited tenure'],
        members: 0,
      },
    ],
  ])('are %s at the tenure boundary that a test clock passes', async (_, definition, expected) => {
    const ada = await ClockedSubscriber.create(tenant.api, expected.from);
    const created = await createCohort(definition);
    await ada.advance(expected.to);
    // The advance ends when its subscribers are in the right cohorts, so no wait is needed.
    expect(selectMoves(await ada.listEvents(), created)).toEqual(expected.moves);
    expect((await listMembers(created)).includes(ada.subscriberId)).toBe(expected.members === 1);
    await end(created);
  });

  it('follow the timers that a test clock passes, between the states before and after', async () => {
    (await tenant.api.put('/v1/plans/pro', PLAN)).expect(200);
    const lapsed = await createCohort({ status: ['lapsed'] });
    const ada = await ClockedSubscriber.create(tenant.api, '2026-01-10T12:00:00Z');
    await ada.subscribe({ plan: 'pro', trial_days: 10 });
    const fortnight = await createCohort({ tenure_days_min: 14, status: ['lapsed'] });
    const motion = {
      name: 'Win back',
      kind: 'win_back',
      offer: { type: 'credit', amount: 100, currency: 'USD' },
      trigger_mode: 'on_cohort_enter',
      cohort_ids: [lapsed['id']],
    };
    const { id: motionId } = (await tenant.api.post('/v1/motions', motion)).created;
    (await tenant.api.post(`/v1/motions/${motionId as string}/activate`)).expect(200);
    await ada.advance('2026-02-05T00:00:00Z');

    expect((await ada.listEventTimes()).slice(2)).toEqual([
      '2026-01-17T12:00 subscription.trial_will_end',
      '2026-01-20T12:00 subscription.lapsed',
      '2026-01-20T12:00 cohort.entered',
      '2026-01-20T12:00 motion.triggered',
      '2026-01-23T12:00 motion.expired',
      '2026-01-24T12:00 cohort.entered',
    ]);
    const events = await ada.listEvents();
    expect(selectMoves(events, lapsed)).toEqual([
      '2026-01-20T12:00 cohort.entered subscriber_changed',
    ]);
    expect(selectMoves(events, fortnight)).toEqual(['2026-01-24T12:00 cohort.entered tenure']);
    (await tenant.api.post(`/v1/motions/${motionId as string}/archive`)).expect(200);
    for (const each of [lapsed, fortnight]) await end(each);
  });

  it("are entered at the clock's time by a subscriber that changed just before the clock moved", async () => {
    const [all, tagged] = [
      await createCohort({ tags_include: ['hot', 'x'] }),
      await createCohort({ tags_include: ['hot'], tenure_days_max: 3 }),
    ];
    const ada = await ClockedSubscriber.create(tenant.api, '2026-01-01T00:00:00Z');
    const path = `/v1/subscribers/${ada.subscriberId}`;
    (await tenant.api.patch(path, { tags: ['hot'] })).expect(200);
    await ada.advance('2026-02-01T00:00:00Z');
    const events = await ada.listEvents();
    expect(selectMoves(events, all)).toEqual([
      '2026-01-01T00:00 cohort.entered subscriber_changed',
    ]);
    expect(selectMoves(events, tagged)).toEqual([
      '2026-01-01T00:00 cohort.entered subscriber_changed',
      '2026-01-05T00:00 cohort.exited tenure',
    ]);
    await ada.advance('2026-03-01T00:00:00Z');
    expect((await ada.listEvents()).length).toBe(events.length);
    for (const each of [all, tagged]) await end(each);
  });

  it('have subscribers that match by their test clock as initial members, without an event', async () => {
    const ada = await ClockedSubscriber.create(tenant.api, '2026-01-01T00:00:00Z');
    await ada.advance('2026-01-11T00:00:00Z');
    const path = `/v1/subscribers/${ada.subscriberId}`;
    (await tenant.api.patch(path, { tags: ['seasoned'] })).expect(200);
    const seasoned = await createCohort({ tenure_days_min: 10, tags_include: ['seasoned'] });
    expect(seasoned['member_count']).toBe(1);
    expect(await listMembers(seasoned)).toEqual([ada.subscriberId]);
    const later = await createCohort({ tenure_days_min: 11, tags_include: ['seasoned'] });
    expect(await listMembers(later)).toEqual([]);
    await ada.advance('2026-01-12T00:00:00Z');
    expect(await listMembers(later)).toEqual([ada.subscriberId]);
    expect((await listEvents(ada.subscriberId)).map(({ data }) => data)).toMatchObject([
      { cohort_id: later['id'], reason: 'tenure' },
    ]);
    for (const each of [seasoned, later]) await end(each);
  });

  it('are listed newest first, in pages', async () => {
    const all = (await tenant.api.get('/v1/cohorts?limit=100')).data.map(({ id }) => id);
    const first = (await tenant.api.get('/v1/cohorts?limit=2')).ok;
    expect((first['data'] as Json[]).map(({ id }) => id)).toEqual(all.slice(0, 2));
    const next = `/v1/cohorts?limit=2&starting_after=${String(first['next_cursor'])}`;
    expect((await tenant.api.get(next)).data.map(({ id }) => id)).toEqual(all.slice(2, 4));
  });

  it.each<[Json, string, string]>([
    [{ status: ['nope'] }, 'parameter_invalid', 'definition.status'],
    [{ zz: 1 }, 'parameter_unknown', 'definition.zz'],
    [{ tenure_days_min: 2, tenure_days_max: 1 }, 'parameter_invalid', 'definition.tenure_days_min'],
    [{ tags_include: [1] }, 'parameter_invalid', 'definition.tags_include'],
  ])('refuse the definition %j', async (definition, code, param) => {
    const answer = await tenant.api.post('/v1/cohorts', { name: 'x', definition });
    expect(answer.refusal).toEqual([400, code, param]);
  });

  it('are invisible to other environments and other tenants, and after they are deleted', async () => {
    const { id } = await createCohort({ tags_include: ['gone'] });
    const member = await register(['gone']);
    await until('the entry', async () => (await listMembers({ id })).includes(member));
    const live = await service.createKey(tenant.id, 'live');
    const path = `/v1/cohorts/${id as string}`;
    expect((await live.api.get(path)).refusal).toEqual([404, 'resource_not_found', 'cohortId']);
    expect((await live.api.get(`/v1/subscribers?cohort_id=${id as string}`)).refusal).toEqual([
      404,
      'resource_not_found',
      'cohort_id',
    ]);
    expect((await tenant.api.delete(path)).status).toBe(204);
    expect((await tenant.api.get(path)).refusal[0]).toBe(404);
    expect((await tenant.api.get(`/v1/subscribers/${member}`)).ok['cohort_ids']).toEqual([]);
  });

  it('have the right members when the process dies during the evaluation, and after a rebuild', async () => {
    const wave = await Promise.all(Array.from({ length: 120 }, () => register(['wave'])));
    const created = await createCohort({ tags_include: ['nobody'] });
    const path = `/v1/cohorts/${created['id'] as string}`;
    const changing = tenant.api
      .patch(path, { definition: { tags_include: ['wave'] } })
      .catch(() => null);
    await until('the first entries', async () => (await listMembers(created)).length > 0);
    await service.kill();
    await changing;
    await service.run();
    await until('everyone', async () => (await tenant.api.get(path)).ok['member_count'] === 120);
    const counts = await Promise.all(wave.map(async (id) => (await listEvents(id)).length));
    expect(new Set(counts)).toEqual(new Set([1]));
    const before = (await tenant.api.get('/v1/cohorts')).data;
    const { id } = (await service.operator.post('/operator/v1/rebuilds', {})).expect(202);
    await until('the rebuild', async () => {
      const { ok } = await service.operator.get(`/operator/v1/rebuilds/${id as string}`);
      return ok['status'] === 'completed';
    });
    expect((await tenant.api.get('/v1/cohorts')).data).toEqual(before);
  });
});

const PLAN = { name: 'Pro', amount: 2000, currency: 'USD', interval: 'month' };
