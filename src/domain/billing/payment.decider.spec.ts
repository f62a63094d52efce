import fc from 'fast-check';
import type { Dated } from '../../kernel/decider';
import { DomainError } from '../../kernel/errors';
import type { Currency } from '../../kernel/money';
import { type Instant, plusDays } from '../../kernel/time';
import { noon } from '../../../test/support/given';
import { plan, subId, subscriberId } from '../../../test/support/story';
import {
  getCollected,
  evolvePayments,
  hasPaid,
  noPayments,
  type Payments,
  requirePayment,
  viewPaid,
} from './payment.decider';
import type { Payment, PaymentFact } from './payment.events';
import type { Refund, RefundFact } from './refund.events';

const payment = (over: Partial<Payment> = {}): Payment => ({
  id: 'pay_1',
  subscriber_id: subscriberId,
  subscription_id: subId,
  status: 'succeeded',
  amount: 2_000,
  amount_refunded: 0,
  credit_applied: 0,
  currency: plan().currency,
  reason: 'renewal',
  period_start: noon,
  period_end: plusDays(noon, 31),
  attempt_count: 1,
  next_attempt_at: null,
  grace_ends_at: null,
  failure: null,
  payment_method: null,
  provider: 'test',
  provider_ref: null,
  recovery: null,
  lines: [],
  created_at: noon,
  succeeded_at: noon,
  terms: plan(),
  first_failed_at: null,
  credits: [],
  reported: [],
  ...over,
});

type Told = Dated<PaymentFact> | Dated<RefundFact>;

const succeeded = (over: Partial<Payment> = {}, at: Instant = noon): Told => ({
  type: 'payment.succeeded',
  subscriptionId: subId,
  at,
  data: { payment: payment({ succeeded_at: at, ...over }), first_payment: true, actor: 'api' },
});

const refunded = (of: Payment, returned: number): Told => ({
  type: 'payment.refunded',
  subscriptionId: subId,
  at: noon,
  data: {
    refund: { payment_id: of.id, currency: of.currency, amount: of.amount, returned } as Refund,
    amount_refunded_total: of.amount,
    actor: 'api',
    payment: { ...of, amount_refunded: of.amount },
  },
});

const after = (...facts: readonly Told[]): Payments => facts.reduce(evolvePayments, noPayments);

describe('the money that a subscriber has paid (D-20)', () => {
  it('is nothing before the first success', () => {
    expect(hasPaid(noPayments)).toBe(false);
    expect(viewPaid(noPayments)).toEqual({
      total_paid: 0,
      paid_currency: null,
      totals_by_currency: {},
      last_payment_at: null,
    });
  });

  it('is the part of the amounts that the provider collected, without the part that credits paid', () => {
    const payments = after(succeeded({ credit_applied: 500 }));
    expect(getCollected(payment({ credit_applied: 500 }))).toBe(1_500);
    expect(hasPaid(payments)).toBe(true);
    expect(viewPaid(payments)).toMatchObject({ total_paid: 1_500, paid_currency: 'USD' });
  });

  it('is counted by currency, and the total is of the latest currency', () => {
    const payments = after(
      succeeded({ id: 'pay_1', currency: 'EUR' as Currency, amount: 300 }),
      succeeded({ id: 'pay_2' }, plusDays(noon, 1)),
    );
    expect(viewPaid(payments)).toEqual({
      total_paid: 2_000,
      paid_currency: 'USD',
      totals_by_currency: { EUR: 300, USD: 2_000 },
      last_payment_at: plusDays(noon, 1),
    });
  });

  it('counts an earlier payment that is imported later, but does not take it for the latest', () => {
    const payments = after(
      succeeded({ id: 'pay_2' }, plusDays(noon, 1)),
      succeeded({ id: 'pay_1', currency: 'EUR' as Currency, amount: 300 }),
    );
    expect(viewPaid(payments)).toMatchObject({
      paid_currency: 'USD',
      totals_by_currency: { EUR: 300, USD: 2_000 },
      last_payment_at: plusDays(noon, 1),
    });
  });

  it('decreases by the money that a refund returns, and not by its part that became credit', () => {
    expect(viewPaid(after(succeeded(), refunded(payment(), 1_500)))).toMatchObject({
      total_paid: 500,
    });
  });

  it('does not depend on the order in which imported payments arrive', () => {
    const some = fc.uniqueArray(
      fc.record({
        amount: fc.integer({ min: 1, max: 9_999 }),
        currency: fc.constantFrom('USD' as Currency, 'EUR' as Currency),
        day: fc.integer({ min: 0, max: 400 }),
      }),
      { minLength: 1, maxLength: 6, selector: ({ day }) => day },
    );
    const facts = some.map((all) =>
      all.map(({ amount, currency, day }) =>
        succeeded({ id: `pay_${day}`, amount, currency }, plusDays(noon, day)),
      ),
    );
    const shuffled = facts.chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([inOrder, other]) => {
        expect(viewPaid(after(...other))).toEqual(viewPaid(after(...inOrder)));
      }),
    );
  });
});

describe('a payment', () => {
  it.each(['payment.due', 'payment.failed', 'payment.recovered', 'payment.recovery_lost'] as const)(
    'has the state that %s states, and adds no money',
    (type) => {
      const changed = payment({ status: 'pending', attempt_count: 2 });
      const fact = { type, subscriptionId: subId, at: noon, data: { payment: changed } };
      const payments = after(fact as unknown as Told);
      expect(requirePayment({ payments }, 'pay_1')).toEqual(changed);
      expect(viewPaid(payments).total_paid).toBe(0);
    },
  );

  it('keeps the last reported status of its dispute', () => {
    const disputed = (dispute_status: string) =>
      ({
        type: 'payment.disputed',
        subscriptionId: subId,
        at: noon,
        data: { payment_id: 'pay_1', dispute_status },
      }) as unknown as Told;
    const payments = after(succeeded(), disputed('open'), disputed('won'));
    expect(payments.disputes).toEqual({ pay_1: 'won' });
    expect(viewPaid(payments).total_paid).toBe(2_000);
  });

  it('that is not the subscriber’s is not found', () => {
    expect(() => requirePayment({ payments: after(succeeded()) }, 'pay_2')).toThrow(
      new DomainError('resource_not_found', 'No such payment.'),
    );
  });
});
