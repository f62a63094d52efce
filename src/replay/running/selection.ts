import { requirePresent } from '../../kernel/present';
import { streams } from '../../event-store/streams';
import { EVERY_TYPE, type EventFilter, toFilter } from '../../kernel/event-filter';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import type { Session } from '../../read-models/database';
import type { ReplayRequest } from '../../domain/replays/replay.events';
import type { ScanFilter, ScannedEvent } from './scan';

/** The events that a replay selects (D-101). */
export interface Selection {
  readonly scope: Scope;
  readonly destinationId: string;
  /** Limits of `created_at`; `from` is inclusive and `to` is exclusive. */
  readonly from: Instant;
  readonly to: Instant;
  /** The concrete event types; null = every type. */
  readonly types: readonly string[] | null;
  /** Ids of the only subscribers to select; null = every subscriber. */
  readonly subscriberIds: readonly string[] | null;
  /** Ids of the only events to select; null = no such limit. */
  readonly eventIds: readonly string[] | null;
}

export interface Extent {
  readonly matched: number;
  /** Commit positions of the first and last selected event in the log; null if there is none. */
  readonly first: string | null;
  readonly last: string | null;
}

interface EdgeEvent {
  readonly id: string;
  readonly created_at: Instant;
}

/** Returns the concrete types that pass all filters; null if all filters let everything pass. */
export const selectTypes = (
  knownTypes: readonly string[],
  ...filters: readonly EventFilter[]
): readonly string[] | null =>
  filters.every(({ patterns }) => patterns === null)
    ? null
    : knownTypes.filter((type) => filters.every(({ matches }) => matches(type)));

/** Measures a selection by the events index. */
export class SelectionIndex {
  constructor(private readonly session: Session) {}

  async measureExtent(selection: Selection): Promise<Extent> {
    const { where, values } = toSqlConditions(selection, 'id', 'type');
    const [row] = await this.session.query<{ matched: string } & Omit<Extent, 'matched'>>({
      text: `select count(*) as matched, min(position) as first, max(position) as last
        from events where scope = $1 and ${where}`,
      values: [scopeName(selection.scope), ...values],
    });
    const { matched, first, last } = requirePresent(row, 'the measured extent');
    return { matched: Number(matched), first, last };
  }

  /** Returns how many of the selected events have a recorded 2xx at the destination. */
  async countDelivered(selection: Selection): Promise<number> {
    const { where, values } = toSqlConditions(selection, 'event_id', 'event_type');
    const [row] = await this.session.query<{ delivered: string }>({
      text: `select count(*) as delivered from deliveries
        where destination_id = $1 and delivered_at is not null and ${where}`,
      values: [selection.destinationId, ...values],
    });
    return Number(requirePresent(row, 'the number of delivered events').delivered);
  }

  /** Returns the oldest and the newest selected event. */
  async findEdges(
    selection: Selection,
  ): Promise<{ first: EdgeEvent | null; last: EdgeEvent | null }> {
    const [first, last] = [
      await this.findFirstInOrder(selection, 'asc'),
      await this.findFirstInOrder(selection, 'desc'),
    ];
    return { first, last };
  }

  private async findFirstInOrder(
    selection: Selection,
    order: 'asc' | 'desc',
  ): Promise<EdgeEvent | null> {
    const { where, values } = toSqlConditions(selection, 'id', 'type');
    const [row] = await this.session.query<EdgeEvent>({
      text: `select id, created_at from events where scope = $1 and ${where}
        order by created_at ${order}, id ${order} limit 1`,
      values: [scopeName(selection.scope), ...values],
    });
    return row ?? null;
  }
}

/** Converts a selection to SQL conditions. Their parameters begin at $2. */
const toSqlConditions = (
  { from, to, types, subscriberIds, eventIds }: Selection,
  idColumn: string,
  typeColumn: string,
): { where: string; values: unknown[] } => {
  const all: (readonly [string, unknown])[] = [
    ['created_at >= ?', from],
    ['created_at < ?', to],
    [`${typeColumn} = any(?)`, types],
    ['subscriber_id = any(?)', subscriberIds],
    [`${idColumn} = any(?)`, eventIds],
  ];
  const used = all.filter(([, value]) => value !== null);
  return {
    where: used.map(([sql], i) => sql.replace('?', `$${i + 2}`)).join(' and '),
    values: used.map(([, value]) => value),
  };
};

interface SelectionMembers {
  /** Ids of the only subscribers to select; null = every subscriber. */
  readonly subscriberIds: ReadonlySet<string> | null;
  /** Ids of the only events to select; null = every event. */
  readonly eventIds: ReadonlySet<string> | null;
}

/** The positions of the selected events; no position is between the two if nothing matched. */
export const readPositions = ({
  position_from: first,
  position_to: last,
}: Pick<ReplayRequest, 'position_from' | 'position_to'>): { first: bigint; last: bigint } =>
  first === null || last === null
    ? { first: 0n, last: -1n }
    : { first: BigInt(first), last: BigInt(last) };

/**
 * True if a scan has found every event of a job. `lastPosition` is the position that it has
 * reached; null if the last entry has no event any more.
 */
export const hasFoundAll = (
  {
    position_to: end,
    events_matched: matched,
  }: Pick<ReplayRequest, 'position_to' | 'events_matched'>,
  { lastPosition: reached, seen }: { readonly lastPosition: bigint | null; readonly seen: number },
): boolean => {
  // The job matched nothing, so there is nothing to find.
  if (end === null) return true;
  if (reached === null) return false;
  // The events of one append may share a position, so all counted events must have been found.
  return reached > BigInt(end) || (reached === BigInt(end) && seen >= matched);
};

/** Creates the predicate of a selection for the events of the category stream. */
export const createSelectionPredicate = (
  request: ReplayRequest,
  { eventIds }: Pick<SelectionMembers, 'eventIds'>,
): ((event: ScannedEvent) => boolean) => {
  const { from, effective_to: to } = request;
  const { first, last } = readPositions(request);
  return ({ id, position, metadata }) =>
    position >= first &&
    position <= last &&
    metadata.at >= from &&
    metadata.at < to &&
    (eventIds === null || eventIds.has(id));
};

/**
 * Creates the part of the predicate that needs only an event's stream and type, which are known
 * before the event is decoded.
 */
export const createScanFilter = (
  request: ReplayRequest,
  { subscriberIds }: Pick<SelectionMembers, 'subscriberIds'>,
): ScanFilter => {
  const asked = toFilter(request.event_types);
  const subscribed = toFilter(request.destination_event_types);
  const everyType = asked === EVERY_TYPE && subscribed === EVERY_TYPE;
  const scope = { tenantId: request.tenant_id, environment: request.environment };
  const names =
    subscriberIds && new Set([...subscriberIds].map((id) => streams.subscriber(scope, id).name));
  return {
    matchesStream: names && ((name) => names.has(name)),
    matchesType: everyType ? null : (type) => asked.matches(type) && subscribed.matches(type),
  };
};
