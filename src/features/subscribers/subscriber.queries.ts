import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import {
  type Subscriber,
  subscriberAggregate,
} from '../../domain/subscriber-stream/subscriber.aggregate';
import { Aggregates } from '../../event-store/aggregates';
import { MasterKey } from '../../event-store/master-key';
import { streams } from '../../event-store/streams';
import { restorePersonal } from '../../event-store/catalogue';
import { digestEmail } from '../../event-store/email-hash';
import type { JsonObject } from '../../kernel/json';
import { type Personal, Vault } from '../../event-store/vault';
import { createPeriodConditions, equalTo, mapPageAsync, readPage } from '../../http/lists/keyset';
import type { Page } from '../../http/lists/pagination';
import { Versioned } from '../../http/pipeline/presentation';
import { describeTooEarly, notFound } from '../../kernel/errors';
import type { Currency } from '../../kernel/money';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { requireSubscriberId } from '../../kernel/required-ids';
import { Database } from '../../read-models/database';
import { CohortDirectory } from '../../directories/cohort.directory';
import type { SubscriptionView } from '../../domain/billing/subscription-view';
import {
  type ListSubscribersQuery,
  toRecord,
  type SubscriberResource,
  viewSubscriber,
} from './subscriber.dto';

export class GetSubscriber extends Query<Versioned<SubscriberResource>> {
  constructor(
    readonly scope: Scope,
    readonly id: string,
  ) {
    super();
  }
}

export class GetSubscriberAt extends Query<SubscriberResource> {
  constructor(
    readonly scope: Scope,
    readonly id: string,
    readonly at: Instant,
  ) {
    super();
  }
}

export class ListSubscribers extends Query<Page<SubscriberResource>> {
  constructor(
    readonly scope: Scope,
    readonly filters: ListSubscribersQuery,
  ) {
    super();
  }
}

interface SubscriberRow {
  readonly id: string;
  readonly created_at: Instant;
  readonly activated_at: Instant | null;
  readonly erased_at: Instant | null;
  readonly external_id: string | null;
  readonly tags: string[];
  readonly metadata: JsonObject;
  readonly engagement_score: number | null;
  /** The sealed values of the metadata (`sealed`) and the sealed address (`sealed_email`). */
  readonly sealed: string | null;
  readonly sealed_email: string | null;
  readonly sequence: number;
  readonly subscription: SubscriptionView | null;
  readonly total_paid: string;
  readonly paid_currency: Currency | null;
  readonly totals_by_currency: Record<string, number>;
  readonly last_payment_at: Instant | null;
  readonly cohort_ids: string[];
}

/** The columns of the record, with the resource of its primary subscription. */
const COLUMNS = `id, created_at, activated_at, erased_at, external_id, tags, metadata, sealed,
  sealed_email, engagement_score, sequence,
  (select resource from subscriptions s
    where s.scope = subscribers.scope and s.id = subscribers.primary_subscription_id) as subscription,
  total_paid, paid_currency, totals_by_currency, last_payment_at,
  array(select cohort_id from cohort_members m where m.subscriber_id = subscribers.id
    order by cohort_id) as cohort_ids`;

const IS_MEMBER = `exists (select 1 from cohort_members m
  where m.cohort_id = ? and m.subscriber_id = subscribers.id)`;

const HAS_PLAN = `exists (select 1 from subscriptions s where s.scope = subscribers.scope
  and s.id = subscribers.primary_subscription_id and s.plan = ?)`;

const HAS_PAYMENT_STATE = `exists (select 1 from subscriptions s where s.scope = subscribers.scope
  and s.subscriber_id = subscribers.id and s.payment_state = ?)`;

const HAS_EMAIL = `exists (select 1 from subscriber_emails e
  where e.scope = subscribers.scope and e.subscriber_id = subscribers.id and e.digest = ?)`;

const viewRow = async (vault: Vault, row: SubscriberRow): Promise<SubscriberResource> => {
  const personal = await vault.open(row.id, row.sealed ?? undefined);
  const inMetadata = (personal?.fields ?? []).filter(([path]) => path[0] === 'metadata');
  const { metadata } = restorePersonal({ metadata: row.metadata }, inMetadata);
  return viewSubscriber({
    ...row,
    email: await readEmail(vault, row, personal),
    metadata: metadata as SubscriberResource['metadata'],
    total_paid: Number(row.total_paid),
  });
};

