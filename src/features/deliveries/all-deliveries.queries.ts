import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { DestinationDirectory } from '../../directories/destination.directory';
import { EventCatalogue } from '../../event-store/catalogue';
import { type Condition, createPeriodConditions } from '../../http/lists/keyset';
import {
  type Key,
  type Page,
  readPageRequest,
  type PageRequest,
  readsUpwards,
  countRowsToRead,
  toPage,
} from '../../http/lists/pagination';
import { type Scope, scopeName } from '../../kernel/scope';
import { Database } from '../../read-models/database';
import type { DeliveryItem, ListAllDeliveriesQuery } from './delivery.dto';
import {
  DELIVERY_COLUMNS,
  type DeliveryRow,
  createStatusConditions,
  createTypeCondition,
  viewDeliveries,
} from './delivery.queries';
import { WaitingReasons } from './waiting-reasons';

export class ListAllDeliveries extends Query<Page<DeliveryItem>> {
  constructor(
    readonly scope: Scope,
    readonly filters: ListAllDeliveriesQuery,
  ) {
    super();
  }
}

/**
 * The id of a delivery in this list is `<event id> <destination id>`. A space sorts before every
 * character of an id, so deliveries of the same time are ordered by event, then by destination.
 */
const ID = `event_id || ' ' || destination_id`;

type Row = DeliveryRow & { readonly id: string };

/**
 * Lists the newest deliveries of several destinations. It reads the newest rows of each destination
 * and merges them. So it uses the index by destination, and the delivery log, which is written all
 * the time, needs no second index.
 */
@QueryHandler(ListAllDeliveries)
export class ListAllDeliveriesHandler implements IQueryHandler<ListAllDeliveries> {
  constructor(
    private readonly database: Database,
    private readonly directory: DestinationDirectory,
    private readonly catalogue: EventCatalogue,
    private readonly waiting: WaitingReasons,
  ) {}

  async execute({ scope, filters }: ListAllDeliveries): Promise<Page<DeliveryItem>> {
    const conditions = this.createConditions(filters);
    const request = await readPageRequest(filters, {
      list: 'deliveries',
      filters: { destination_id: filters.destination_id, ...Object.fromEntries(conditions) },
      keyOf: (eventId) => this.toKey(scope, eventId),
    });
    const items = await this.read(this.listDestinations(scope, filters), conditions, request);
    const page = toPage(request, {
      items,
      keyOf: ({ created_at, id }) => ({ createdAt: created_at, id }),
    });
    return viewDeliveries(page, scope, { directory: this.directory, waiting: this.waiting });
  }

  private listDestinations(scope: Scope, { destination_id: id }: ListAllDeliveriesQuery): string[] {
    if (id === undefined) return this.directory.listIdsInScope(scope);
    this.directory.requireLogged(scope, id, 'destination_id');
    return [id];
  }

  private createConditions(filters: ListAllDeliveriesQuery): Condition[] {
    const conditions: Condition[] = [
      ...createStatusConditions(filters.status),
      ['last_status_code = ?', filters.status_code],
      createTypeCondition(this.catalogue, filters.event_type),
      ...createPeriodConditions(filters),
    ];
    return conditions.filter(([, value]) => value !== undefined);
  }

  private read(
    destinations: readonly string[],
    conditions: readonly Condition[],
    request: PageRequest,
  ): Promise<Row[]> {
    const upwards = readsUpwards(request);
    const direction = upwards ? 'asc' : 'desc';
    const values: unknown[] = [destinations, countRowsToRead(request)];
    const where = conditions.map(([sql, value]) => sql.replace('?', `$${values.push(value)}`));
    if (request.boundary !== null) {
      const { createdAt, id } = request.boundary.key;
      const [at, last] = [`$${values.push(createdAt)}`, `$${values.push(id)}`];
      // The first condition is redundant, but with it PostgreSQL starts to read the index at the
      // right row.
      where.push(`created_at ${upwards ? '>=' : '<='} ${at}`);
      where.push(`(created_at, ${ID}) ${upwards ? '>' : '<'} (${at}, ${last})`);
    }
    return this.database.query<Row>({
      text: `select ${DELIVERY_COLUMNS}, ${ID} as id
        from unnest($1::text[]) as own(destination)
        cross join lateral (
          select * from deliveries
          where ${['destination_id = own.destination', ...where].join(' and ')}
          order by created_at ${direction}, event_id ${direction} limit $2) d
        order by created_at ${direction}, event_id ${direction}, destination_id ${direction}
        limit $2`,
      values,
    });
  }

  /**
   * Returns the key of an event as a cursor. The list is newest first, so the key is that of the
   * event's last delivery in the list.
   */
  private async toKey(scope: Scope, eventId: string): Promise<Key | null> {
    const [row] = await this.database.query<Pick<Row, 'id' | 'created_at'>>({
      text: `select created_at, ${ID} as id from deliveries where scope = $1 and event_id = $2
        order by destination_id limit 1`,
      values: [scopeName(scope), eventId],
    });
    return row === undefined ? null : { createdAt: row.created_at, id: row.id };
  }
}
