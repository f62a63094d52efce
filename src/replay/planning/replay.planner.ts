import type { DeliveryLog } from '../../delivery/journal/delivery-log';
import type { EventCatalogue } from '../../event-store/catalogue';
import type { EventStoreConnection } from '../../event-store/connection';
import { readStream } from '../../event-store/read';
import { deliverableStream, streams } from '../../event-store/streams';
import type { Aggregates } from '../../event-store/aggregates';
import { DomainError, notFound } from '../../kernel/errors';
import { type EventFilter, EVERY_TYPE, parseEventTypes, toFilter } from '../../kernel/event-filter';
import { requireFreeId, requireSubscriberId } from '../../kernel/required-ids';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { wrongStateError } from '../../kernel/wrong-state';
import type { ReadYourWrites } from '../../projections/read-your-writes';
import type { Database } from '../../read-models/database';
import { estimateRate } from './estimate';
import { readFailedEvents } from '../progress/members';
import { findKind } from '../../domain/destinations/destination-kinds';
import {
  isUnfinished,
  REPLAY_STATUSES,
  replayAggregate,
} from '../../domain/replays/replay.decider';
import type { DedupeStrategy, ReplayRequest } from '../../domain/replays/replay.events';
import { type Selection, SelectionIndex, selectTypes } from '../running/selection';
import {
  type KnownDestination,
  requireActive,
} from '../../domain/destinations/destination.decider';
import type { DestinationDirectory } from '../../directories/destination.directory';
import type { CohortMembers } from './cohort-members.port';
import { checkWindow } from './replay.window';

const FRESH_WITHIN_MS = 5_000;
/** A replay with at least this many events shows the rate of its destination. */
const RATE_SAMPLE_EVENTS_MIN = 100;

/** A caller's request for a replay, before it is planned. */
export interface ReplayDraft {
  readonly destinationId: string;
  readonly from: Instant;
  readonly to: Instant;
  readonly eventTypes: readonly string[] | null;
  readonly subscriberIds: readonly string[] | null;
  readonly cohortIds: readonly string[] | null;
  readonly dedupeStrategy: DedupeStrategy;
  readonly ratePerSecond: number | null;
}

/** A request to send again the events that another replay could not deliver. */
export interface RetryDraft {
  readonly retryOf: string;
  readonly ratePerSecond: number | null;
}

export interface ReplayPlan {
  readonly request: Omit<ReplayRequest, 'id'>;
  /** Members of the cohorts at the time of the plan. */
  readonly members: readonly string[];
  readonly selection: Selection;
}

interface PlannerParts {
  readonly aggregates: Aggregates;
  readonly catalogue: EventCatalogue;
  readonly cohorts: CohortMembers;
  readonly connection: EventStoreConnection;
  readonly database: Database;
  readonly deliveryLog: DeliveryLog;
  readonly destinations: DestinationDirectory;
  readonly freshness: ReadYourWrites;
  readonly index: SelectionIndex;
}

interface PlanInput {
  readonly scope: Scope;
  readonly now: Instant;
  readonly draft: ReplayDraft;
}

/** Checks a request (D-100, D-101) and fixes which events it selects. */
export class ReplayPlanner {
  constructor(private readonly parts: PlannerParts) {}

  async plan({ scope, now, draft }: PlanInput): Promise<ReplayPlan> {
    const effectiveTo = checkWindow(draft, now);
    const destination = this.requireDestination(scope, draft.destinationId);
    const { asked, subscribed } = this.resolveFilters(draft.eventTypes, destination);
    await this.waitUntilIndexed(scope, destination.id);
    await this.checkSubscribers(scope, draft.subscriberIds);
    const members = await this.loadCohortMembers(scope, draft.cohortIds);
    const selection: Selection = {
      scope,
      destinationId: destination.id,
      from: draft.from,
      to: effectiveTo,
      types: selectTypes(this.parts.catalogue.listTypes(), asked, subscribed),
      subscriberIds: uniteSubscribers(
        draft.subscriberIds,
        draft.cohortIds === null ? null : members,
      ),
      eventIds: null,
    };
    return this.createPlan(destination, selection, {
      members,
      to: draft.to,
      event_types: asked.patterns,
      subscriber_ids: draft.subscriberIds,
      cohort_ids: draft.cohortIds,
      dedupe_strategy: draft.dedupeStrategy,
      rate_per_second: draft.ratePerSecond,
      retry_of: null,
    });
  }

