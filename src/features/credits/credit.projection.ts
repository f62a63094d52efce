import type { StoredEvent } from '../../event-store/stored-event';
import { Projection } from '../../projections/projection';
import { removeOwned } from '../../projections/removal';
import type { RowChanges, Table } from '../../projections/rows';
import type { CreditTransaction } from './credit.dto';
import { type Credit, creditEvents, type Reinstatement } from '../../domain/billing/credit.events';

const creditsTable: Table = { name: 'credits', key: ['scope', 'id'] };
const transactionsTable: Table = { name: 'credit_transactions', key: ['scope', 'id'] };

/** Projects the current state of credits and their ledger, which has a line for each movement. */
export class CreditProjection extends Projection {
  readonly name = 'credits';
  readonly tables = [creditsTable, transactionsTable];

  project(event: StoredEvent, changes: RowChanges): void {
    removeOwned(changes, event, creditsTable, { kind: 'crd' });
    removeOwned(changes, event, transactionsTable, { kind: 'crd', column: 'credit_id' });
    if (event.owner === null) return;
    const scope = event.owner.scopeName;
    for (const { credit, transaction, sealed } of listMovements(event)) {
      changes.upsert(creditsTable, {
        scope,
        id: credit.id,
        subscriber_id: credit.subscriber_id,
        created_at: credit.created_at,
        status: credit.status,
        credit,
        ...(sealed === undefined ? {} : { sealed }),
      });
      const { id, credit_id, created_at } = transaction;
      changes.upsert(transactionsTable, {
        scope,
        id,
        credit_id,
        created_at,
        resource: transaction,
      });
    }
  }
}

interface Movement {
  readonly credit: Credit;
  readonly transaction: CreditTransaction;
  /** The sealed note, if the event contains it. */
  readonly sealed?: string | null;
}

const listMovements = (event: StoredEvent): readonly Movement[] => {
  const { type, data, metadata } = event;
  if (type in creditEvents) {
    const { credit, amount, payment_id } = data as unknown as {
      credit: Credit;
      amount: number;
      payment_id: string | null;
    };
    const kind = type.slice('credit.'.length) as CreditTransaction['type'];
    const signed = kind === 'granted' ? amount : -amount;
    const transaction = toLine(event, { credit, kind, amount: signed, paymentId: payment_id });
    return [{ credit, transaction, sealed: metadata.sealed ?? null }];
  }
  if (type !== 'subscription.cancelled' && type !== 'subscription.lapsed') return [];
  const { reinstated } = (data as unknown as { closing: { reinstated: Reinstatement[] } }).closing;
  return reinstated.map(({ credit, amount, payment_id }, i) => ({
    credit,
    transaction: toLine(event, {
      credit,
      kind: 'reinstated',
      amount,
      paymentId: payment_id,
      number: i,
    }),
  }));
};

interface LineFacts {
  readonly credit: Credit;
  readonly kind: CreditTransaction['type'];
  readonly amount: number;
  readonly paymentId: string | null;
  /** The index of the movement in an event that has several. */
  readonly number?: number;
}

/** Builds a line of the ledger. Its id is derived from the event that moved the credit. */
const toLine = (
  { id, metadata }: StoredEvent,
  { credit, kind, amount, paymentId, number }: LineFacts,
): CreditTransaction => ({
  id: number === undefined ? id : `${id}_${number}`,
  credit_id: credit.id,
  type: kind,
  amount,
  currency: credit.currency,
  ending_balance: credit.remaining,
  payment_id: paymentId,
  created_at: metadata.at,
});
