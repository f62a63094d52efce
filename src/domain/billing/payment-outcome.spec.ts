import { Story, type StoryDraft, subId } from '../../../test/support/story';
import { DomainError } from '../../kernel/errors';
import { DAY_MS, type Instant, plusMs } from '../../kernel/time';
import { cancelSubscription } from './ending';
import { reportAttempt, retryPaymentManually } from './payment-outcome';
import type { BillingEffects } from './billing-effects';

const renewed = async (token: string): Promise<Story> => {
  const story = await Story.active(token);
  await story.after(31);
  return story;
};

/** A renewal's payment in every status, by a description of its course. */
const PAYMENTS: Readonly<Record<string, () => Promise<Story>>> = {
  succeeded: () => renewed('pm_test_ok'),
  'pending, not told of': () => renewed('pm_test_pending'),
  'pending, failed so far': () => renewed('pm_test_soft_decline'),
  failed: async () => {
    const story = await renewed('pm_test_soft_decline');
    await story.after(20);
    return story;
  },
  cancelled: async () => {
    const story = await renewed('pm_test_soft_decline');
    await story.do((draft, effects) => {
      const why = { reason: 'cancellation_requested', feedback: null, comment: null } as const;
      cancelSubscription(draft, effects, {
        subscriptionId: subId,
        effective: 'immediately',
        ...why,
      });
    });
    return story;
  },
};

type Request = (draft: StoryDraft, effects: BillingEffects, paymentId: string) => unknown;

const reporting =
  (outcome: 'succeeded' | 'failed'): Request =>
  (draft, effects, paymentId) => {
    const how = { failure: null, providerRef: null, occurredAt: null };
    reportAttempt(draft, effects, { paymentId, outcome, ...how });
  };

const REQUESTS: readonly (readonly [string, Request])[] = [
  ['a retry', retryPaymentManually],
  ['a report of success', reporting('succeeded')],
  ['a report of failure', reporting('failed')],
];

const refusalOf = async (work: Promise<unknown>): Promise<DomainError | null> => {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
};

describe('the allowed payment statuses in a refusal match the statuses that accept the request', () => {
  it.each(REQUESTS)('%s', async (_, request) => {
    const taken = new Set<string>();
    const refusals: { status: string; refusal: DomainError }[] = [];
    for (const [name, prepare] of Object.entries(PAYMENTS)) {
      const story = await prepare();
      const { id, status } = [...story.state.payments.byId.values()][0]!;
      expect(name.split(',')[0]).toBe(status);
      const refusal = await refusalOf(story.do((draft, effects) => request(draft, effects, id)));
      if (refusal === null) taken.add(status);
      else refusals.push({ status, refusal });
    }
    expect(refusals.length).toBeGreaterThan(0);
    for (const { status, refusal } of refusals) {
      const { allowed, ...details } = refusal.facts.details ?? {};
      expect(details).toEqual({ current_status: status });
      expect(new Set(allowed as string[])).toEqual(
        new Set([...taken].filter((each) => each !== status)),
      );
    }
  });
});

describe('the time of a reported outcome', () => {
  const report = (story: Story, occurredAt: Instant) =>
    story.do((draft, effects) => {
      const [paymentId = ''] = draft.state.payments.byId.keys();
      const how = { outcome: 'succeeded', failure: null, providerRef: null } as const;
      reportAttempt(draft, effects, { paymentId, occurredAt, ...how });
    });

  it('is refused in the future, and more than a day before the payment', async () => {
    const story = await renewed('pm_test_pending');
    const [payment] = [...story.state.payments.byId.values()];
    const createdAt = payment!.created_at;
    for (const wrong of [plusMs(story.now, 1), plusMs(createdAt, -DAY_MS - 1)]) {
      const refusal = await refusalOf(report(story, wrong));
      expect([refusal?.code, refusal?.facts.param]).toEqual(['parameter_invalid', 'occurred_at']);
    }
    const occurredAt = plusMs(createdAt, -DAY_MS);
    expect(await report(story, occurredAt)).toContainEqual(
      expect.objectContaining({ type: 'payment.succeeded' }),
    );
  });
});

describe('a report with a provider_ref that was reported before', () => {
  const report = (story: Story, outcome: 'succeeded' | 'failed', providerRef: string) =>
    story.do((draft, effects) => {
      const [paymentId = ''] = draft.state.payments.byId.keys();
      const how = { failure: null, occurredAt: null };
      reportAttempt(draft, effects, { paymentId, outcome, providerRef, ...how });
    });

  it.each([
    ['failed', 'succeeded'],
    ['succeeded', 'failed'],
  ] as const)('repeats %s without an effect and is refused as %s', async (first, other) => {
    const story = await renewed('pm_test_pending');
    expect(await report(story, first, 'ch_1')).not.toEqual([]);
    expect(await report(story, first, 'ch_1')).toEqual([]);
    const refusal = await refusalOf(report(story, other, 'ch_1'));
    expect(refusal?.code).toBe('invalid_state_transition');
    expect(refusal?.facts).toEqual({
      param: 'provider_ref',
      details: { provider_ref: 'ch_1', reported_outcome: first },
    });
  });

  it('still repeats a failure after another attempt succeeded', async () => {
    const story = await renewed('pm_test_pending');
    await report(story, 'failed', 'ch_1');
    await report(story, 'succeeded', 'ch_2');
    expect(await report(story, 'failed', 'ch_1')).toEqual([]);
    expect(await report(story, 'succeeded', 'ch_2')).toEqual([]);
  });
});