/**
 * Decrypts the address. Usually one event sealed both the metadata and the address, so it is in
 * `personal` already.
 */
const readEmail = async (
  vault: Vault,
  { id, sealed, sealed_email }: SubscriberRow,
  personal: Personal | null,
): Promise<string | null> => {
  const last = sealed === sealed_email ? personal : await vault.open(id, sealed_email ?? undefined);
  return last?.email ?? null;
};

@QueryHandler(GetSubscriber)
export class GetSubscriberHandler implements IQueryHandler<GetSubscriber> {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  async execute({ scope, id }: GetSubscriber): Promise<Versioned<SubscriberResource>> {
    requireSubscriberId(id, 'subscriberId');
    const [row] = await this.database.query<SubscriberRow>({
      name: 'subscriber',
      text: `select ${COLUMNS} from subscribers where scope = $1 and id = $2`,
      values: [scopeName(scope), id],
    });
    if (row === undefined) throw notFound('subscriber', 'subscriberId');
    // A new cohort can add to `cohort_ids` without an event of the subscriber.
    return new Versioned(await viewRow(this.vault, row), row.sequence, false);
  }
}

@QueryHandler(GetSubscriberAt)
export class GetSubscriberAtHandler implements IQueryHandler<GetSubscriberAt> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly database: Database,
  ) {}

  async execute({ scope, id, at }: GetSubscriberAt): Promise<SubscriberResource> {
    requireSubscriberId(id, 'subscriberId');
    const subscriber = await this.aggregates.loadAt(
      subscriberAggregate,
      streams.subscriber(scope, id),
      at,
    );
    const [row] = await this.database.query<{ joined: string[] }>({
      name: 'subscriber at',
      text: `select array(select cohort_id from cohort_members m
          where m.subscriber_id = $2 and m.entered_at <= $3 order by cohort_id) as joined
        from subscribers where scope = $1 and id = $2`,
      values: [scopeName(scope), id, at],
    });
    if (row === undefined) throw notFound('subscriber', 'subscriberId');
    if (subscriber === null) throw notFound('subscriber', 'subscriberId', describeTooEarly(at));
    return viewSubscriber(toRecord(id, subscriber, listCohortsAt(subscriber, row.joined)));
  }
}

/**
 * Returns the cohorts of a subscriber at a moment. `joined` has the cohorts that the subscriber
 * joined without an event, because it matched when they were created.
 */
const listCohortsAt = ({ cohorts }: Subscriber, joined: readonly string[]): string[] => {
  const entered = Object.keys(cohorts).filter((id) => cohorts[id] === true);
  const joinedSilently = joined.filter((id) => cohorts[id] === undefined);
  return [...entered, ...joinedSilently].sort();
};

@QueryHandler(ListSubscribers)
export class ListSubscribersHandler implements IQueryHandler<ListSubscribers> {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly cohorts: CohortDirectory,
    private readonly masterKey: MasterKey,
  ) {}

  async execute({ scope, filters }: ListSubscribers): Promise<Page<SubscriberResource>> {
    const { cohort_id: cohortId, email } = filters;
    if (cohortId !== undefined) this.cohorts.require(scope, cohortId, 'cohort_id');
    const page = await readPage<SubscriberRow>(
      this.database,
      {
        from: 'subscribers',
        columns: COLUMNS,
        scope: scopeName(scope),
        conditions: [
          ['id = any(?::text[])', filters.ids],
          [IS_MEMBER, cohortId],
          ...equalTo(filters, 'status', 'external_id'),
          [HAS_PLAN, filters.plan],
          [HAS_PAYMENT_STATE, filters.payment_state],
          ['tags @> to_jsonb(?::text)', filters.tag],
          [
            HAS_EMAIL,
            email === undefined ? undefined : digestEmail(this.masterKey, scopeName(scope), email),
          ],
          ...createPeriodConditions(filters),
        ],
      },
      filters,
    );
    return mapPageAsync(page, (row) => viewRow(this.vault, row));
  }
}
