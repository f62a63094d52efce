import fc from 'fast-check';
import { Story, subscriberId } from '../../../test/support/story';
import { plusDays } from '../../kernel/time';
import type { BillingEffects } from './billing-effects';
import type { ChargeOutcome } from './collecting';
import { grantCredit } from './credit.decider';
import { recordDispute } from './dispute';
import type { DisputeStatus, Payment } from './payment.events';
import {
  refundPayment,
  type RefundOrder,
  type RefundReport,
  type RefundRequest,
  reportRefund,
} from './refund.decider';
import type { Refund } from './refund.events';

const AMOUNT = 2_000;
const CREDIT = 500;
const FAILURE = { code: 'closed', message: 'The card is closed.', decline_type: 'hard' } as const;

/** A subscriber who has paid one renewal, of which a credit paid a part if it is above 0. */
const renewed = async (credit = 0, token = 'pm_test_ok'): Promise<Story> => {
  const story = await Story.active(token);
  if (credit > 0) {
    await story.do((draft) => {
      grantCredit(draft, {
        id: 'crd_000000000000000000000001',
        subscriberId,
        amount: credit,
        currency: 'USD' as never,
        category: 'goodwill',
        expiresAt: null,
        source: { type: 'api', id: null },
        note: null,
        motionRunId: null,
        reason: 'requested',
        actor: 'api',
      });
    });
  }
  await story.until(story.subscription.period.end);
  return story;
};

const paymentOf = ({ state }: Story): Payment => [...state.payments.byId.values()].at(-1)!;
const refundsOf = ({ state }: Story): Refund[] => Object.values(state.refunds);
const newest = (story: Story): Refund => refundsOf(story).at(-1)!;

const requestFor = (story: Story, over: Partial<RefundRequest> = {}): RefundRequest => ({
  paymentId: paymentOf(story).id,
  amount: null,
  reason: 'other',
  note: null,
  ticketId: null,
  destination: 'original',
  ...over,
});

/** A provider that answers every refund in the same way and keeps the orders. */
const answering = (outcome: ChargeOutcome) => {
  const orders: RefundOrder[] = [];
  const provider = (order: RefundOrder): Promise<ChargeOutcome> => {
    orders.push(order);
    return Promise.resolve(outcome);
  };
  return { orders, effects: { refund: provider } };
};

const PENDING = { kind: 'pending' } as const;

const ask = (
  story: Story,
  over: Partial<RefundRequest> = {},
  effects: Partial<BillingEffects> = {},
) => story.do((draft, all) => refundPayment(draft, all, requestFor(story, over)), effects);

const refusalOf = (story: Story, over: Partial<RefundRequest> = {}): Promise<string> =>
  story.refusal((draft, effects) => refundPayment(draft, effects, requestFor(story, over)));

const reporting =
  (refundId: string, outcome: RefundReport['outcome'], over: Partial<RefundReport> = {}) =>
  (draft: Parameters<typeof reportRefund>[0], effects: BillingEffects): void => {
    const rest = { failure: null, providerRef: null, occurredAt: null };
    reportRefund(draft, effects, { refundId, outcome, ...rest, ...over });
  };

