import { databases } from '../support/databases';
import { createActiveMotion, reportOutcome, SAVE, triggerMotion } from '../support/motion-calls';
import { Receiver } from '../support/receiver';
import { RunningService, type SharedService, type TestTenant } from '../support/service';
import { until } from '../support/until';

type Json = Record<string, unknown>;

const [MISSING, UNKNOWN, INVALID] = ['parameter_missing', 'parameter_unknown', 'parameter_invalid'];
const HALF = { type: 'discount_percent', percent: 50 };
const LATER = expect.any(String) as string;

describe.each(databases)('motions, on $name SQL', (database) => {
  let service: SharedService;
  let tenant: TestTenant;
  let receiver: Receiver;

  beforeAll(async () => {
    service = await RunningService.shared(database);
    tenant = await service.tenant();
    receiver = await Receiver.start();
    const hook = { type: 'https_webhook', url: receiver.url, event_types: ['motion.*'] };
    (await tenant.api.post('/v1/destinations', hook)).expect(201);
    const plan = { name: 'Pro', amount: 2000, currency: 'USD', interval: 'month' };
    (await tenant.api.put('/v1/plans/pro', plan)).expect(200);
    (await tenant.api.put('/v1/plans/basic', { ...plan, amount: 1000 })).expect(200);
    (await tenant.api.put('/v1/plans/team', { ...plan, amount: 5000 })).expect(200);
  });

  afterAll(async () => {
    await receiver.close();
  });

  const createSubscriber = async (
    tags: string[] = [],
  ): Promise<{ id: string; subscriptionId: string }> => {
    const person = (await tenant.api.post('/v1/subscribers', { email: 'a@example.com', tags }))
      .created;
    const body = { subscriber_id: person['id'], plan: 'pro', payment_method: 'pm_test_ok' };
    const { id } = (await tenant.api.post('/v1/subscriptions', body)).created;
    return { id: person['id'] as string, subscriptionId: id as string };
  };

  const listReceivedTypes = (run: Json) =>
    receiver.received
      .filter(({ event }) => (event['data'] as Json)['run_id'] === run['id'])
      .map(({ event }) => event.type);

  it('can be activated, paused and archived, and not triggered as a draft', async () => {
    const created = (await tenant.api.post('/v1/motions', SAVE)).created;
    expect(created).toMatchObject({
      status: 'draft',
      trigger_mode: 'manual',
      cohort_ids: [],
      limits: { max_triggers_per_subscriber: null, cooldown_days: 30, max_redemptions: 1 },
      offer_valid_hours: 72,
      attribution_days: 30,
      holdout_percent: 0,
    });
    const path = `/v1/motions/${created['id'] as string}`;
    const { id } = await createSubscriber();
    expect((await triggerMotion(tenant, created['id'] as string, id)).refusal.slice(0, 2)).toEqual([
      409,
      'motion_not_active',
    ]);
    expect((await tenant.api.post(`${path}/pause`)).refusal[1]).toBe('invalid_state_transition');
    for (const [command, status] of [
      ['activate', 'active'],
      ['activate', 'active'],
      ['pause', 'paused'],
      ['activate', 'active'],
      ['archive', 'archived'],
    ] as const) {
      expect((await tenant.api.post(`${path}/${command}`)).ok['status']).toBe(status);
    }
    expect((await tenant.api.post(`${path}/activate`)).refusal[0]).toBe(409);
    expect((await tenant.api.patch(path, { name: 'x' })).refusal[0]).toBe(409);
  });

  it('are accepted at once, executed later, and give the offer that was accepted', async () => {
    const motionId = await createActiveMotion(tenant);
    const { id, subscriptionId } = await createSubscriber();
    const answer = await triggerMotion(tenant, motionId, id);
    const run = answer.expect(202);
    expect(answer.headers.get('location')).toBe(`/v1/motion_runs/${run['id'] as string}`);
    expect(run).toMatchObject({
      motion_id: motionId,
      subscriber_id: id,
      status: 'queued',
      offer: { type: 'pause', days: 30 },
      offer_overridden: false,
    });
    const runPath = `/v1/motion_runs/${run['id'] as string}`;
    const etag = (await tenant.api.get(runPath)).headers.get('etag');
    expect(answer.headers.get('etag')).toBe(etag);
    const accepted = await tenant.api.post(
      `${runPath}/outcome`,
      { outcome: 'accepted' },
      { 'if-match': etag! },
    );
    expect(accepted.ok).toMatchObject({
      status: 'applied',
      applied: { type: 'pause', ref: subscriptionId },
    });
    expect((await tenant.api.get(runPath)).headers.get('etag')).toBe(accepted.headers.get('etag'));
    expect((await tenant.api.get(`/v1/subscriptions/${subscriptionId}`)).ok['status']).toBe(
      'paused',
    );
    await until('the events', () => listReceivedTypes(run).length === 4);
    expect(listReceivedTypes(run)).toEqual([
      'motion.triggered',
      'motion.presented',
      'motion.accepted',
      'motion.applied',
    ]);
    expect((await reportOutcome(tenant, run, 'accepted')).ok['status']).toBe('applied');
    expect((await reportOutcome(tenant, run, 'declined')).refusal[1]).toBe(
      'invalid_state_transition',
    );
    const { data } = await tenant.api.get(`/v1/motions/${motionId}/runs`);
    expect(data).toMatchObject([{ id: run['id'], status: 'applied' }]);
    expect((await tenant.api.get(`/v1/motions/${motionId}`)).ok['stats']).toMatchObject({
      triggered: 1,
      presented: 1,
      accepted: 1,
      applied: 1,
      declined: 0,
    });
  });

  it.each<[string, Json, Json]>([
    ['a pause is accepted', {}, { status: 'paused', cancel_at: null }],
    ['only staying is accepted', { offer: null }, { status: 'active', cancel_at: null }],
    ['it is not about staying', { kind: 'announcement', offer: null }, { cancel_at: LATER }],
  ])(
    'undo a scheduled cancellation only if the offer keeps the subscriber: %s',
    async (_, terms, expected) => {
      const motionId = await createActiveMotion(tenant, terms);
      const { id, subscriptionId } = await createSubscriber();
      (await tenant.api.post(`/v1/subscriptions/${subscriptionId}/cancel`)).expect(200);
      const run = (await triggerMotion(tenant, motionId, id)).expect(202);
      expect((await reportOutcome(tenant, run, 'accepted')).ok['status']).toBe('applied');
      expect((await tenant.api.get(`/v1/subscriptions/${subscriptionId}`)).ok).toMatchObject(
        expected,
      );
    },
  );

  it('accept another offer for one run', async () => {
    const motionId = await createActiveMotion(tenant);
    const { id, subscriptionId } = await createSubscriber();
    const offer = { type: 'plan_switch', to_plan: 'basic' };
    const run = (await triggerMotion(tenant, motionId, id, { offer_override: offer })).expect(202);
    expect(run).toMatchObject({
      offer: { ...offer, proration_behavior: 'create_prorations' },
      offer_overridden: true,
    });
    (await reportOutcome(tenant, run, 'accepted')).expect(200);
    expect((await tenant.api.get(`/v1/subscriptions/${subscriptionId}`)).ok['plan']).toBe('basic');
  });

  it('fail completely if an offer is no longer possible', async () => {
    const motionId = await createActiveMotion(tenant);
    const { id, subscriptionId } = await createSubscriber();
    const run = (await triggerMotion(tenant, motionId, id)).expect(202);
    const now = { effective: 'immediately' };
    (await tenant.api.post(`/v1/subscriptions/${subscriptionId}/cancel`, now)).expect(200);
    expect((await reportOutcome(tenant, run, 'accepted')).ok).toMatchObject({
      status: 'failed',
      applied: null,
    });
    expect((await tenant.api.get(`/v1/subscriptions/${subscriptionId}`)).ok['status']).toBe(
      'cancelled',
    );
  });

  it('give the reason why a subscriber is not eligible', async () => {
    const motionId = await createActiveMotion(tenant);
    const { id } = await createSubscriber();
    (await triggerMotion(tenant, motionId, id)).expect(202);
    const again = await triggerMotion(tenant, motionId, id);
    expect(again.refusal.slice(0, 2)).toEqual([422, 'subscriber_not_eligible']);
    const { message, details } = again.body['error'] as { message: string; details: Json };
    expect(details).toMatchObject({ reason: 'cooldown' });
    const end = String(details['cooldown_ends_at']);
    expect(message).toBe(`The subscriber is not eligible: cooldown, which ends at ${end}.`);
    const days = (Date.parse(end) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThan(30.1);
    const trial = { offer_override: { type: 'trial_extension', days: 7 } };
    const other = await createSubscriber();
    const refused = await triggerMotion(tenant, motionId, other.id, trial);
    expect((refused.body['error'] as Json)['details']).toMatchObject({
      reason: 'offer_not_applicable',
    });
  });

  it('are triggered once for one Idempotency-Key', async () => {
    const motionId = await createActiveMotion(tenant);
    const { id } = await createSubscriber();
    const headers = { 'idempotency-key': `trigger-${id}` };
    const path = `/v1/motions/${motionId}/trigger`;
    const first = (await tenant.api.post(path, { subscriber_id: id }, headers)).expect(202);
    await service.kill();
    await service.run();
    const second = (await tenant.api.post(path, { subscriber_id: id }, headers)).expect(202);
    expect(second).toEqual(first);
    await until('the event', () => listReceivedTypes(first).length > 0);
    // After a kill another process takes over the projector only after some seconds.
    const runs = await until('the run in the list', async () => {
      const { data } = await tenant.api.get(`/v1/motions/${motionId}/runs`);
      return data.length > 0 && data;
    });
    expect(runs).toHaveLength(1);
  });

  it('start when a subscriber enters a cohort, and prevent the deletion of the cohort', async () => {
    const cohort = { name: 'Leaving', definition: { tags_include: ['leaving'] } };
    const { id: cohortId } = (await tenant.api.post('/v1/cohorts', cohort)).created;
    const auto = { trigger_mode: 'on_cohort_enter', cohort_ids: [cohortId] };
    const motionId = await createActiveMotion(tenant, auto);
    const { id } = await createSubscriber();
    const outside = await triggerMotion(tenant, motionId, id);
    expect((outside.body['error'] as Json)['details']).toMatchObject({ reason: 'not_in_cohort' });
    (await tenant.api.patch(`/v1/subscribers/${id}`, { tags: ['leaving'] })).expect(200);
    const [run] = await until('the run', async () => {
      const { data } = await tenant.api.get(`/v1/motions/${motionId}/runs`);
      return data.length > 0 ? data : null;
    });
    expect(run).toMatchObject({ subscriber_id: id, cohort_id: cohortId, status: 'triggered' });
    const path = `/v1/cohorts/${cohortId as string}`;
    expect((await tenant.api.get(path)).ok['used_by_motions']).toEqual([motionId]);
    expect((await tenant.api.delete(path)).refusal.slice(0, 2)).toEqual([409, 'cohort_in_use']);
    (await tenant.api.post(`/v1/motions/${motionId}/archive`)).expect(200);
    expect((await tenant.api.delete(path)).status).toBe(204);
  });

  it('check the cohort at the time of the trigger', async () => {
    const definition = { tags_include: ['now'], engagement_score_min: 50, status: ['active'] };
    const cohort = (await tenant.api.post('/v1/cohorts', { name: 'Now', definition })).created;
    const limits = { cooldown_days: 0, max_redemptions: 100 };
    const motionId = await createActiveMotion(tenant, { cohort_ids: [cohort['id']], limits });
    const readReason = async (id: string): Promise<unknown> => {
      const { body, status } = await triggerMotion(tenant, motionId, id);
      if (status === 202) return body['cohort_id'];
      return ((body['error'] as Json)['details'] as Json)['reason'];
    };
    for (let i = 0; i < 5; i += 1) {
      const { id, subscriptionId } = await createSubscriber(['now']);
      expect(await readReason(id)).toBe('not_in_cohort');
      const path = `/v1/subscribers/${id}`;
      (await tenant.api.put(`${path}/engagement_score`, { score: 50 })).expect(200);
      expect(await readReason(id)).toBe(cohort['id']);
      (await tenant.api.patch(path, { tags: [] })).expect(200);
      expect(await readReason(id)).toBe('not_in_cohort');
      (await tenant.api.patch(path, { tags: ['now'] })).expect(200);
      expect(await readReason(id)).toBe('live_run_exists');
      const now = { effective: 'immediately' };
      (await tenant.api.post(`/v1/subscriptions/${subscriptionId}/pause`, now)).expect(200);
      expect(await readReason(id)).toBe('not_in_cohort');
    }
  });

  it('are measured by the collected revenue', async () => {
    const motionId = await createActiveMotion(tenant, {
      offer: { type: 'credit', amount: 300, currency: 'USD' },
    });
    const [first, second] = [await createSubscriber(), await createSubscriber()];
    const accepted = (await triggerMotion(tenant, motionId, first.id)).expect(202);
    const declined = (await triggerMotion(tenant, motionId, second.id)).expect(202);
    (await reportOutcome(tenant, accepted, 'accepted')).expect(200);
    (await reportOutcome(tenant, declined, 'declined')).expect(200);
    // The upgrade costs about 3000 now: 300 from the credit, the rest is collected.
    const up = { to_plan: 'team', proration_behavior: 'always_invoice' };
    (await tenant.api.post(`/v1/subscriptions/${first.subscriptionId}/plan`, up)).expect(200);
    const { ok } = await tenant.api.get(`/v1/motions/${motionId}/performance?window=last_7d`);
    expect(ok).toMatchObject({
      motion_id: motionId,
      currency: 'USD',
      counts: { triggered: 2, presented: 2, accepted: 1, declined: 1, applied: 1 },
      acceptance_rate: 0.5,
      save_rate: 1,
      maturing: true,
      lift: null,
    });
    const paid = (ok['retained_revenue'] as number) + (ok['offer_cost'] as number);
    expect(ok['offer_cost']).toBe(300);
    expect(Math.abs(paid - 3000)).toBeLessThan(5);
    expect((ok['points'] as Json[]).at(-1)).toMatchObject({ acceptance_rate: 0.5, partial: true });
    const acceptance = (await tenant.api.get('/v1/metrics/motion_acceptance')).ok;
    expect((acceptance['points'] as Json[]).at(-1)!['value']).toBeGreaterThan(0);
  });

  it.each<[Json, string, string]>([
    [{ offer: { type: 'pause', days: 366 } }, 'offer.days', INVALID],
    [{ offer: { type: 'pause' } }, 'offer.days', MISSING],
    [{ offer: { type: 'pause', days: 3, percent: 5 } }, 'offer.percent', UNKNOWN],
    [{ offer: { ...HALF, duration: 'repeating' } }, 'offer.months', MISSING],
    [{ offer: { ...HALF, duration: 'once', months: 3 } }, 'offer.months', UNKNOWN],
    [{ offer: { type: 'trial_extension', days: 731 } }, 'offer.days', INVALID],
    [{ offer: { ...HALF, percent: 0, duration: 'once' } }, 'offer.percent', INVALID],
    [{ offer: { type: 'nope' } }, 'offer.type', INVALID],
    [{ holdout_percent: 100 }, 'holdout_percent', INVALID],
    [{ zz: 1 }, 'zz', UNKNOWN],
  ])('refuse %j', async (motion, param, code) => {
    const answer = await tenant.api.post('/v1/motions', { ...SAVE, ...motion });
    expect(answer.refusal).toEqual([400, code, param]);
  });

  it('answer 404 for unknown ids', async () => {
    const createNotFound = (param: string) => [404, 'resource_not_found', param];
    expect(
      (await tenant.api.post('/v1/motions', { ...SAVE, cohort_ids: ['cohort_x'] })).refusal,
    ).toEqual(createNotFound('cohort_ids'));
    expect((await triggerMotion(tenant, 'mot_x', 'subscriber_x')).refusal).toEqual(
      createNotFound('motionId'),
    );
    expect(
      (await triggerMotion(tenant, await createActiveMotion(tenant), 'subscriber_x')).refusal,
    ).toEqual(createNotFound('subscriber_id'));
  });
});
