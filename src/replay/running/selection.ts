import { streams } from '../../event-store/streams';
import { EVERY_TYPE, type EventFilter, toFilter } from '../../kernel/event-filter';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import type { Session } from '../../read-models/database';
import type { ReplayRequest } from '../../domain/replays/replay.events';
import type { Narrowing, ScannedEvent } from './scan';

/** Which events a replay is about (D-101). */
export interface Selection {
  readonly scope: Scope;
  readonly destinationId: string;
  /** Of `created_at`: inclusive and exclusive. */
  readonly from: Instant;
  readonly to: Instant;
  /** Concrete types; null = every type. */
  readonly types: readonly string[] | null;
  /** Null = every subscriber. */
  readonly subscriberIds: readonly string[] | null;
  /** Only these events; null = no such limit. */
  readonly eventIds: readonly string[] | null;
}

export interface Extent {
  readonly matched: number;
  /** Commit positions of the first and last one in the log; null where there is none. */
  readonly first: string | null;
  readonly last: string | null;
}

interface EdgeEvent {
  readonly id: string;
  readonly created_at: Instant;
}

/** Concrete types that pass both filters; null where both let everything pass. */
export const typesOf = (
  knownTypes: readonly string[],
  ...filters: readonly EventFilter[]
): readonly string[] | null =>
  filters.every(({ patterns }) => patterns === null)
    ? null
    : knownTypes.filter((type) => filters.every(({ matches }) => matches(type)));

/** The selection measured by the events index. */
export class SelectionIndex {
  constructor(private readonly session: Session) {}

  async extent(selection: Selection): Promise<Extent> {
    const { where, values } = conditions(selection, 'id', 'type');
    const [row] = await this.session.query<{ matched: string } & Omit<Extent, 'matched'>>({
      text: `select count(*) as matched, min(position) as first, max(position) as last
        from events where scope = $1 and ${where}`,
      values: [scopeName(selection.scope), ...values],
    });
    return {
      matched: Number(row?.matched ?? 0),
      first: row?.first ?? null,
      last: row?.last ?? null,
    };
  }

  /** How many of them have a recorded 2xx at the destination. */
  async delivered(selection: Selection): Promise<number> {
    const { where, values } = conditions(selection, 'event_id', 'event_type');
    const [row] = await this.session.query<{ delivered: string }>({
      text: `select count(*) as delivered from deliveries
        where destination_id = $1 and delivered_at is not null and ${where}`,
      values: [selection.destinationId, ...values],
    });
    return Number(row?.delivered ?? 0);
  }

  /** The oldest and the newest of them. */
  async edges(selection: Selection): Promise<{ first: EdgeEvent | null; last: EdgeEvent | null }> {
    const [first, last] = [await this.edge(selection, 'asc'), await this.edge(selection, 'desc')];
    return { first, last };
  }

  private async edge(selection: Selection, order: 'asc' | 'desc'): Promise<EdgeEvent | null> {
    const { where, values } = conditions(selection, 'id', 'type');
    const [row] = await this.session.query<EdgeEvent>({
      text: `select id, created_at from events where scope = $1 and ${where}
        order by created_at ${order}, id ${order} limit 1`,
      values: [scopeName(selection.scope), ...values],
    });
    return row ?? null;
  }
}

/** Parameters begin at $2. */
const conditions = (
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

interface Members {
  /** Null = every subscriber. */
  readonly subscriberIds: ReadonlySet<string> | null;
  /** Null = every event. */
  readonly eventIds: ReadonlySet<string> | null;
}

/** The same selection as a predicate on the events of the category stream. */
export const selects = (
  request: ReplayRequest,
  { eventIds }: Pick<Members, 'eventIds'>,
): ((event: ScannedEvent) => boolean) => {
  const { from, effective_to: to } = request;
  const first = BigInt(request.position_from ?? 0);
  const last = BigInt(request.position_to ?? -1);
  return ({ id, position, metadata }) =>
    position >= first &&
    position <= last &&
    metadata.at >= from &&
    metadata.at < to &&
    (eventIds === null || eventIds.has(id));
};

/** The rest of it: what an event's stream and type tell, before the event is decoded. */
export const narrowingOf = (
  request: ReplayRequest,
  { subscriberIds }: Pick<Members, 'subscriberIds'>,
): Narrowing => {
  const asked = toFilter(request.event_types);
  const subscribed = toFilter(request.destination_event_types);
  const everyType = asked === EVERY_TYPE && subscribed === EVERY_TYPE;
  const scope = { tenantId: request.tenant_id, environment: request.environment };
  const names =
    subscriberIds && new Set([...subscriberIds].map((id) => streams.subscriber(scope, id).name));
  return {
    ofStream: names && ((name) => names.has(name)),
    ofType: everyType ? null : (type) => asked.matches(type) && subscribed.matches(type),
  };
};
