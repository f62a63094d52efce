import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { EventCatalogue } from '../../event-store/catalogue';
import { isForDelivery } from '../../event-store/stored-event';
import { type StoredDeliverable, StoredDeliverables } from '../../delivery/stored-deliverables';
import { Vault } from '../../event-store/vault';
import { type Condition, mapPage, readPage } from '../../http/keyset';
import { pageOf } from '../../http/memory-page';
import type { Page, PageQuery } from '../../http/pagination';
import type { Principal } from '../../http/request-facts';
import { notFound } from '../../kernel/errors';
import { toFilter } from '../../kernel/event-filter';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { Database } from '../../read-models/database';
import { type KnownDestination, statusOf } from '../destinations/destination.decider';
import { DestinationDirectory } from '../destinations/destination.directory';
import type {
  Attempt,
  DeliveryDetail,
  DeliveryItem,
  EventDeliveryItem,
  ListDeliveriesQuery,
} from './delivery.dto';

export class ListDeliveries extends Query<Page<DeliveryItem>> {
  constructor(
    readonly scope: Scope,
    readonly destinationId: string,
    readonly filters: ListDeliveriesQuery,
  ) {
    super();
  }
}

export class GetDelivery extends Query<DeliveryDetail> {
  constructor(
    readonly caller: Principal,
    readonly destinationId: string,
    readonly eventId: string,
  ) {
    super();
  }
}

export class ListEventDeliveries extends Query<Page<EventDeliveryItem>> {
  constructor(
    readonly scope: Scope,
    readonly eventId: string,
    readonly page: PageQuery,
  ) {
    super();
  }
}

/** A row of the delivery log, with what a manual retry needs to know. */
export interface DeliveryRow extends DeliveryItem {
  readonly subscriber_id: string;
  readonly sequence: number;
  readonly category_revision: string;
  readonly live_attempts: number;
  readonly first_sent_at: Instant | null;
}

/**
 * `attempt_count` counts replays too (live attempts alone are the schedule's), and `replay_id` is
 * the last attempt's.
 */
const COLUMNS = `event_id, event_type, destination_id, status,
  (select count(*)::int from delivery_attempts a
    where a.destination_id = d.destination_id and a.event_id = d.event_id) as attempt_count,
  (select replay_id from delivery_attempts a
    where a.destination_id = d.destination_id and a.event_id = d.event_id
    order by at desc limit 1) as replay_id,
  last_attempt_at, last_status_code, last_error, next_attempt_at, delivered_at,
  created_at, subscriber_id, sequence, category_revision, attempt_count as live_attempts,
  first_sent_at`;

/** Reads the delivery log. */
export class Deliveries {
  constructor(private readonly database: Database) {}

  async find(scope: Scope, destinationId: string, eventId: string): Promise<DeliveryRow> {
    const [row] = await this.database.query<DeliveryRow>({
      name: 'delivery',
      text: `select ${COLUMNS} from deliveries d
        where scope = $1 and destination_id = $2 and event_id = $3`,
      values: [scopeName(scope), destinationId, eventId],
    });
    if (row === undefined) throw notFound('delivery', 'eventId');
    return row;
  }

  attempts(destinationId: string, eventId: string): Promise<Attempt[]> {
    return this.database.query<Attempt>({
      name: 'delivery attempts',
      text: `select attempt, at, duration_ms, status_code, error, response_body, replay_id
        from delivery_attempts where destination_id = $1 and event_id = $2
        order by at, attempt`,
      values: [destinationId, eventId],
    });
  }

  ofEvent(scope: Scope, eventId: string): Promise<DeliveryRow[]> {
    return this.database.query<DeliveryRow>({
      name: 'deliveries of an event',
      text: `select ${COLUMNS} from deliveries d where scope = $1 and event_id = $2`,
      values: [scopeName(scope), eventId],
    });
  }
}

@QueryHandler(ListDeliveries)
export class ListDeliveriesHandler implements IQueryHandler<ListDeliveries> {
  constructor(
    private readonly database: Database,
    private readonly directory: DestinationDirectory,
    private readonly catalogue: EventCatalogue,
  ) {}

  async execute({ scope, destinationId, filters }: ListDeliveries): Promise<Page<DeliveryItem>> {
    this.directory.require(scope, destinationId);
    const page = await readPage<DeliveryRow & { readonly id: string }>(
      this.database,
      {
        from: '(select *, event_id as id from deliveries) d',
        columns: `${COLUMNS}, id`,
        scope: scopeName(scope),
        conditions: [
          ['destination_id = ?', destinationId],
          ['status = ?', filters.status],
          this.typeCondition(filters.event_type),
          ['created_at >= ?', filters.created_after],
          ['created_at < ?', filters.created_before],
        ],
      },
      filters,
    );
    return mapPage(page, viewDelivery);
  }

