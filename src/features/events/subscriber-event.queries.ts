import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Renderer } from '../../delivery/model/render';
import type { JsonObject } from '../../kernel/json';
import { createPeriodConditions, mapPageAsync, readPage } from '../../http/lists/keyset';
import { LIMIT_DEFAULT, type Page } from '../../http/lists/pagination';
import type { Principal } from '../../http/pipeline/request-facts';
import { DomainError, notFound } from '../../kernel/errors';
import { scopeName } from '../../kernel/scope';
import { requireSubscriberId } from '../../kernel/required-ids';
import { Database } from '../../read-models/database';
import type { EventsAfterQuery, TimelineItem, TimelineQuery } from './event.dto';
import { EVENT_COLUMNS, type EventRow, choosePiiMode, toDeliverable } from './event.queries';

export class GetTimeline extends Query<Page<TimelineItem>> {
  constructor(
    readonly caller: Principal,
    readonly subscriberId: string,
    readonly filters: TimelineQuery,
  ) {
    super();
  }
}

export class ListEventsAfter extends Query<Page<JsonObject>> {
  constructor(
    readonly caller: Principal,
    readonly subscriberId: string,
    readonly query: EventsAfterQuery,
  ) {
    super();
  }
}

const requireSubscriber = async (
  database: Database,
  { scope }: Principal,
  id: string,
): Promise<void> => {
  requireSubscriberId(id, 'subscriberId');
  const rows = await database.query({
    name: 'subscriber exists',
    text: 'select 1 from subscribers where scope = $1 and id = $2',
    values: [scopeName(scope), id],
  });
  if (rows.length === 0) throw notFound('subscriber', 'subscriberId');
};

@QueryHandler(GetTimeline)
export class GetTimelineHandler implements IQueryHandler<GetTimeline> {
  constructor(
    private readonly database: Database,
    private readonly renderer: Renderer,
  ) {}

  async execute({ caller, subscriberId, filters }: GetTimeline): Promise<Page<TimelineItem>> {
    await requireSubscriber(this.database, caller, subscriberId);
    const page = await readPage<EventRow>(
      this.database,
      {
        from: 'events',
        columns: EVENT_COLUMNS,
        scope: scopeName(caller.scope),
        conditions: [['subscriber_id = ?', subscriberId], ...createPeriodConditions(filters)],
      },
      filters,
    );
    return mapPageAsync(page, (row) => this.toItem(caller, row));
  }

  private async toItem(caller: Principal, row: EventRow): Promise<TimelineItem> {
    const envelope = await this.renderer.renderAsStored(
      toDeliverable(caller, row),
      choosePiiMode(caller),
    );
    const data = envelope['data'] as JsonObject;
    return {
      sequence: row.sequence,
      id: row.id,
      type: row.type,
      created_at: row.created_at,
      actor: (data['actor'] as string | undefined) ?? row.metadata.actor ?? null,
      reason: (data['reason'] as string | null | undefined) ?? null,
      data,
    };
  }
}

/**
 * Lists the events of a subscriber by sequence, oldest first. A receiver that sees a gap reads the
 * events it missed (D-60).
 */
@QueryHandler(ListEventsAfter)
export class ListEventsAfterHandler implements IQueryHandler<ListEventsAfter> {
  constructor(
    private readonly database: Database,
    private readonly renderer: Renderer,
  ) {}

  async execute({ caller, subscriberId, query }: ListEventsAfter): Promise<Page<JsonObject>> {
    await requireSubscriber(this.database, caller, subscriberId);
    const { starting_after: after, ending_before: before } = query;
    if (after !== undefined && before !== undefined) throw cursorConflictError();
    const limit = query.limit ?? LIMIT_DEFAULT;
    const found = await this.read(caller, subscriberId, {
      above: Math.max(
        query.after_sequence ?? 0,
        await this.findSequence(caller, subscriberId, ['starting_after', after]),
      ),
      below: await this.findSequence(caller, subscriberId, ['ending_before', before]),
      count: limit + 1,
    });
    const rows = found.slice(0, limit);
    if (before !== undefined) rows.reverse();
    const more = found.length > limit;
    return {
      data: await Promise.all(
        rows.map((row) =>
          this.renderer.renderAsStored(toDeliverable(caller, row), choosePiiMode(caller)),
        ),
      ),
      has_more: more,
      // Pollers continue after the last event they saw, even if there is no later one yet.
      next_cursor: rows.at(-1)?.id ?? null,
      previous_cursor: rows.at(0)?.id ?? null,
    };
  }

  /**
   * Reads the events between two sequences, both exclusive. If `below` is given, the nearest ones
   * to it are read.
   */
  private read(
    { scope }: Principal,
    subscriberId: string,
    { above, below, count }: { above: number; below: number; count: number },
  ): Promise<EventRow[]> {
    const [upper, direction] = below === 0 ? [Number.MAX_SAFE_INTEGER, 'asc'] : [below, 'desc'];
    return this.database.query<EventRow>({
      name: `events after sequence ${direction}`,
      text: `select ${EVENT_COLUMNS} from events
        where scope = $1 and subscriber_id = $2 and sequence > $3::bigint and sequence < $4::bigint
        order by sequence ${direction} limit $5`,
      values: [scopeName(scope), subscriberId, above, upper, count],
    });
  }

  /** Returns the sequence of the event whose id is the cursor; 0 without a cursor. */
  private async findSequence(
    { scope }: Principal,
    subscriberId: string,
    [param, cursor]: readonly [string, string | undefined],
  ): Promise<number> {
    if (cursor === undefined) return 0;
    const [row] = await this.database.query<{ sequence: number }>({
      name: 'sequence of an event',
      text: `select sequence from events where scope = $1 and id = $2 and subscriber_id = $3`,
      values: [scopeName(scope), cursor, subscriberId],
    });
    if (row !== undefined) return row.sequence;
    throw new DomainError(
      'invalid_cursor',
      `${param} must be the id of an event of this subscriber.`,
      { param },
    );
  }
}

const cursorConflictError = (): DomainError =>
  new DomainError(
    'cursor_conflict',
    'Received both starting_after and ending_before. Send one of them.',
    { param: 'ending_before' },
  );
