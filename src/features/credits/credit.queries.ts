import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '../../event-store/aggregates';
import { restorePersonal } from '../../event-store/catalogue';
import type { JsonObject } from '../../kernel/json';
import { streams } from '../../event-store/streams';
import { Vault } from '../../event-store/vault';
import {
  createPeriodConditions,
  equalTo,
  mapPage,
  mapPageAsync,
  readPage,
} from '../../http/lists/keyset';
import type { Page, PageQuery } from '../../http/lists/pagination';
import { Versioned } from '../../http/pipeline/presentation';
import { notFound } from '../../kernel/errors';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { requireOwner, requireSubscriberId } from '../../kernel/required-ids';
import { Database } from '../../read-models/database';
import { subscriberAggregate } from '../../domain/subscriber-stream/subscriber.aggregate';
import { hasRecord } from '../../domain/subscribers/subscriber.decider';
import { requireCredit } from '../../domain/billing/credit.decider';
import type { CreditTransaction, ListCreditsQuery } from './credit.dto';
import type { Credit } from '../../domain/billing/credit.events';

export class GetCredit extends Query<Versioned<Credit>> {
  constructor(
    readonly scope: Scope,
    readonly id: string,
  ) {
    super();
  }
}

export class ListCredits extends Query<Page<Credit>> {
  constructor(
    readonly scope: Scope,
    readonly subscriberId: string,
    readonly filters: ListCreditsQuery,
  ) {
    super();
  }
}

export class ListCreditTransactions extends Query<Page<CreditTransaction>> {
  constructor(
    readonly scope: Scope,
    readonly creditId: string,
    readonly page: PageQuery,
  ) {
    super();
  }
}

interface CreditRow {
  readonly id: string;
  readonly created_at: Instant;
  readonly subscriber_id: string;
  readonly credit: JsonObject;
  readonly sealed: string | null;
}

@QueryHandler(GetCredit)
export class GetCreditHandler implements IQueryHandler<GetCredit> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ scope, id }: GetCredit): Promise<Versioned<Credit>> {
    const owner = requireOwner('crd', id, 'creditId');
    const stream = streams.subscriber(scope, owner);
    const { state, revision } = await this.aggregates.load(subscriberAggregate, stream);
    return new Versioned(requireCredit(state, id), revision + 1);
  }
}

@QueryHandler(ListCredits)
export class ListCreditsHandler implements IQueryHandler<ListCredits> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  async execute({ scope, subscriberId, filters }: ListCredits): Promise<Page<Credit>> {
    requireSubscriberId(subscriberId, 'subscriberId');
    const stream = streams.subscriber(scope, subscriberId);
    const { state } = await this.aggregates.load(subscriberAggregate, stream);
    if (!hasRecord(state.profile)) throw notFound('subscriber', 'subscriberId');
    const page = await readPage<CreditRow>(
      this.database,
      {
        from: 'credits',
        columns: 'id, created_at, subscriber_id, credit, sealed',
        scope: scopeName(scope),
        conditions: [
          ['subscriber_id = ?', subscriberId],
          ...equalTo(filters, 'status'),
          ...createPeriodConditions(filters),
        ],
      },
      filters,
    );
    return mapPageAsync(page, (row) => this.unseal(row));
  }

  /** Returns the credit, with its note unless the subscriber was erased. */
  private async unseal({ subscriber_id, credit, sealed }: CreditRow): Promise<Credit> {
    const personal = await this.vault.open(subscriber_id, sealed ?? undefined);
    return restorePersonal({ credit }, personal?.fields ?? [])['credit'] as unknown as Credit;
  }
}

@QueryHandler(ListCreditTransactions)
export class ListCreditTransactionsHandler implements IQueryHandler<ListCreditTransactions> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly database: Database,
  ) {}

  async execute({
    scope,
    creditId,
    page,
  }: ListCreditTransactions): Promise<Page<CreditTransaction>> {
    const owner = requireOwner('crd', creditId, 'creditId');
    const stream = streams.subscriber(scope, owner);
    requireCredit((await this.aggregates.load(subscriberAggregate, stream)).state, creditId);
    const rows = await readPage<{
      id: string;
      created_at: Instant;
      resource: CreditTransaction;
    }>(
      this.database,
      {
        from: 'credit_transactions',
        columns: 'id, created_at, resource',
        scope: scopeName(scope),
        conditions: [['credit_id = ?', creditId]],
      },
      page,
    );
    return mapPage(rows, ({ resource }) => resource);
  }
}
