import { LRUCache } from 'lru-cache';
import type {
  DeliveryDestination,
  PermanentlyDeletedDestination,
  SigningSecret,
} from '../delivery/model/destination';
import type { EventStoreConnection } from '../event-store/connection';
import { Directory } from '../event-store/directory';
import type { MasterKey } from '../event-store/master-key';
import { requirePrefix } from '../kernel/required-ids';
import { streams } from '../event-store/streams';
import { toFilter } from '../kernel/event-filter';
import type { Scope } from '../kernel/scope';
import type { Clock } from '../kernel/time';
import {
  type Destination,
  destinationAggregate,
  isGone,
  type KnownDestination,
  requireDestination,
  getStatus,
} from '../domain/destinations/destination.decider';
import { type DestinationFact, destinationEvents } from '../domain/destinations/destination.events';

const SECRETS_CACHED_MAX = 10_000;

interface DirectoryParts {
  readonly connection: EventStoreConnection;
  readonly masterKey: MasterKey;
  readonly clock: Clock;
}

/** All destinations in memory, updated from the log. The delivery engine reads them here. */
export class DestinationDirectory extends Directory<Destination, DestinationFact> {
  private readonly secretCache = new LRUCache<string, string>({ max: SECRETS_CACHED_MAX });
  private readonly views = new WeakMap<KnownDestination, DeliveryDestination>();

  constructor(private readonly parts: DirectoryParts) {
    super({
      connection: parts.connection,
      category: 'destination',
      decider: destinationAggregate,
      events: destinationEvents,
      readScope: (destination) => (destination.lifecycle === 'absent' ? null : destination.scope),
    });
  }

  /** Returns the visible destinations of the scope, including soft-deleted ones. */
  listInScope(scope: Scope): KnownDestination[] {
    const now = this.parts.clock.now();
    return this.findInScope(scope)
      .filter((destination) => destination.lifecycle === 'known')
      .filter((destination) => !isGone(destination, now));
  }

  /** Returns the ids of all destinations of the scope, including those deleted for good. */
  listIdsInScope(scope: Scope): string[] {
    return this.findInScope(scope)
      .filter((destination) => destination.lifecycle !== 'absent')
      .map(({ id }) => id);
  }

  /** Returns the destinations of all tenants that are not deleted. */
  listEverywhere(): KnownDestination[] {
    return this.listStates()
      .filter((destination) => destination.lifecycle === 'known')
      .filter((destination) => getStatus(destination) !== 'deleted');
  }

  /** Returns a destination of the scope or throws `resource_not_found`. */
  require(scope: Scope, id: string, param = 'destinationId'): KnownDestination {
    requirePrefix('dest', id, param);
    const found = this.get(streams.destination(id).name);
    const own = found?.lifecycle === 'known' && isIn(scope)(found) ? found : undefined;
    return requireDestination(own, this.parts.clock.now(), param);
  }

  /**
   * Returns the destination of a delivery log; null if it was deleted for good, because its log is
   * kept for 30 days. Throws `resource_not_found` if the scope never had it.
   */
  requireLogged(scope: Scope, id: string, param = 'destinationId'): KnownDestination | null {
    const found = this.get(streams.destination(id).name);
    const isOwn = found !== undefined && found.lifecycle !== 'absent' && isIn(scope)(found);
    return isOwn && isGone(found, this.parts.clock.now()) ? null : this.require(scope, id, param);
  }

  /** Returns a destination of the tenant in any environment or throws `resource_not_found`. */
  requireInTenant(tenantId: string, id: string): KnownDestination {
    requirePrefix('dest', id, 'destinationId');
    const found = this.get(streams.destination(id).name);
    const own =
      found?.lifecycle === 'known' && found.scope.tenantId === tenantId ? found : undefined;
    return requireDestination(own, this.parts.clock.now());
  }

  /**
   * Returns a destination for the delivery engine, with unwrapped signing secrets, in any status.
   */
  findForDelivery(id: string): DeliveryDestination | undefined {
    const entry = this.getEntry(streams.destination(id).name);
    if (entry?.state.lifecycle !== 'known') return undefined;
    const { state, createdAtPosition } = entry;
    const known = this.views.get(state);
    if (known !== undefined) return known;
    const view = this.createView(state, createdAtPosition);
    this.views.set(state, view);
    return view;
  }

  isActive(id: string): boolean {
    const found = this.get(streams.destination(id).name);
    return found?.lifecycle === 'known' && getStatus(found) === 'active';
  }

  isDeleted(id: string): boolean {
    const found = this.get(streams.destination(id).name);
    return found?.lifecycle !== 'known' || getStatus(found) === 'deleted';
  }

  /** Counts the destinations by status. Destinations that are deleted for good are not counted. */
  countByStatus(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const destination of this.listStates()) {
      if (destination.lifecycle !== 'known') continue;
      const status = getStatus(destination);
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
    return counts;
  }

  /**
   * Returns the revision up to which this process has read the destination's stream; -1 if it has
   * read none.
   */
  findRevision(id: string): number {
    return this.getEntry(streams.destination(id).name)?.revision ?? -1;
  }

  /**
   * Waits until this process has read the destination's stream up to a revision, or the signal
   * aborts. Returns true if it has.
   */
  waitUntilDestinationKnown(id: string, revision: number, signal: AbortSignal): Promise<boolean> {
    return this.waitUntilKnown(streams.destination(id).name, revision, signal);
  }

  listIds(): string[] {
    return this.listStreams().map((stream) => stream.slice('destination-'.length));
  }

  /** Returns the destinations whose consumer group must be removed. */
  listPermanentlyDeleted(): PermanentlyDeletedDestination[] {
    const now = this.parts.clock.now();
    return this.listStates().flatMap((destination) => {
      if (destination.lifecycle === 'absent' || !isGone(destination, now)) return [];
      return [{ id: destination.id, scope: destination.scope }];
    });
  }

  private createView(state: KnownDestination, registeredAtPosition: bigint): DeliveryDestination {
    const { id } = state;
    return {
      id,
      scope: state.scope,
      target: state.target,
      secrets: this.unwrapSecrets(state),
      filter: toFilter(state.event_types),
      renderings: state.renderings.map(({ from, pii_mode, schema_version }) => ({
        from,
        piiMode: pii_mode,
        schemaVersion: schema_version,
      })),
      maxInFlight: state.max_in_flight,
      ratePerSecond: state.rate_limit_per_second,
      ordering: state.ordering,
      sendsTraceHeaders: state.trace_headers === 'on',
      startRevision: state.start_revision,
      registeredAtPosition,
      activeSince: state.active_since,
      skipped: state.gaps.map(({ from, to }) => ({ from: from.revision, to: to.revision })),
    };
  }

  private unwrapSecrets({ id, secrets }: KnownDestination): SigningSecret[] {
    return secrets.map(({ wrapped, created_at, expires_at }) => ({
      value: this.unwrap(wrapped, id),
      createdAt: created_at,
      expiresAt: expires_at,
    }));
  }

  /** Unwraps a signing secret. Every attempt signs, so the unwrapped secrets are cached. */
  private unwrap(wrapped: string, id: string): string {
    const known = this.secretCache.get(wrapped);
    if (known !== undefined) return known;
    const secret = this.parts.masterKey.unwrap(wrapped, id).toString();
    this.secretCache.set(wrapped, secret);
    return secret;
  }
}

const isIn =
  ({ tenantId, environment }: Scope) =>
  ({ scope }: Pick<KnownDestination, 'scope'>): boolean =>
    scope.tenantId === tenantId && scope.environment === environment;
