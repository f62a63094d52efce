import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { EventCatalogue } from '../../event-store/catalogue';
import { SHOWN_STATUS, SHOWN_STATUS_CONDITIONS } from '../../delivery/journal/shown-status';
import {
  type StoredDeliverable,
  StoredDeliverables,
} from '../../delivery/model/stored-deliverables';
import { Vault } from '../../event-store/vault';
import { type Condition, createPeriodConditions, mapPage, readPage } from '../../http/lists/keyset';
import { readMemoryPage } from '../../http/lists/memory-page';
import type { Page, PageQuery } from '../../http/lists/pagination';
import type { Principal } from '../../http/pipeline/request-facts';
import { notFound } from '../../kernel/errors';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { Database } from '../../read-models/database';
import { type KnownDestination, getStatus } from '../../domain/destinations/destination.decider';
import { DestinationDirectory } from '../../directories/destination.directory';
import type {
  Attempt,
  DeliveryDetail,
  DeliveryItem,
  EventDeliveryItem,
  ListDeliveriesQuery,
  WaitingReason,
} from './delivery.dto';
import { getWaitingStatus, UnattemptedDeliveries } from './unattempted-deliveries';
import { toWaitingFacts, type WaitingFacts, WaitingReasons } from './waiting-reasons';

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

/** A row of the delivery log, with the facts that a manual retry needs. */
export interface DeliveryRow extends Omit<DeliveryItem, 'waiting_for'>, WaitingFacts {
  readonly status: DeliveryItem['status'];
  readonly destination_id: string;
  readonly last_attempt_at: Instant | null;
  readonly next_attempt_at: Instant | null;
  readonly category_revision: string;
  readonly first_sent_at: Instant | null;
}

/**
 * The columns of a delivery. `attempt_count` includes replays; `live_attempts`, by which retries
 * are scheduled, does not. `replay_id` and `trace_id` belong to the last attempt.
 */
export const DELIVERY_COLUMNS = `event_id, event_type, destination_id, ${SHOWN_STATUS} as status,
  (select count(*)::int from delivery_attempts a
    where a.destination_id = d.destination_id and a.event_id = d.event_id) as attempt_count,
  (select replay_id from delivery_attempts a
    where a.destination_id = d.destination_id and a.event_id = d.event_id
    order by at desc limit 1) as replay_id,
  (select trace_id from delivery_attempts a
    where a.destination_id = d.destination_id and a.event_id = d.event_id
    order by at desc limit 1) as trace_id,
  last_attempt_at, last_status_code, last_error, next_attempt_at, delivered_at,
  created_at, subscriber_id, sequence, category_revision, attempt_count as live_attempts,
  first_sent_at, retry_requested_at`;

/** Reads the delivery log. */
export class Deliveries {
  constructor(private readonly database: Database) {}

  async find(scope: Scope, destinationId: string, eventId: string): Promise<DeliveryRow | null> {
    const [row] = await this.database.query<DeliveryRow>({
      name: 'delivery',
      text: `select ${DELIVERY_COLUMNS} from deliveries d
        where scope = $1 and destination_id = $2 and event_id = $3`,
      values: [scopeName(scope), destinationId, eventId],
    });
    return row ?? null;
  }

  readAttempts(destinationId: string, eventId: string): Promise<Attempt[]> {
    return this.database.query<Attempt>({
      name: 'delivery attempts',
      text: `select attempt, at, duration_ms, status_code, error, response_body, replay_id,
          trace_id, linked_trace_id
        from delivery_attempts where destination_id = $1 and event_id = $2
        order by at, attempt`,
      values: [destinationId, eventId],
    });
  }