  /**
   * Plans a replay of the failed events of another job, with its destination, window and filters.
   */
  async planRetry(scope: Scope, { retryOf, ratePerSecond }: RetryDraft): Promise<ReplayPlan> {
    requireFreeId('rep', retryOf, 'retry_of');
    const { state } = await this.parts.aggregates.load(replayAggregate, streams.replay(retryOf));
    if (state.status === 'absent' || state.request.scope !== scopeName(scope)) {
      throw notFound('replay', 'retry_of');
    }
    if (isUnfinished(state)) throw stillRunningError(state.status);
    const { request } = state;
    const destination = this.requireDestination(scope, request.destination_id);
    const { asked, subscribed } = this.resolveFilters(request.event_types, destination);
    await this.waitUntilIndexed(scope, destination.id);
    const selection: Selection = {
      scope,
      destinationId: destination.id,
      from: request.from,
      to: request.effective_to,
      types: selectTypes(this.parts.catalogue.listTypes(), asked, subscribed),
      subscriberIds: null,
      eventIds: await readFailedEvents(this.parts.connection, retryOf),
    };
    return this.createPlan(destination, selection, {
      members: [],
      to: request.to,
      event_types: request.event_types,
      // The failed events are listed by id, so the limits that selected them need not be repeated.
      subscriber_ids: null,
      cohort_ids: null,
      dedupe_strategy: 'force_redeliver',
      rate_per_second: ratePerSecond,
      retry_of: retryOf,
    });
  }

  private requireDestination(scope: Scope, id: string): KnownDestination {
    const destination = this.parts.destinations.require(scope, id, 'destination_id');
    requireActive(destination);
    if (findKind(destination.type).isReplayable) return destination;
    throw new DomainError('destination_not_replayable', 'Events are replayed to webhooks only.', {
      param: 'destination_id',
    });
  }

  /**
   * Combines the requested types with those of the destination: a replay never sends an event that
   * the destination would not have received (D-101).
   */
  private resolveFilters(
    eventTypes: readonly string[] | null,
    { event_types: own }: KnownDestination,
  ): { asked: EventFilter; subscribed: EventFilter } {
    const types = this.parts.catalogue.listTypes();
    const asked = eventTypes === null ? EVERY_TYPE : parseEventTypes(eventTypes, types);
    const subscribed = toFilter(own);
    if (eventTypes !== null && selectTypes(types, asked, subscribed)?.length === 0) {
      throw new DomainError(
        'event_types_not_subscribed',
        'The destination receives none of these event types.',
        { param: 'event_types', details: { destination_event_types: own } },
      );
    }
    return { asked, subscribed };
  }

  private async checkSubscribers(scope: Scope, ids: readonly string[] | null): Promise<void> {
    if (ids === null) return;
    for (const id of ids) requireSubscriberId(id, 'subscriber_ids');
    const rows = await this.parts.database.query<{ id: string }>({
      name: 'known subscribers',
      text: 'select id from subscribers where scope = $1 and id = any($2)',
      values: [scopeName(scope), ids],
    });
    const known = new Set(rows.map(({ id }) => id));
    if (ids.some((id) => !known.has(id))) throw notFound('subscriber', 'subscriber_ids');
  }

  private async loadCohortMembers(
    scope: Scope,
    cohortIds: readonly string[] | null,
  ): Promise<string[]> {
    const members = new Set<string>();
    for (const cohortId of cohortIds ?? []) {
      const found = await this.parts.cohorts.findMembers(scope, cohortId);
      if (found === null) throw notFound('cohort', 'cohort_ids');
      for (const id of found) members.add(id);
    }
    return [...members];
  }