  /** One type stays a condition of its own: a page's cursor holds for the conditions it came from. */
  private typeCondition(eventType: string | undefined): Condition {
    if (eventType === undefined) return ['event_type = ?', undefined];
    const types = this.catalogue.typesOf([eventType], 'event_type');
    return types.length === 1 ? ['event_type = ?', types[0]] : ['event_type = any(?)', types];
  }
}

@QueryHandler(GetDelivery)
export class GetDeliveryHandler implements IQueryHandler<GetDelivery> {
  constructor(
    private readonly deliveries: Deliveries,
    private readonly directory: DestinationDirectory,
    private readonly vault: Vault,
  ) {}

  async execute({ caller, destinationId, eventId }: GetDelivery): Promise<DeliveryDetail> {
    const { scope, scopes } = caller;
    this.directory.require(scope, destinationId);
    const row = await this.deliveries.find(scope, destinationId, eventId);
    const attempts = await this.deliveries.attempts(destinationId, eventId);
    // A receiver may echo what it got, so its answers are as personal as the event.
    const shown = scopes.has('pii:read');
    return {
      ...viewDelivery(row),
      attempts: await Promise.all(
        attempts.map(async (attempt) => ({
          ...attempt,
          response_body: shown ? await this.open(row, attempt) : null,
        })),
      ),
    };
  }

  private async open(
    { subscriber_id }: DeliveryRow,
    { response_body: sealed }: Attempt,
  ): Promise<string | null> {
    return sealed === null ? null : this.vault.openText(subscriber_id, sealed);
  }
}

@QueryHandler(ListEventDeliveries)
export class ListEventDeliveriesHandler implements IQueryHandler<ListEventDeliveries> {
  constructor(
    private readonly deliveries: Deliveries,
    private readonly directory: DestinationDirectory,
    private readonly events: StoredDeliverables,
  ) {}

  async execute({ scope, eventId, page }: ListEventDeliveries): Promise<Page<EventDeliveryItem>> {
    const event = await this.events.find(scope, eventId);
    if (event === null) throw notFound('event', 'eventId');
    const rows = new Map(
      (await this.deliveries.ofEvent(scope, eventId)).map((row) => [row.destination_id, row]),
    );
    const destinations = this.directory
      .of(scope)
      .filter((each) => statusOf(each) !== 'deleted' || rows.has(each.id));
    const found = await pageOf(page, {
      name: 'event deliveries',
      items: destinations,
      filters: { ...scope, eventId },
      keyOf: ({ created_at, id }) => ({ createdAt: created_at, id }),
    });
    return mapPage(found, (destination) =>
      this.answer(destination, event, rows.get(destination.id)),
    );
  }

  private answer(
    destination: KnownDestination,
    event: StoredDeliverable,
    row: DeliveryRow | undefined,
  ): EventDeliveryItem {
    const waits = row === undefined || row.status === 'pending';
    return {
      event_id: event.id,
      event_type: event.type,
      destination_id: destination.id,
      status: waits ? this.whyNot(destination, event, row) : row.status,
      attempt_count: row?.attempt_count ?? 0,
      last_attempt_at: row?.last_attempt_at ?? null,
      last_status_code: row?.last_status_code ?? null,
      last_error: row?.last_error ?? null,
      next_attempt_at: row?.next_attempt_at ?? null,
      delivered_at: row?.delivered_at ?? null,
      replay_id: row?.replay_id ?? null,
    };
  }

  /** Why an event has not been delivered: it never will be, it cannot be now, or it waits. */
  private whyNot(
    destination: KnownDestination,
    event: StoredDeliverable,
    row: DeliveryRow | undefined,
  ): EventDeliveryItem['status'] {
    if (row === undefined) {
      const { type, position } = event;
      const registeredAt = this.directory.delivering(destination.id)?.registeredAtPosition ?? 0n;
      if (position < registeredAt) return 'before_destination';
      if (!isForDelivery(event)) return 'filtered';
      if (!toFilter(destination.event_types).matches(type)) return 'filtered';
      const skipped = destination.gaps.some(
        ({ from, to }) => position > BigInt(from.position) && position <= BigInt(to.position),
      );
      if (skipped) return 'destination_disabled';
    }
    return statusOf(destination) === 'active' ? 'pending' : 'destination_disabled';
  }
}

export const viewDelivery = (row: DeliveryRow): DeliveryItem => ({
  event_id: row.event_id,
  event_type: row.event_type,
  destination_id: row.destination_id,
  status: row.status,
  attempt_count: row.attempt_count,
  last_attempt_at: row.last_attempt_at,
  last_status_code: row.last_status_code,
  last_error: row.last_error,
  next_attempt_at: row.next_attempt_at,
  delivered_at: row.delivered_at,
  replay_id: row.replay_id,
  created_at: row.created_at,
});
