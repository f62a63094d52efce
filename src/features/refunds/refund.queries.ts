import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '../../event-store/aggregates';
import { restorePersonal } from '../../event-store/catalogue';
import type { JsonObject } from '../../kernel/json';
import { streams } from '../../event-store/streams';
import { Vault } from '../../event-store/vault';
import { createPeriodConditions, equalTo, mapPageAsync, readPage } from '../../http/lists/keyset';
import type { Page } from '../../http/lists/pagination';
import { Versioned } from '../../http/pipeline/presentation';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { requireOwner } from '../../kernel/required-ids';
import { Database } from '../../read-models/database';
import { subscriberAggregate } from '../../domain/subscriber-stream/subscriber.aggregate';
import { requireRefund } from '../../domain/billing/refund.decider';
import { type ListRefundsQuery, viewRefund } from './refund.dto';
import type { Refund } from '../../domain/billing/refund.events';

export class GetRefund extends Query<Versioned<Refund>> {
  constructor(
    readonly scope: Scope,
    readonly id: string,
  ) {
    super();
  }
}

export class ListRefunds extends Query<Page<Refund>> {
  constructor(
    readonly scope: Scope,
    readonly filters: ListRefundsQuery,
  ) {
    super();
  }
}

interface RefundRow {
  readonly id: string;
  readonly created_at: Instant;
  readonly subscriber_id: string;
  readonly refund: JsonObject;
  readonly sealed: string | null;
}

@QueryHandler(GetRefund)
export class GetRefundHandler implements IQueryHandler<GetRefund> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ scope, id }: GetRefund): Promise<Versioned<Refund>> {
    const owner = requireOwner('rfd', id, 'refundId');
    const stream = streams.subscriber(scope, owner);
    const { state, revision } = await this.aggregates.load(subscriberAggregate, stream);
    return new Versioned(viewRefund(requireRefund(state, id)), revision + 1);
  }
}

@QueryHandler(ListRefunds)
export class ListRefundsHandler implements IQueryHandler<ListRefunds> {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  async execute({ scope, filters }: ListRefunds): Promise<Page<Refund>> {
    const page = await readPage<RefundRow>(
      this.database,
      {
        from: 'refunds',
        columns: 'id, created_at, subscriber_id, refund, sealed',
        scope: scopeName(scope),
        conditions: [
          ...equalTo(filters, 'status', 'subscriber_id', 'payment_id'),
          ...createPeriodConditions(filters),
        ],
      },
      filters,
    );
    return mapPageAsync(page, (row) => this.unseal(row));
  }

  /** Restores the note, unless the subscriber was erased. */
  private async unseal({ subscriber_id, refund, sealed }: RefundRow): Promise<Refund> {
    const personal = await this.vault.open(subscriber_id, sealed ?? undefined);
    const opened = restorePersonal({ refund }, personal?.fields ?? [])['refund'];
    return viewRefund(opened as unknown as Refund);
  }
}
