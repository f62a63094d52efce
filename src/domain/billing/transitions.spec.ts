import fc from 'fast-check';
import {
  buildMethod,
  plan,
  Story,
  type StoryDraft,
  subId,
  subscriberId,
} from '../../../test/support/story';
import { fold } from '../../kernel/decider';
import { DomainError } from '../../kernel/errors';
import { plusDays } from '../../kernel/time';
import { grantCredit } from './credit.decider';
import { subscriberAggregate } from '../subscriber-stream/subscriber.aggregate';
import { cancelSubscription, reactivateSubscription, removeCancellation } from './ending';
import { pauseSubscription, resumeSubscription } from './pausing';
import { changePlan } from './plan-change';
import { updatePaymentMethod } from './payment-outcome';
import type { Subscription } from './subscription';
import { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from './subscription.events';
import { extendTrial } from './subscription-timers';
import {
  COMMANDS,
  describeTransitions,
  type SubscriptionCommand,
  TIMERS,
  TRANSITIONS,
} from './transitions';
import { viewSubscription } from './subscription-view';
import type { BillingEffects } from './billing-effects';
import { countRuns } from '../../../test/support/property-runs';

type Work = (draft: StoryDraft, effects: BillingEffects) => unknown;

const subscriptionId = subId;
const basic = plan({ plan: 'basic', amount: 1000 });
const yearly = plan({ plan: 'yearly', amount: 20_000, interval: 'year' });
const plans = [plan(), basic, yearly];

const pausing =
  (effective: 'immediately' | 'period_end'): Work =>
  (draft, effects) => {
    pauseSubscription(draft, effects, { subscriptionId, effective, resumesAt: null });
  };

const cancelling =
  (effective: 'immediately' | 'period_end'): Work =>
  (draft, effects) => {
    const why = { reason: 'cancellation_requested', feedback: null, comment: null } as const;
    cancelSubscription(draft, effects, { subscriptionId, effective, ...why });
  };

const changing =
  (terms = basic, behavior: 'none' | 'create_prorations' | 'always_invoice' = 'none'): Work =>
  (draft, effects) =>
    changePlan(draft, effects, { subscriptionId, terms, behavior, prorationDate: null });

const updating =
  (token: string): Work =>
  (draft, effects) =>
    updatePaymentMethod(draft, effects, { subscriptionId, method: buildMethod(token) });

const WORK: Record<SubscriptionCommand, Work> = {
  pause: pausing('immediately'),
  pause_at_period_end: pausing('period_end'),
  resume: (draft, effects) =>
    resumeSubscription(draft, effects, { subscriptionId, billing: 'continue' }),
  cancel: cancelling('immediately'),
  cancel_at_period_end: cancelling('period_end'),
  uncancel: (draft, effects) => {
    removeCancellation(draft, effects, subscriptionId);
  },
  change_plan: changing(),
  extend_trial: (draft, effects) => {
    extendTrial(draft, effects, { subscriptionId, days: 7 });
  },
  reactivate: (draft, effects) =>
    reactivateSubscription(draft, effects, { subscriptionId, terms: plan() }),
};

/** Work that must come before a command, because the command would otherwise change nothing. */
const REQUIRED_STEP: Partial<Record<SubscriptionCommand, Work>> = {
  resume: pausing('period_end'),
  uncancel: cancelling('period_end'),
};

const inStatus = async (status: SubscriptionStatus): Promise<Story> => {
  switch (status) {
    case 'trialing':
      return Story.trialing('pm_test_ok', { plans });
    case 'active':
      return Story.active('pm_test_ok', { plans });
    case 'paused': {
      const story = await Story.active('pm_test_ok', { plans });
      await story.do(WORK.pause);
      return story;
    }
    case 'cancelled': {
      const story = await Story.active('pm_test_ok', { plans });
      await story.do(WORK.cancel);
      return story;
    }
    case 'lapsed': {
      const story = await Story.active('pm_test_hard_decline', { plans });
      await story.after(50);
      await story.do(updating('pm_test_ok'));
      return story;
    }
  }
};

const cells = COMMANDS.flatMap((command) =>
  SUBSCRIPTION_STATUSES.map((status) => [command, status] as const),
);

describe('the state table of subscriptions', () => {
  it.each(cells)('gives the verdict of the table for %s while %s', async (command, status) => {
    const rule = TRANSITIONS[command][status];
    const story = await inStatus(status);
    expect(story.subscription.status).toBe(status);
    const prepare = REQUIRED_STEP[command];
    if (prepare !== undefined && (status === 'active' || status === 'trialing')) {
      await story.do(prepare);
    }

    switch (rule.verdict) {
      case 'refused':
        expect(await story.refusal(WORK[command])).toBe('invalid_state_transition');
        break;
      case 'no_op':
        expect(await story.do(WORK[command])).toEqual([]);
        break;
      case 'allowed':
        expect((await story.do(WORK[command])).length).toBeGreaterThan(0);
        expect(rule.to).toContain(story.subscription.status);
    }
  });

  it('describes every command and timer for the API reference', () => {
    const text = describeTransitions();
    const cells = COMMANDS.flatMap((command) => Object.values(TRANSITIONS[command]));
    const accepted = cells.filter(({ verdict }) => verdict !== 'refused');
    const rows = /^\| (`POST|the offer).* \| (trialing|active|paused|cancelled|lapsed) \|/gm;
    expect(text.match(rows)).toHaveLength(accepted.length);
    expect(text).toContain('| `POST …/resume` | paused | → trialing or active');
    expect(text).not.toContain('| `POST …/resume` | cancelled |');
    for (const timer of Object.keys(TIMERS)) expect(text).toContain(`| ${timer} |`);
  });
});

/** Every command alone, and the commands whose verdict depends on more than the status. */
const REQUESTS: Readonly<Record<string, { readonly work: Work; readonly after?: Work }>> = {
  ...Object.fromEntries(COMMANDS.map((command) => [command, { work: WORK[command] }])),
  'change_plan, prorated': { work: changing(basic, 'create_prorations') },
  'pause while it is to be cancelled': { work: WORK.pause, after: WORK.cancel_at_period_end },
  'pause_at_period_end while it is to be cancelled': {
    work: WORK.pause_at_period_end,
    after: WORK.cancel_at_period_end,
  },
  'resume of a scheduled pause': { work: WORK.resume, after: WORK.pause_at_period_end },
};

/** The statuses in which a change can be scheduled. */
const RUNNING = ['active', 'trialing'] as const;

interface Outcome {
  readonly status: SubscriptionStatus;
  readonly refusal: DomainError | null;
  readonly did: boolean;
}

const outcomeIn = async (
  status: SubscriptionStatus,
  { work, after }: { readonly work: Work; readonly after?: Work },
): Promise<Outcome> => {
  const story = await inStatus(status);
  if (after !== undefined) await story.do(after);
  return story.do(work).then(
    (facts) => ({ status, refusal: null, did: facts.length > 0 }),
    (error: unknown) => {
      if (error instanceof DomainError) return { status, refusal: error, did: false };
      throw error;
    },
  );
};

describe('the allowed subscription statuses in a refusal match the statuses that accept the command', () => {
  it.each(Object.entries(REQUESTS))('%s', async (_, request) => {
    const statuses = request.after === undefined ? SUBSCRIPTION_STATUSES : RUNNING;
    const outcomes = await Promise.all(statuses.map((status) => outcomeIn(status, request)));
    const refused = outcomes.flatMap(({ refusal, status }) =>
      refusal === null ? [] : [{ status, ...refusal.facts.details }],
    );
    const does = outcomes.filter(({ did }) => did).map(({ status }) => status);
    const refuses = refused.map(({ status }) => status);
    for (const { status, ...details } of refused) {
      expect(details).toMatchObject({ current_status: status });
      const { allowed } = details as unknown as { readonly allowed: readonly SubscriptionStatus[] };
      expect(allowed.filter((each) => refuses.includes(each))).toEqual([]);
      expect(allowed).toEqual(expect.arrayContaining(does));
    }
  });
});

/** Every change of status that a command or timer of the table may make. */
const EDGES = new Set([
  ...COMMANDS.flatMap((command) =>
    SUBSCRIPTION_STATUSES.flatMap((from) =>
      TRANSITIONS[command][from].to.map((to) => `${from} ${to}`),
    ),
  ),
  ...Object.values(TIMERS).flatMap(({ moves }) =>
    Object.entries<readonly SubscriptionStatus[]>(moves).flatMap(([from, to]) =>
      to.map((after) => `${from} ${after}`),
    ),
  ),
]);

/** Grants a credit that an unpaid payment may hold beyond its expiry. */
const granting: Work = (draft, effects) => {
  grantCredit(draft, {
    id: effects.newId('crd', subscriberId, 'credit'),
    subscriberId,
    amount: 400,
    currency: plan().currency,
    category: 'goodwill',
    expiresAt: plusDays(draft.now, 20),
    source: { type: 'api', id: null },
    note: null,
    motionRunId: null,
    reason: 'requested',
    actor: effects.actor,
  });
};

type Step = { readonly days: number } | { readonly name: string; readonly work: Work };

const TOKENS = ['pm_test_ok', 'pm_test_soft_decline', 'pm_test_hard_decline', 'pm_test_pending'];
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(1, 3, 15, 31, 45, 400).map((days) => ({ days })) },
  {
    weight: 6,
    arbitrary: fc
      .constantFrom(...COMMANDS)
      .map((command) => ({ name: command, work: WORK[command] })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...plans),
        fc.constantFrom('none' as const, 'create_prorations' as const, 'always_invoice' as const),
      )
      .map(([terms, behavior]) => ({ name: 'change_plan', work: changing(terms, behavior) })),
  },
  { weight: 1, arbitrary: fc.constant({ name: 'credit', work: granting }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...TOKENS).map((token) => ({
      name: 'payment_method',
      work: updating(token),
    })),
  },
);

/** Checks the rules that hold in every state. */
const checkState = (subscription: Subscription): void => {
  const { status, period, pause: paused, openPayments, cancelAt, trialEnd } = subscription;
  expect(period.start < period.end).toBe(true);
  expect(status === 'paused').toBe(paused.kind === 'in_effect');
  if (status === 'trialing') expect(trialEnd).not.toBeNull();
  if (status === 'cancelled' || status === 'lapsed') {
    expect([Object.keys(openPayments), cancelAt, subscription.pastDueSince]).toEqual([
      [],
      null,
      null,
    ]);
  }
  const failing = Object.values(openPayments).filter(({ failure }) => failure !== null);
  if (subscription.pastDueSince !== null) expect(failing.length).toBeGreaterThan(0);
};

/** Replays the events one by one, as receivers see them. */
const checkFacts = (story: Story): void => {
  let state = new Story({ plans }).state;
  for (const fact of story.facts) {
    const before = state.subscriptions[subId]?.status;
    state = fold(subscriberAggregate, state, [fact]);
    const after = state.subscriptions[subId];
    const shown = subscriberAggregate.envelope?.(state, fact).subscription ?? null;
    if (after !== undefined && fact.subscriptionId === subId) {
      expect(shown).toEqual(viewSubscription(after));
      if (before !== undefined) expect(EDGES).toContain(`${before} ${after.status}`);
    }
    if (fact.type === 'payment.succeeded' || fact.type === 'payment.failed') {
      const { amount, lines, credit_applied } = fact.data.payment;
      expect(lines.reduce((sum, line) => sum + line.amount, 0)).toBe(amount);
      expect(credit_applied).toBeGreaterThanOrEqual(0);
      expect(credit_applied).toBeLessThanOrEqual(amount);
    }
  }
};

/** Checks for every credit that the grant equals what was applied, returned, lost and is left. */
const checkCredits = (story: Story): void => {
  for (const credit of story.state.credits.values()) {
    const used = story.facts.reduce((sum, fact) => {
      const takes = fact.type === 'credit.applied' || fact.type === 'credit.expired';
      if (takes && fact.data.credit_id === credit.id) return sum + fact.data.amount;
      if (fact.type !== 'subscription.cancelled' && fact.type !== 'subscription.lapsed') return sum;
      const back = fact.data.closing.reinstated.filter((each) => each.credit.id === credit.id);
      return sum - back.reduce((given, { amount }) => given + amount, 0);
    }, 0);
    expect(credit.remaining).toBe(credit.amount - used);
    const paying = [...story.state.payments.byId.values()]
      .flatMap(({ credits }) => credits)
      .filter(({ credit_id }) => credit_id === credit.id);
    const expired = story.facts.flatMap((fact) =>
      fact.type === 'credit.expired' && fact.data.credit_id === credit.id ? [fact.data] : [],
    );
    const gone = [...paying, ...expired].reduce((sum, { amount }) => sum + amount, 0);
    expect(credit.remaining).toBe(credit.amount - gone);
    expect(credit.remaining).toBeGreaterThanOrEqual(0);
  }
};

describe('any sequence of commands, payment methods and time', () => {
  it('stays in the state table, agrees with its envelopes, and loses no money', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('pm_test_ok', 'pm_test_soft_decline', null),
        fc.boolean(),
        fc.boolean(),
        fc.array(step, { minLength: 1, maxLength: 15 }),
        async (token, trial, simulated, steps) => {
          const options = { plans, simulated };
          const story = await (trial
            ? Story.trialing(token, options)
            : Story.active(token ?? 'pm_test_ok', options));
          for (const each of steps) await runStep(story, each);
          checkFacts(story);
          checkCredits(story);
        },
      ),
      { numRuns: countRuns(300) },
    );
  }, 60_000);
});

const runStep = async (story: Story, each: Step): Promise<void> => {
  if ('days' in each) {
    await story.until(plusDays(story.now, each.days));
    checkState(story.subscription);
    return;
  }
  const before = story.subscription.status;
  const rule = TRANSITIONS[each.name as SubscriptionCommand]?.[before];
  const refusal = await story.do(each.work).then(
    () => null,
    (error: unknown) => {
      if (error instanceof DomainError) return error.code;
      throw error;
    },
  );
  const after = story.subscription.status;
  checkState(story.subscription);
  if (rule?.verdict === 'refused') expect(refusal).toBe('invalid_state_transition');
  if (refusal !== null || rule?.verdict === 'no_op') expect(after).toBe(before);
  else if (rule !== undefined) expect(rule.to).toContain(after);
};

describe('the message of a refusal', () => {
  it.each([
    ['resume', 'paused'],
    ['uncancel', 'active or trialing'],
  ] as const)('of %s names reactivate after the end', async (name, allowed) => {
    for (const status of ['cancelled', 'lapsed'] as const) {
      const { refusal } = await outcomeIn(status, { work: WORK[name] });
      expect(refusal?.message).toBe(
        `The subscription is ${status}; this is possible while it is ${allowed}. A ${status} subscription is reactivated: POST /v1/subscriptions/${subscriptionId}/reactivate.`,
      );
    }
  });

  it('of a plan change while paused names the proration_behavior that is possible', async () => {
    const { refusal } = await outcomeIn('paused', REQUESTS['change_plan, prorated']!);
    expect(refusal?.message).toBe(
      'The subscription is paused; this is possible while it is active or trialing. While it is paused the plan changes only with proration_behavior "none".',
    );
    expect(refusal?.facts).toMatchObject({
      param: 'proration_behavior',
      details: { current_status: 'paused', allowed_proration_behaviors: ['none'] },
    });
  });

  it('does not name reactivate where it would be refused, or would not lead to the aim', async () => {
    for (const [status, work, allowed] of [
      ['active', WORK.resume, 'paused'],
      ['paused', WORK.uncancel, 'active or trialing'],
      ['cancelled', WORK.pause, 'active or trialing'],
    ] as const) {
      const { refusal } = await outcomeIn(status, { work });
      expect(refusal?.message).toBe(
        `The subscription is ${status}; this is possible while it is ${allowed}.`,
      );
    }
  });
});
