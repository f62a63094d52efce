import { DomainError } from '../../kernel/errors';
import type { Environment } from '../../kernel/scope';
import {
  type Charge,
  type ChargeOutcome,
  PAYMENT_METHOD_MISSING,
} from '../../domain/billing/collecting';
import type { RefundOrder } from '../../domain/billing/refund.decider';
import type { Failure, Payment, PaymentMethod } from '../../domain/billing/payment.events';

/** Collects and refunds money (D-07). Calls are idempotent by attempt id and refund id. */
export abstract class Collector {
  abstract readonly provider: Payment['provider'];
  /** Returns the description of a payment method. Throws if the token cannot be charged. */
  abstract describe(token: string): PaymentMethod;
  abstract charge(charge: Charge): Promise<ChargeOutcome>;
  abstract refund(order: RefundOrder): Promise<ChargeOutcome>;
}

const DECLINES: Readonly<Record<'soft' | 'hard' | 'missing', Failure>> = {
  soft: {
    code: 'insufficient_funds',
    message: 'The card has insufficient funds.',
    decline_type: 'soft',
  },
  hard: { code: 'card_declined', message: 'The card was declined for good.', decline_type: 'hard' },
  missing: {
    code: PAYMENT_METHOD_MISSING,
    message: 'There is no payment method to charge.',
    decline_type: 'hard',
  },
};

const FAILS_THEN_OK = /^pm_test_fail_([1-9]\d?)_then_ok$/;

/**
 * The collector of test environments. The payment method determines the outcome (D-112), and no
 * money moves.
 */
export class TestCollector extends Collector {
  readonly provider = 'test';

  describe(token: string): PaymentMethod {
    if (!isTestMethod(token)) throw createUnknownMethodError();
    return { token, type: 'card', brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 };
  }

  charge({ attemptId, attempt, method }: Charge): Promise<ChargeOutcome> {
    return Promise.resolve(chooseOutcome(method?.token ?? null, attempt, attemptId));
  }

  refund({ refundId }: RefundOrder): Promise<ChargeOutcome> {
    return Promise.resolve({ kind: 'succeeded', providerRef: `test_${refundId}` });
  }
}

const isTestMethod = (token: string): boolean =>
  ['pm_test_ok', 'pm_test_soft_decline', 'pm_test_hard_decline', 'pm_test_pending'].includes(
    token,
  ) || FAILS_THEN_OK.test(token);

const chooseOutcome = (token: string | null, attempt: number, attemptId: string): ChargeOutcome => {
  switch (token) {
    case null:
      return { kind: 'declined', failure: DECLINES.missing };
    case 'pm_test_soft_decline':
      return { kind: 'declined', failure: DECLINES.soft };
    case 'pm_test_hard_decline':
      return { kind: 'declined', failure: DECLINES.hard };
    case 'pm_test_pending':
      return { kind: 'pending' };
    default: {
      const failures = Number(FAILS_THEN_OK.exec(token)?.[1] ?? 0);
      return attempt <= failures
        ? { kind: 'declined', failure: DECLINES.soft }
        : { kind: 'succeeded', providerRef: `test_${attemptId}` };
    }
  }
};

const createUnknownMethodError = (): DomainError =>
  new DomainError(
    'parameter_invalid',
    'In a test environment payment_method must be pm_test_ok, pm_test_soft_decline, pm_test_hard_decline, pm_test_fail_<n>_then_ok or pm_test_pending.',
    { param: 'payment_method' },
  );

/**
 * The collector of live environments, where the tenant's own payment provider collects. Every
 * charge is pending until the tenant reports its outcome; `payment.due` asks for it.
 */
export class ExternalCollector extends Collector {
  readonly provider = 'external';

  describe(token: string): PaymentMethod {
    return { token, type: 'external', brand: null, last4: null, exp_month: null, exp_year: null };
  }

  charge(): Promise<ChargeOutcome> {
    return Promise.resolve({ kind: 'pending' });
  }

  refund(): Promise<ChargeOutcome> {
    return Promise.resolve({ kind: 'pending' });
  }
}

/** Returns the collector of an environment. */
export class Collectors {
  private readonly test = new TestCollector();
  private readonly external = new ExternalCollector();

  choose(environment: Environment): Collector {
    return environment === 'test' ? this.test : this.external;
  }
}