  private async createPlan(
    destination: KnownDestination,
    selection: Selection,
    { members, ...rest }: RequestedOptions,
  ): Promise<ReplayPlan> {
    const { matched, first, last } = await this.parts.index.measureExtent(selection);
    const skips = rest.dedupe_strategy === 'skip_existing' && matched > 0;
    const skipped = skips ? Math.min(matched, await this.parts.index.countDelivered(selection)) : 0;
    const { recentRate, ahead } = await this.loadDestinationLoad(destination.id);
    const rate = estimateRate({
      recentRate,
      destinationLimit: destination.rate_limit_per_second,
      jobLimit: rest.rate_per_second,
    });
    const { scope } = selection;
    return {
      members,
      selection,
      request: {
        ...rest,
        scope: scopeName(scope),
        tenant_id: scope.tenantId,
        environment: scope.environment,
        destination_id: destination.id,
        destination_revision: this.parts.destinations.findRevision(destination.id),
        from: selection.from,
        effective_to: selection.to,
        destination_event_types: destination.event_types,
        events_matched: matched,
        events_skipped: skipped,
        position_from: first,
        position_to: last,
        estimated_rate: rate,
        estimated_wait_seconds: ahead / rate,
      },
    };
  }

  /**
   * Loads the rate of the destination's last replay in events per second, and the number of events
   * that other replays still have for it.
   */
  private async loadDestinationLoad(
    destinationId: string,
  ): Promise<{ recentRate: number | null; ahead: number }> {
    const [last] = await this.parts.database.query<{ rate: number }>({
      name: 'recent replay rate',
      text: `select ((events_delivered + events_failed)
          / greatest(extract(epoch from finished_at - started_at), 0.001))::float8 as rate
        from replays where destination_id = $1 and finished_at is not null
          and events_delivered + events_failed >= ${RATE_SAMPLE_EVENTS_MIN}
        order by created_at desc limit 1`,
      values: [destinationId],
    });
    const [others] = await this.parts.database.query<{ ahead: number }>({
      name: 'replays ahead',
      text: `select coalesce(sum(events_matched - events_delivered - events_failed
          - greatest(events_skipped, (request->>'events_skipped')::bigint)), 0)::float8 as ahead
        from replays where destination_id = $1 and status in ('queued', 'in_progress')`,
      values: [destinationId],
    });
    return { recentRate: last?.rate ?? null, ahead: others?.ahead ?? 0 };
  }

  /**
   * Resolves when the index shows every event and delivery that was in the log at the time of the
   * call.
   */
  private async waitUntilIndexed(scope: Scope, destinationId: string): Promise<void> {
    const { connection, freshness, deliveryLog } = this.parts;
    const options = { backwards: true, maxCount: 1, resolveLinks: true };
    let fresh = await freshness.isComplete();
    for await (const { position } of readStream(
      connection.client,
      deliverableStream(scope),
      options,
    )) {
      fresh &&= await freshness.waitUntilReached(position, FRESH_WITHIN_MS);
    }
    if (!fresh) throw notIndexedError();
    await deliveryLog
      .waitUntilProjected(destinationId, AbortSignal.timeout(FRESH_WITHIN_MS))
      .catch((error: unknown) => {
        throw error instanceof Error && error.name === 'TimeoutError' ? notIndexedError() : error;
      });
  }
}

type RequestedOptions = Pick<
  ReplayRequest,
  | 'to'
  | 'event_types'
  | 'subscriber_ids'
  | 'cohort_ids'
  | 'dedupe_strategy'
  | 'rate_per_second'
  | 'retry_of'
> & { readonly members: readonly string[] };

/** Unites the named subscribers and the members of the cohorts (D-100); null = every subscriber. */
const uniteSubscribers = (
  named: readonly string[] | null,
  members: readonly string[] | null,
): readonly string[] | null =>
  named === null && members === null ? null : [...new Set([...(named ?? []), ...(members ?? [])])];

const stillRunningError = (status: string): DomainError =>
  wrongStateError('replay', {
    status,
    allowed: REPLAY_STATUSES.filter((each) => !isUnfinished({ status: each })),
    param: 'retry_of',
  });

const notIndexedError = (): DomainError =>
  new DomainError(
    'service_unavailable',
    'The events index is not up to date yet. Repeat the request later.',
  );
