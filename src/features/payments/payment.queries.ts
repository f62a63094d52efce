import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import { mapPage, readPage } from '../../http/keyset';
import type { Page, PageQuery } from '../../http/pagination';
import { Versioned } from '../../http/presentation';
import { notFound } from '../../kernel/errors';
import { ownerOf } from '../../kernel/ids';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { Database } from '../../read-models/database';
import { subscriberAggregate } from '../subscriber.aggregate';
import { requirePayment } from './payment.decider';
import { type Attempt, type ListPaymentsQuery, viewAttempt, viewPayment } from './payment.dto';
import type { Payment } from './payment.events';

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

interface Row<Resource> {
  readonly id: string;
  readonly created_at: Instant;
  readonly resource: Resource;
}

@QueryHandler(GetPayment)
export class GetPaymentHandler implements IQueryHandler<GetPayment> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ scope, id }: GetPayment): Promise<Versioned<Payment>> {
    const owner = ownerOf('pay', id);
    if (owner === null) throw notFound('payment', 'paymentId');
    const stream = streams.subscriber(scope, owner);
    const { state, revision } = await this.aggregates.load(subscriberAggregate, stream);
    return new Versioned(viewPayment(requirePayment(state, id)), revision + 1);
  }
}

@QueryHandler(ListPayments)
export class ListPaymentsHandler implements IQueryHandler<ListPayments> {
  constructor(private readonly database: Database) {}

  async execute({ scope, filters }: ListPayments): Promise<Page<Payment>> {
    const page = await readPage<Row<Payment>>(
      this.database,
      {
        from: 'payments',
        columns: 'id, created_at, resource',
        scope: scopeName(scope),
        conditions: [
          ['status = ?', filters.status],
          ['subscriber_id = ?', filters.subscriber_id],
          ['subscription_id = ?', filters.subscription_id],
          ['created_at >= ?', filters.created_after],
          ['created_at < ?', filters.created_before],
        ],
      },
      filters,
    );
    return mapPage(page, ({ resource }) => viewPayment(resource));
  }
}

@QueryHandler(ListAttempts)
export class ListAttemptsHandler implements IQueryHandler<ListAttempts> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly database: Database,
  ) {}

  async execute({ scope, paymentId, page }: ListAttempts): Promise<Page<Attempt>> {
    const owner = ownerOf('pay', paymentId);
    if (owner === null) throw notFound('payment', 'paymentId');
    const stream = streams.subscriber(scope, owner);
    requirePayment((await this.aggregates.load(subscriberAggregate, stream)).state, paymentId);
    const rows = await readPage<Row<Attempt>>(
      this.database,
      {
        from: 'payment_attempts',
        columns: 'id, created_at, resource',
        scope: scopeName(scope),
        conditions: [['payment_id = ?', paymentId]],
      },
      page,
    );
    return mapPage(rows, ({ resource }) => viewAttempt(resource));
  }
}
