import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Deliverable, Renderer } from '../../delivery/model/render';
import { EventCatalogue } from '../../event-store/catalogue';
import type { EventMetadata } from '../../event-store/stored-event';
import type { JsonObject } from '../../kernel/json';
import {
  type Condition,
  createPeriodConditions,
  equalTo,
  mapPageAsync,
  readPage,
} from '../../http/lists/keyset';
import type { Page } from '../../http/lists/pagination';
import type { Principal } from '../../http/pipeline/request-facts';
import { notFound } from '../../kernel/errors';
import { scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { requireEventId } from '../../kernel/required-ids';
import { Database } from '../../read-models/database';
import type { ListEventsQuery } from './event.dto';

export class GetEvent extends Query<JsonObject> {
  constructor(
    readonly caller: Principal,
    readonly id: string,
  ) {
    super();
  }
}

export class ListEvents extends Query<Page<JsonObject>> {
  constructor(
    readonly caller: Principal,
    readonly filters: ListEventsQuery,
  ) {
    super();
  }
}

export interface EventRow {
  readonly id: string;
  readonly created_at: Instant;
  readonly type: string;
  readonly subscriber_id: string;
  readonly sequence: number;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
}

export const EVENT_COLUMNS = 'id, created_at, type, subscriber_id, sequence, data, metadata';

/** Converts a row to the form that the renderer needs. */
export const toDeliverable = ({ scope }: Principal, row: EventRow): Deliverable => ({
  ...row,
  owner: { scope, scopeName: scopeName(scope), subscriberId: row.subscriber_id },
  revision: row.sequence - 1,
});

/** Returns the PII mode in which the caller may see events. */
export const choosePiiMode = ({ scopes }: Principal): 'full' | 'hashed_only' =>
  scopes.has('pii:read') ? 'full' : 'hashed_only';

@QueryHandler(GetEvent)
export class GetEventHandler implements IQueryHandler<GetEvent> {
  constructor(
    private readonly database: Database,
    private readonly renderer: Renderer,
  ) {}

  async execute({ caller, id }: GetEvent): Promise<JsonObject> {
    requireEventId(id, 'eventId');
    const [row] = await this.database.query<EventRow>({
      name: 'event',
      text: `select ${EVENT_COLUMNS} from events where scope = $1 and id = $2`,
      values: [scopeName(caller.scope), id],
    });
    if (row === undefined) throw notFound('event', 'eventId');
    return this.renderer.renderAsStored(toDeliverable(caller, row), choosePiiMode(caller));
  }
}

@QueryHandler(ListEvents)
export class ListEventsHandler implements IQueryHandler<ListEvents> {
  constructor(
    private readonly database: Database,
    private readonly renderer: Renderer,
    private readonly catalogue: EventCatalogue,
  ) {}

  async execute({ caller, filters }: ListEvents): Promise<Page<JsonObject>> {
    const page = await readPage<EventRow>(
      this.database,
      {
        from: 'events',
        columns: EVENT_COLUMNS,
        scope: scopeName(caller.scope),
        conditions: [
          this.createTypeCondition(filters.event_types),
          ...equalTo(filters, 'subscriber_id', 'subscription_id'),
          ...createPeriodConditions(filters),
        ],
      },
      filters,
    );
    return mapPageAsync(page, (row) =>
      this.renderer.renderAsStored(toDeliverable(caller, row), choosePiiMode(caller)),
    );
  }

  private createTypeCondition(eventTypes: readonly string[] | undefined): Condition {
    return ['type = any(?)', eventTypes && this.catalogue.expandPatterns(eventTypes)];
  }
}
