import type { Path } from '../../event-store/catalogue';
import type { StoredEvent } from '../../event-store/stored-event';
import { Projection } from '../../projections/projection';
import { removeOwned } from '../../projections/removal';
import type { RowChanges, Table } from '../../projections/rows';
import type { Attempt } from './payment.dto';
import type { Payment } from '../../domain/billing/payment.events';

const paymentsTable: Table = { name: 'payments', key: ['scope', 'id'] };
const attemptsTable: Table = { name: 'payment_attempts', key: ['scope', 'id'] };

/** Projects the current state of payments, and one row for each attempt. */
export class PaymentProjection extends Projection {
  readonly name = 'payments';
  readonly tables = [paymentsTable, attemptsTable];

  project(event: StoredEvent, changes: RowChanges): void {
    for (const table of this.tables) removeOwned(changes, event, table, { kind: 'pay' });
    if (event.owner === null) return;
    const scope = event.owner.scopeName;
    const sealed = event.metadata.sealed ?? null;
    for (const { payment, at } of listPayments(event)) {
      changes.upsert(paymentsTable, {
        scope,
        id: payment.id,
        subscriber_id: payment.subscriber_id,
        subscription_id: payment.subscription_id,
        created_at: payment.created_at,
        status: payment.status,
        resource: payment,
        sealed,
        sealed_at: at,
      });
    }
    const attempt = findAttempt(event);
    if (attempt === null) return;
    const { id, payment_id, created_at } = attempt;
    changes.upsert(attemptsTable, {
      scope,
      id,
      payment_id,
      created_at,
      resource: attempt,
      sealed,
      sealed_at: PAYMENT_PATHS,
    });
  }
}

interface FoundPayment {
  readonly payment: Payment;
  /** Path of the payment in the data of the event. */
  readonly at: Path;
}

const PAYMENT_PATHS: Path = ['payment'];

const listPayments = ({ type, data }: StoredEvent): readonly FoundPayment[] => {
  if (type === 'subscription.cancelled' || type === 'subscription.lapsed') {
    const { closing } = data as unknown as { closing: { payments: Payment[] } };
    return closing.payments.map((payment, i) => ({ payment, at: ['closing', 'payments', i] }));
  }
  const { payment } = data as unknown as { payment?: Payment };
  return type.startsWith('payment.') && payment !== undefined
    ? [{ payment, at: PAYMENT_PATHS }]
    : [];
};

const OUTCOME_BY_EVENT: Readonly<Record<string, Attempt['outcome']>> = {
  'payment.succeeded': 'succeeded',
  'payment.failed': 'failed',
  'payment.due': 'pending',
};

/**
 * Returns the attempt that the event reports, or null. A pending attempt already has the number
 * that it will have with its outcome.
 */
const findAttempt = ({ type, data, metadata }: StoredEvent): Attempt | null => {
  const outcome = OUTCOME_BY_EVENT[type];
  if (outcome === undefined) return null;
  const { payment } = data as unknown as { payment: Payment };
  const attempt = payment.attempt_count + (outcome === 'pending' ? 1 : 0);
  return {
    id: `${payment.id}_${attempt}`,
    payment_id: payment.id,
    attempt,
    outcome,
    amount: payment.amount - payment.credit_applied,
    currency: payment.currency,
    failure: outcome === 'failed' ? payment.failure : null,
    payment_method: payment.payment_method,
    provider_ref: payment.provider_ref,
    created_at: metadata.at,
  };
};