describe('a refund (D-23)', () => {
  it('without an amount returns the whole payment and leaves the subscription as it is', async () => {
    const story = await renewed();
    const before = story.subscription;
    expect(await ask(story)).toMatchObject([
      {
        type: 'payment.refunded',
        data: {
          refund: { amount: AMOUNT, returned: AMOUNT, status: 'succeeded', credit_id: null },
          amount_refunded_total: AMOUNT,
          payment: { status: 'succeeded', amount_refunded: AMOUNT },
        },
      },
    ]);
    expect(story.subscription).toEqual(before);
    expect(story.state.payments.paid.byCurrency).toEqual({ USD: 0 });
  });

  it('orders the returned part from the provider, once, with the id of the refund', async () => {
    const story = await renewed();
    const { orders, effects } = answering({ kind: 'succeeded', providerRef: 're_1' });
    await ask(story, { amount: 700 }, effects);
    const { id, provider_ref } = newest(story);
    expect(orders).toMatchObject([{ refundId: id, amount: 700 }]);
    expect(provider_ref).toBe('re_1');
  });

  it('returns first what the provider collected and then, as credit, what credits paid', async () => {
    const story = await renewed(CREDIT);
    expect(await ask(story)).toMatchObject([
      { type: 'payment.refunded', data: { refund: { amount: AMOUNT, returned: 1_500 } } },
      {
        type: 'credit.granted',
        data: { amount: CREDIT, category: 'refund', payment_id: paymentOf(story).id },
      },
    ]);
    expect(newest(story).credit_id).toBe([...story.state.credits.keys()].at(-1));
    expect(story.state.payments.paid.byCurrency).toEqual({ USD: 0 });
  });

  it('in parts returns all collected money before the part that credits paid', async () => {
    const story = await renewed(CREDIT);
    await ask(story, { amount: 1_400 });
    await ask(story, { amount: 600 });
    expect(refundsOf(story)).toMatchObject([
      { amount: 1_400, returned: 1_400, credit_id: null },
      { amount: 600, returned: 100, credit_id: expect.any(String) as string },
    ]);
    expect(paymentOf(story).amount_refunded).toBe(AMOUNT);
  });

  it('to credit moves no money and asks no provider', async () => {
    const story = await renewed();
    const { orders, effects } = answering(PENDING);
    const facts = await ask(story, { amount: 800, destination: 'credit' }, effects);
    expect(facts).toMatchObject([
      { type: 'payment.refunded', data: { refund: { amount: 800, returned: 0 } } },
      { type: 'credit.granted', data: { amount: 800, category: 'refund' } },
    ]);
    expect(orders).toEqual([]);
    expect(story.state.payments.paid.byCurrency).toEqual({ USD: AMOUNT });
  });

  it('that the provider declines fails, grants no credit and can be asked for again', async () => {
    const story = await renewed(CREDIT);
    const { effects } = answering({ kind: 'declined', failure: FAILURE });
    expect(await ask(story, {}, effects)).toMatchObject([
      {
        type: 'payment.refund_failed',
        data: {
          refund: { status: 'failed', failure: FAILURE, credit_id: null, succeeded_at: null },
          amount_refunded_total: 0,
          payment: { amount_refunded: 0 },
        },
      },
    ]);
    await ask(story);
    expect(newest(story)).toMatchObject({ amount: AMOUNT, status: 'succeeded' });
  });

  it.each([
    ['above the rest of the payment', { amount: 501 }, 'refund_amount_exceeds_remaining'],
    ['of nothing', { amount: 0 }, 'refund_amount_exceeds_remaining'],
    ['above the limit of the role', { amount: 400, amountMax: 1_899 }, 'refund_limit_exceeded'],
    ['of an unknown payment', { paymentId: 'pay_0' }, 'resource_not_found'],
  ])('is refused %s', async (_, over, code) => {
    const story = await renewed();
    await ask(story, { amount: 1_500 });
    expect(await refusalOf(story, over)).toBe(code);
  });

  it('of a fully refunded payment is refused without blaming an amount that was not sent', async () => {
    const story = await renewed();
    await ask(story);
    const refused = ask(story);
    await expect(refused).rejects.toMatchObject({
      message: 'This payment is fully refunded.',
      facts: { details: { remaining: 0 } },
    });
    await expect(refused).rejects.not.toMatchObject({ facts: { param: 'amount' } });
  });

  it('up to the limit of the role is accepted', async () => {
    const story = await renewed();
    await ask(story, { amount: 300, amountMax: 400 });
    await ask(story, { amount: 100, amountMax: 400 });
    expect(newest(story)).toMatchObject({ amount: 100, status: 'succeeded' });
    expect(await refusalOf(story, { amount: 1, amountMax: 400 })).toBe('refund_limit_exceeded');
  });

  it.each(['pm_test_soft_decline', 'pm_test_hard_decline', 'pm_test_pending'])(
    'of a payment that has not succeeded is refused: %s',
    async (token) => {
      expect(await refusalOf(await renewed(0, token))).toBe('invalid_state_transition');
    },
  );
});

describe('a refund of a disputed payment', () => {
  const disputed = async (status: DisputeStatus): Promise<Story> => {
    const story = await renewed();
    await story.do((draft) => {
      draft.add(...recordDispute(paymentOf(story).id, status)(draft.state));
    });
    return story;
  };

  it('is possible while the dispute is open, and after it is won', async () => {
    for (const status of ['open', 'won'] as const) {
      const story = await disputed(status);
      await ask(story);
      expect(newest(story)).toMatchObject({ amount: AMOUNT, status: 'succeeded' });
    }
  });

  it.each(['original', 'credit'] as const)(
    'is refused to %s after the dispute is lost, because the bank returned the money',
    async (destination) => {
      expect(await refusalOf(await disputed('lost'), { destination })).toBe(
        'invalid_state_transition',
      );
    },
  );
});

