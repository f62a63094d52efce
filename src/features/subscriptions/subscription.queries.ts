import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '../../event-store/aggregates';
import { Claims } from '../../event-store/claims';
import { streams } from '../../event-store/streams';
import { createPeriodConditions, equalTo, mapPage, readPage } from '../../http/lists/keyset';
import type { Page } from '../../http/lists/pagination';
import { Versioned } from '../../http/pipeline/presentation';
import { describeTooEarly, notFound } from '../../kernel/errors';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { Database } from '../../read-models/database';
import { subscriberAggregate } from '../../domain/subscriber-stream/subscriber.aggregate';
import { requireSubscriptionOwner } from '../../services/billing/billing';
import { requireSubscription } from '../../domain/billing/subscription';
import {
  type ListSubscriptionsQuery,
  viewSubscriptionWithComment,
  type SubscriptionResource,
} from './subscription.dto';

export class GetSubscription extends Query<Versioned<SubscriptionResource>> {
  constructor(
    readonly scope: Scope,
    readonly id: string,
  ) {
    super();
  }
}

export class GetSubscriptionAt extends Query<SubscriptionResource> {
  constructor(
    readonly scope: Scope,
    readonly id: string,
    readonly at: Instant,
  ) {
    super();
  }
}

export class ListSubscriptions extends Query<Page<SubscriptionResource>> {
  constructor(
    readonly scope: Scope,
    readonly filters: ListSubscriptionsQuery,
  ) {
    super();
  }
}

interface SubscriptionRow {
  readonly id: string;
  readonly created_at: Instant;
  readonly resource: SubscriptionResource;
}

@QueryHandler(GetSubscription)
export class GetSubscriptionHandler implements IQueryHandler<GetSubscription> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ scope, id }: GetSubscription): Promise<Versioned<SubscriptionResource>> {
    const stream = streams.subscriber(scope, requireSubscriptionOwner(id));
    const { state, revision } = await this.aggregates.load(subscriberAggregate, stream);
    return new Versioned(viewSubscriptionWithComment(requireSubscription(state, id)), revision + 1);
  }
}

@QueryHandler(GetSubscriptionAt)
export class GetSubscriptionAtHandler implements IQueryHandler<GetSubscriptionAt> {
  constructor(private readonly database: Database) {}

  /**
   * Reads the resource from the last event up to the moment. Every event carries the subscription
   * after it.
   */
  async execute({ scope, id, at }: GetSubscriptionAt): Promise<SubscriptionResource> {
    requireSubscriptionOwner(id);
    const [row] = await this.database.query<{ resource: SubscriptionResource | null }>({
      name: 'subscription at',
      text: `select (select metadata -> 'subscription' from events
          where scope = $1 and subscription_id = $2 and created_at <= $3
          order by sequence desc limit 1) as resource
        from subscriptions where scope = $1 and id = $2`,
      values: [scopeName(scope), id, at],
    });
    if (row === undefined) throw notFound('subscription', 'subscriptionId');
    if (row.resource === null) {
      throw notFound('subscription', 'subscriptionId', describeTooEarly(at));
    }
    return row.resource;
  }
}

@QueryHandler(ListSubscriptions)
export class ListSubscriptionsHandler implements IQueryHandler<ListSubscriptions> {
  constructor(
    private readonly database: Database,
    private readonly claims: Claims,
  ) {}

  async execute({ scope, filters }: ListSubscriptions): Promise<Page<SubscriptionResource>> {
    const page = await readPage<SubscriptionRow>(
      this.database,
      {
        from: 'subscriptions',
        columns: 'id, created_at, resource',
        scope: scopeName(scope),
        conditions: [
          ...equalTo(filters, 'status', 'subscriber_id', 'plan'),
          ['id = ?', await this.findByExternalId(scope, filters.external_id)],
          ...createPeriodConditions(filters),
        ],
      },
      filters,
    );
    return mapPage(page, ({ resource }) => resource);
  }

  /**
   * Returns the id of the subscription that has the external id, from the claims, because the read
   * model has no index for it. An empty text is the id of none.
   */
  private async findByExternalId(
    scope: Scope,
    externalId: string | undefined,
  ): Promise<string | undefined> {
    if (externalId === undefined) return undefined;
    return (await this.claims.findOwner(scope, { kind: 'subscription', externalId })) ?? '';
  }
}