  listByEvent(scope: Scope, eventId: string): Promise<DeliveryRow[]> {
    return this.database.query<DeliveryRow>({
      name: 'deliveries of an event',
      text: `select ${DELIVERY_COLUMNS} from deliveries d where scope = $1 and event_id = $2`,
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
    private readonly waiting: WaitingReasons,
  ) {}

  async execute({ scope, destinationId, filters }: ListDeliveries): Promise<Page<DeliveryItem>> {
    this.directory.requireLogged(scope, destinationId);
    const page = await readPage<DeliveryRow & { readonly id: string }>(
      this.database,
      {
        from: '(select *, event_id as id from deliveries) d',
        columns: `${DELIVERY_COLUMNS}, id`,
        scope: scopeName(scope),
        conditions: [
          ['destination_id = ?', destinationId],
          ...createStatusConditions(filters.status),
          createTypeCondition(this.catalogue, filters.event_type),
          ...createPeriodConditions(filters),
        ],
      },
      filters,
    );
    return viewDeliveries(page, scope, { directory: this.directory, waiting: this.waiting });
  }
}

interface PageParts {
  readonly directory: DestinationDirectory;
  readonly waiting: WaitingReasons;
}

/** Views a page of the delivery log. */
export const viewDeliveries = async (
  page: Page<DeliveryRow>,
  scope: Scope,
  { directory, waiting }: PageParts,
): Promise<Page<DeliveryItem>> => {
  const reasons = await waiting.explain(scope, page.data);
  const data = page.data.map((row, i) => viewDelivery(row, directory, reasons[i]));
  return { ...page, data };
};

export const createStatusConditions = (status: DeliveryItem['status'] | undefined): Condition[] =>
  status === undefined ? [] : [[SHOWN_STATUS_CONDITIONS[status], status]];

/**
 * Returns the condition of a filter for one event type or for a family such as `payment.*`. A
 * family with one type gets the condition of that type, because a cursor is valid only with the
 * condition of its page.
 */
export const createTypeCondition = (
  catalogue: EventCatalogue,
  eventType: string | undefined,
): Condition => {
  if (eventType === undefined) return ['event_type = ?', undefined];
  const types = catalogue.expandPatterns([eventType], 'event_type');
  return types.length === 1 ? ['event_type = ?', types[0]] : ['event_type = any(?)', types];
};

@QueryHandler(GetDelivery)
export class GetDeliveryHandler implements IQueryHandler<GetDelivery> {
  constructor(
    private readonly deliveries: Deliveries,
    private readonly directory: DestinationDirectory,
    private readonly unattempted: UnattemptedDeliveries,
    private readonly vault: Vault,
    private readonly waiting: WaitingReasons,
  ) {}

  async execute({ caller, destinationId, eventId }: GetDelivery): Promise<DeliveryDetail> {
    const { scope, scopes } = caller;
    const destination = this.directory.requireLogged(scope, destinationId);
    const row = await this.deliveries.find(scope, destinationId, eventId);
    if (row === null) return this.viewBeforeFirstAttempt(scope, destination, eventId);
    const attempts = await this.deliveries.readAttempts(destinationId, eventId);
    const [reason] = await this.waiting.explain(scope, [row]);
    // A receiver may send the event back in its response, so a response is as personal as the
    // event.
    const shown = scopes.has('pii:read');
    return {
      ...viewDelivery(row, this.directory, reason),
      attempts: await Promise.all(
        attempts.map(async (attempt) => ({
          ...attempt,
          response_body: shown ? await this.unseal(row, attempt) : null,
        })),
      ),
    };
  }

  /** Shows a delivery whose first attempt is in progress or waits behind an older event. */
  private async viewBeforeFirstAttempt(
    scope: Scope,
    destination: KnownDestination | null,
    eventId: string,
  ): Promise<DeliveryDetail> {
    if (destination === null) throw notFound('delivery', 'eventId');
    const event = await this.unattempted.findPending(scope, destination, eventId);
    if (event === null) throw notFound('delivery', 'eventId');
    const [reason] = await this.waiting.explain(scope, [toWaitingFacts(destination.id, event)]);
    return { ...viewUnattempted(destination.id, event, reason), attempts: [] };
  }

  private async unseal(
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
    private readonly unattempted: UnattemptedDeliveries,
    private readonly waiting: WaitingReasons,
  ) {}

  async execute({ scope, eventId, page }: ListEventDeliveries): Promise<Page<EventDeliveryItem>> {
    const event = await this.events.find(scope, eventId);
    if (event === null) throw notFound('event', 'eventId');
    const rows = new Map(
      (await this.deliveries.listByEvent(scope, eventId)).map((row) => [row.destination_id, row]),
    );
    const known = this.directory
      .listInScope(scope)
      .filter((each) => getStatus(each) !== 'deleted' || rows.has(each.id));
    const found = await readMemoryPage(page, {
      name: 'event deliveries',
      items: [...known, ...findForgotten(rows, known)],
      filters: { ...scope, eventId },
      keyOf: ({ created_at, id }) => ({ createdAt: created_at, id }),
    });
    const destinations = found.data.filter((each) => 'lifecycle' in each);
    const reasons = await this.explainWaits(scope, event, { destinations, rows });
    return mapPage(found, (destination) =>
      'lifecycle' in destination
        ? {
            ...this.answer(destination, event, rows.get(destination.id)),
            waiting_for: reasons.get(destination.id) ?? null,
          }
        : this.viewForgotten(destination.row),
    );
  }

  private async explainWaits(
    scope: Scope,
    event: StoredDeliverable,
    {
      destinations,
      rows,
    }: {
      readonly destinations: readonly KnownDestination[];
      readonly rows: ReadonlyMap<string, DeliveryRow>;
    },
  ): Promise<ReadonlyMap<string, WaitingReason | null>> {
    const facts = destinations.flatMap((destination) => {
      const row = rows.get(destination.id);
      if (row !== undefined) return [row];
      const waits = this.unattempted.isWaiting(destination, event);
      return waits ? [toWaitingFacts(destination.id, event)] : [];
    });
    const reasons = await this.waiting.explain(scope, facts);
    return new Map(facts.map(({ destination_id: id }, i) => [id, reasons[i] ?? null]));
  }

  private answer(
    destination: KnownDestination,
    event: StoredDeliverable,
    row: DeliveryRow | undefined,
  ): EventDeliveryItem {
    return {
      event_id: event.id,
      event_type: event.type,
      destination_id: destination.id,
      destination_status: getStatus(destination),
      ...NO_ATTEMPTS,
      ...(row === undefined ? {} : toFacts(row, this.directory)),
      status: this.findStatus(destination, event, row),
    };
  }

  private viewForgotten(row: DeliveryRow): EventDeliveryItem {
    return {
      ...toFacts(row, this.directory),
      destination_status: 'deleted',
      waiting_for: null,
      status: row.status,
    };
  }

  private findStatus(
    destination: KnownDestination,
    event: StoredDeliverable,
    row: DeliveryRow | undefined,
  ): EventDeliveryItem['status'] {
    if (row === undefined) return this.unattempted.getStatus(destination, event);
    return row.status === 'pending' ? getWaitingStatus(destination) : row.status;
  }
}

/** The record of a delivery to a destination that was deleted for good. */
interface ForgottenDelivery {
  readonly id: string;
  /** The destination's own time is not known any more, so the time of the event is its place. */
  readonly created_at: Instant;
  readonly row: DeliveryRow;
}

/**
 * Finds the deliveries that the log still records although their destination was deleted for good,
 * such as those to the listener of the command line. Pending ones are about to be removed.
 */
const findForgotten = (
  rows: ReadonlyMap<string, DeliveryRow>,
  known: readonly KnownDestination[],
): ForgottenDelivery[] => {
  const ids = new Set(known.map(({ id }) => id));
  return [...rows.values()]
    .filter(({ destination_id, status }) => !ids.has(destination_id) && status !== 'pending')
    .map((row) => ({ id: row.destination_id, created_at: row.created_at, row }));
};

const NO_ATTEMPTS = {
  attempt_count: 0,
  last_attempt_at: null,
  last_status_code: null,
  last_error: null,
  next_attempt_at: null,
  waiting_for: null,
  delivered_at: null,
  replay_id: null,
  trace_id: null,
} as const;

const toFacts = (
  row: DeliveryRow,
  directory: DestinationDirectory,
): Omit<DeliveryItem, 'status' | 'created_at' | 'waiting_for'> => ({
  event_id: row.event_id,
  event_type: row.event_type,
  destination_id: row.destination_id,
  attempt_count: row.attempt_count,
  last_attempt_at: row.last_attempt_at,
  last_status_code: row.last_status_code,
  last_error: row.last_error,
  // The schedule of a delivery stays in its row, but nothing is sent to a disabled destination.
  next_attempt_at: directory.isActive(row.destination_id) ? row.next_attempt_at : null,
  delivered_at: row.delivered_at,
  replay_id: row.replay_id,
  trace_id: row.trace_id,
});

export const viewDelivery = (
  row: DeliveryRow,
  directory: DestinationDirectory,
  reason: WaitingReason | null = null,
): DeliveryItem => ({
  ...toFacts(row, directory),
  waiting_for: reason,
  status: row.status,
  created_at: row.created_at,
});

/** Views a delivery that waits for its first attempt. */
export const viewUnattempted = (
  destinationId: string,
  event: StoredDeliverable,
  reason: WaitingReason | null = null,
): DeliveryItem => ({
  event_id: event.id,
  event_type: event.type,
  destination_id: destinationId,
  status: 'pending',
  ...NO_ATTEMPTS,
  waiting_for: reason,
  created_at: event.metadata.at,
});
