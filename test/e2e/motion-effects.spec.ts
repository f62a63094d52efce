import { ClockedSubscriber } from '../support/billing';
import { databases } from '../support/databases';
import { createActiveMotion, reportOutcome, triggerMotion } from '../support/motion-calls';
import { RunningService, type SharedService, type TestTenant } from '../support/service';

type Json = Record<string, unknown>;

describe.each(databases)('motions over thirty days, on $name SQL', (database) => {
  let service: SharedService;
  let tenant: TestTenant;

  beforeAll(async () => {
    service = await RunningService.shared(database);
    tenant = await service.tenant();
    const plan = { name: 'Pro', amount: 2000, currency: 'USD', interval: 'month' };
    (await tenant.api.put('/v1/plans/pro', plan)).expect(200);
  });

  const START = Date.now() - 70 * 86_400_000;
  const getDay = (n: number): string => new Date(START + n * 86_400_000).toISOString();
  const REDIRECT = { type: 'redirect', url: 'https://example.com/stay', label: 'Stay' };

  beforeAll(async () => {
    const plan = { name: 'Yearly', amount: 2000, currency: 'USD', interval: 'year' };
    (await tenant.api.put('/v1/plans/yearly', plan)).expect(200);
    (await tenant.api.put('/v1/plans/yearly_team', { ...plan, amount: 5000 })).expect(200);
  });

  interface YearlySubscriber {
    readonly person: ClockedSubscriber;
    readonly id: string;
    readonly subscriptionId: string;
  }

  /** Creates a subscriber who paid 2000 for a year at the clock's current instant. */
  const createYearlySubscriber = async (): Promise<YearlySubscriber> => {
    const person = await ClockedSubscriber.create(tenant.api, getDay(0));
    return { person, id: person.subscriberId, subscriptionId: await subscribe(person) };
  };

  const subscribe = async (person: ClockedSubscriber): Promise<string> => {
    const body = { plan: 'yearly', payment_method: 'pm_test_ok' };
    return (await person.subscribe(body)).created['id'] as string;
  };

  const triggerAndAccept = async (motionId: string, id: string): Promise<void> => {
    const run = (await triggerMotion(tenant, motionId, id)).expect(202);
    expect((await reportOutcome(tenant, run, 'accepted')).ok['status']).toBe('applied');
  };

  const cancel = async (subscriptionId: string): Promise<void> => {
    const now = { effective: 'immediately' };
    (await tenant.api.post(`/v1/subscriptions/${subscriptionId}/cancel`, now)).expect(200);
  };

  const reactivate = async (subscriptionId: string): Promise<void> => {
    (await tenant.api.post(`/v1/subscriptions/${subscriptionId}/reactivate`)).expect(200);
  };

  const readPerformance = async (motionId: string, window = 'last_90d'): Promise<Json> =>
    (await tenant.api.get(`/v1/motions/${motionId}/performance?window=${window}`)).ok;

  it('count subscribers who are active at the end of the window, whatever happened before', async () => {
    const motionId = await createActiveMotion(tenant, { offer: REDIRECT });
    const [back, gone, later] = [
      await createYearlySubscriber(),
      await createYearlySubscriber(),
      await createYearlySubscriber(),
    ];
    for (const { id } of [back, gone, later]) await triggerAndAccept(motionId, id);
    await back.person.advance(getDay(4));
    await cancel(back.subscriptionId);
    // No window has ended in the clocks' time yet, so the current state counts.
    expect(await readPerformance(motionId)).toMatchObject({
      save_rate: expect.closeTo(2 / 3) as number,
    });
    await back.person.advance(getDay(7));
    await reactivate(back.subscriptionId);
    expect((await readPerformance(motionId))['save_rate']).toBe(1);
    await back.person.advance(getDay(40));
    // The cancellations are at the instant of the acceptance, and after it.
    await cancel(gone.subscriptionId);
    await later.person.advance(getDay(31));
    await cancel(later.subscriptionId);
    expect(await readPerformance(motionId)).toMatchObject({
      counts: { accepted: 3 },
      save_rate: expect.closeTo(2 / 3) as number,
      maturing: false,
      // The amount is the reactivation's new year. The first years were paid before the
      // acceptances.
      retained_revenue: 2000,
      offer_cost: 0,
    });
    // Runs of a test clock may be older than their motion.
    expect(await readPerformance(motionId, 'all_time')).toMatchObject({ counts: { accepted: 3 } });
  });

  it('count a subscriber as saved while one subscription is active', async () => {
    const motionId = await createActiveMotion(tenant, { offer: REDIRECT });
    const { person, id, subscriptionId } = await createYearlySubscriber();
    const other = await subscribe(person);
    await triggerAndAccept(motionId, id);
    await cancel(subscriptionId);
    expect((await readPerformance(motionId))['save_rate']).toBe(1);
    await cancel(other);
    expect(await readPerformance(motionId)).toMatchObject({ save_rate: 0, retained_revenue: 0 });
  });

  it('count revenue from the instant of the acceptance on', async () => {
    const offer = {
      type: 'plan_switch',
      to_plan: 'yearly_team',
      proration_behavior: 'always_invoice',
    };
    const motionId = await createActiveMotion(tenant, { offer, attribution_days: 10 });
    const { person, id, subscriptionId } = await createYearlySubscriber();
    await triggerAndAccept(motionId, id);
    // The amount is 5000 for the year minus the 2000 that were paid before.
    expect((await readPerformance(motionId))['retained_revenue']).toBe(3000);
    await person.advance(getDay(10));
    await cancel(subscriptionId);
    await reactivate(subscriptionId);
    // The window ends at this instant.
    expect((await readPerformance(motionId))['retained_revenue']).toBe(3000);
  });

  it.each<[string, Json, number]>([
    ['half', { type: 'discount_percent', percent: 50, duration: 'once' }, 1000],
    ['all', { type: 'discount_percent', percent: 100, duration: 'once' }, 2000],
    ['more', { type: 'discount_amount', amount: 5000, currency: 'USD', duration: 'once' }, 2000],
  ])('count what a discount takes off, be it %s of the price', async (_, offer, cost) => {
    const motionId = await createActiveMotion(tenant, { offer, attribution_days: 40 });
    const person = await ClockedSubscriber.create(tenant.api, getDay(0));
    (await person.subscribe({ plan: 'pro', payment_method: 'pm_test_ok' })).expect(201);
    await triggerAndAccept(motionId, person.subscriberId);
    await person.advance(getDay(32));
    expect(await readPerformance(motionId)).toMatchObject({
      offer_cost: cost,
      retained_revenue: 2000 - cost,
    });
  });

  it('measure the holdout group by the same rule', async () => {
    const motionId = await createActiveMotion(tenant, { offer: REDIRECT, holdout_percent: 50 });
    const seen = { triggered: 0, suppressed: 0 };
    for (let i = 0; i < 40 && (seen.triggered < 1 || seen.suppressed < 1); i += 1) {
      const { person, id, subscriptionId } = await createYearlySubscriber();
      const run = (await triggerMotion(tenant, motionId, id)).expect(202);
      const path = `/v1/motion_runs/${run['id'] as string}`;
      const heldOut = (await tenant.api.get(path)).ok['status'] === 'suppressed';
      seen[heldOut ? 'suppressed' : 'triggered'] += 1;
      const isComparable = seen.triggered > 0 && seen.suppressed > 0;
      if (!isComparable) expect(await readPerformance(motionId)).toMatchObject({ lift: null });
      await cancel(subscriptionId);
      if (heldOut) continue;
      await person.advance(getDay(20));
      await reactivate(subscriptionId);
    }
    expect(await readPerformance(motionId)).toMatchObject({ counts: seen, lift: 1 });
  });
});