describe('a refund of which the provider has not reported the outcome', () => {
  const pending = async (over: Partial<RefundRequest> = {}, credit = 0): Promise<Story> => {
    const story = await renewed(credit);
    await ask(story, over, answering(PENDING).effects);
    return story;
  };

  it('is requested by an event, returns nothing yet and reserves its amount', async () => {
    const story = await pending({ amount: 1_500 });
    expect(story.types.at(-1)).toBe('payment.refund_requested');
    expect(newest(story)).toMatchObject({ status: 'pending', succeeded_at: null });
    expect(paymentOf(story).amount_refunded).toBe(0);
    expect(await refusalOf(story, { amount: 501 })).toBe('refund_amount_exceeds_remaining');
  });

  it('succeeds by a report, at the time and with the reference of the provider', async () => {
    const story = await pending({}, CREDIT);
    story.now = plusDays(story.now, 2);
    const occurredAt = plusDays(story.now, -1);
    const { id } = newest(story);
    const facts = await story.do(reporting(id, 'succeeded', { providerRef: 're_1', occurredAt }));
    expect(facts).toMatchObject([
      {
        type: 'payment.refunded',
        data: { refund: { provider_ref: 're_1', succeeded_at: occurredAt } },
      },
      { type: 'credit.granted', data: { amount: CREDIT } },
    ]);
  });

  it('fails by a report and frees its amount', async () => {
    const story = await pending();
    await story.do(reporting(newest(story).id, 'failed'));
    expect(newest(story)).toMatchObject({
      status: 'failed',
      failure: { code: 'refund_failed', decline_type: 'hard' },
    });
    await ask(story);
    expect(paymentOf(story).amount_refunded).toBe(AMOUNT);
  });

  it('keeps its first outcome: the same report changes nothing, another is refused', async () => {
    for (const outcome of ['succeeded', 'failed'] as const) {
      const story = await pending();
      const { id } = newest(story);
      await story.do(reporting(id, outcome));
      expect(await story.do(reporting(id, outcome))).toEqual([]);
      const other = outcome === 'failed' ? 'succeeded' : 'failed';
      expect(await story.refusal(reporting(id, other))).toBe('invalid_state_transition');
    }
  });

  it('is unknown under any other id', async () => {
    const story = await pending();
    expect(await story.refusal(reporting('rfd_0', 'succeeded'))).toBe('resource_not_found');
  });
});

describe('any course of refunds', () => {
  type Step =
    | { kind: 'ask'; amount: number | null; destination: 'original' | 'credit'; answer: Answer }
    | { kind: 'report'; index: number; outcome: 'succeeded' | 'failed' };
  type Answer = ChargeOutcome['kind'];

  const outcomes: Readonly<Record<Answer, ChargeOutcome>> = {
    succeeded: { kind: 'succeeded', providerRef: null },
    pending: PENDING,
    declined: { kind: 'declined', failure: FAILURE },
  };

  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({
      kind: fc.constant('ask' as const),
      amount: fc.option(fc.integer({ min: 1, max: AMOUNT })),
      destination: fc.constantFrom('original' as const, 'credit' as const),
      answer: fc.constantFrom<Answer>('succeeded', 'pending', 'declined'),
    }),
    fc.record({
      kind: fc.constant('report' as const),
      index: fc.nat(5),
      outcome: fc.constantFrom('succeeded' as const, 'failed' as const),
    }),
  );

  const perform = async (story: Story, taken: Step): Promise<void> => {
    if (taken.kind === 'ask') {
      const { amount, destination, answer } = taken;
      const { effects } = answering(outcomes[answer]);
      await story.refusal((draft, all) =>
        refundPayment(draft, { ...all, ...effects }, requestFor(story, { amount, destination })),
      );
      return;
    }
    const reported = refundsOf(story)[taken.index];
    if (reported !== undefined) await story.refusal(reporting(reported.id, taken.outcome));
  };

  it('returns at most the payment, and every part once: as money or as credit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(0, CREDIT, AMOUNT),
        fc.array(step, { minLength: 1, maxLength: 8 }),
        async (credit, steps) => {
          const story = await renewed(credit);
          const paidBefore = story.state.payments.paid.byCurrency['USD'] ?? 0;
          for (const each of steps) await perform(story, each);
          const sum = (parts: readonly Refund[], part: 'amount' | 'returned'): number =>
            parts.reduce((total, each) => total + each[part], 0);
          const done = refundsOf(story).filter(({ status }) => status === 'succeeded');
          const open = refundsOf(story).filter(({ status }) => status === 'pending');
          expect(paymentOf(story).amount_refunded).toBe(sum(done, 'amount'));
          expect(sum([...done, ...open], 'amount')).toBeLessThanOrEqual(AMOUNT);
          expect(sum([...done, ...open], 'returned')).toBeLessThanOrEqual(AMOUNT - credit);
          expect(story.state.payments.paid.byCurrency['USD'] ?? 0).toBe(
            paidBefore - sum(done, 'returned'),
          );
          const granted = [...story.state.credits.values()]
            .filter(({ category }) => category === 'refund')
            .reduce((total, { amount }) => total + amount, 0);
          expect(granted).toBe(sum(done, 'amount') - sum(done, 'returned'));
        },
      ),
      { numRuns: 60 },
    );
  });
});
