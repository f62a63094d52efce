import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '../../event-store/aggregates';
import { removePersonal, restorePersonalPart, type Path } from '../../event-store/catalogue';
import type { JsonObject } from '../../kernel/json';
import { streams } from '../../event-store/streams';
import { Vault } from '../../event-store/vault';
import { createPeriodConditions, equalTo, mapPageAsync, readPage } from '../../http/lists/keyset';
import type { Page, PageQuery } from '../../http/lists/pagination';
import { Versioned } from '../../http/pipeline/presentation';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { requireOwner } from '../../kernel/required-ids';
import { Database } from '../../read-models/database';
import { subscriberAggregate } from '../../domain/subscriber-stream/subscriber.aggregate';
import { requirePayment } from '../../domain/billing/payment.decider';
import { Attempt, type ListPaymentsQuery, viewAttempt, viewPayment } from './payment.dto';
import { Payment } from '../../domain/billing/payment.events';

export class GetPayment extends Query<Versioned<Payment>> {
  constructor(
    readonly scope: Scope,
    readonly id: string,
  ) {
    super();
  }
}

export class ListPayments extends Query<Page<Payment>> {
  constructor(
    readonly scope: Scope,
    readonly filters: ListPaymentsQuery,
  ) {
    super();
  }
}

export class ListAttempts extends Query<Page<Attempt>> {
  constructor(
    readonly scope: Scope,
    readonly paymentId: string,
    readonly page: PageQuery,
  ) {
    super();
  }
}

interface Row {
  readonly id: string;
  readonly created_at: Instant;
  readonly resource: JsonObject;
  readonly sealed: string | null;
  /** Path of the resource in the data of its event. */
  readonly sealed_at: Path | null;
}

const COLUMNS = 'id, created_at, resource, sealed, sealed_at';

/** Restores the personal fields of a resource. They are missing if the subscriber was erased. */
const unsealRow = async (
  vault: Vault,
  subscriberId: string,
  { row: { resource, sealed, sealed_at }, schema }: { row: Row; schema: object },
): Promise<JsonObject> => {
  const personal = await vault.open(subscriberId, sealed ?? undefined);
  return personal === null
    ? (removePersonal(schema, resource) as JsonObject)
    : restorePersonalPart(resource, sealed_at ?? [], personal.fields);
};

@QueryHandler(GetPayment)
export class GetPaymentHandler implements IQueryHandler<GetPayment> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ scope, id }: GetPayment): Promise<Versioned<Payment>> {
    const owner = requireOwner('pay', id, 'paymentId');
    const stream = streams.subscriber(scope, owner);
    const { state, revision } = await this.aggregates.load(subscriberAggregate, stream);
    return new Versioned(viewPayment(requirePayment(state, id)), revision + 1);
  }
}

@QueryHandler(ListPayments)
export class ListPaymentsHandler implements IQueryHandler<ListPayments> {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  async execute({ scope, filters }: ListPayments): Promise<Page<Payment>> {
    const page = await readPage<Row>(
      this.database,
      {
        from: 'payments',
        columns: COLUMNS,
        scope: scopeName(scope),
        conditions: [
          ...equalTo(filters, 'status', 'subscriber_id', 'subscription_id'),
          ...createPeriodConditions(filters),
        ],
      },
      filters,
    );
    return mapPageAsync(page, async (row) => {
      const owner = row.resource['subscriber_id'] as string;
      const payment = await unsealRow(this.vault, owner, { row, schema: Payment });
      return viewPayment(payment as unknown as Payment);
    });
  }
}

@QueryHandler(ListAttempts)
export class ListAttemptsHandler implements IQueryHandler<ListAttempts> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  async execute({ scope, paymentId, page }: ListAttempts): Promise<Page<Attempt>> {
    const owner = requireOwner('pay', paymentId, 'paymentId');
    const stream = streams.subscriber(scope, owner);
    requirePayment((await this.aggregates.load(subscriberAggregate, stream)).state, paymentId);
    const rows = await readPage<Row>(
      this.database,
      {
        from: 'payment_attempts',
        columns: COLUMNS,
        scope: scopeName(scope),
        conditions: [['payment_id = ?', paymentId]],
      },
      page,
    );
    return mapPageAsync(rows, async (row) => {
      const attempt = await unsealRow(this.vault, owner, { row, schema: Attempt });
      return viewAttempt(attempt as unknown as Attempt);
    });
  }
}
