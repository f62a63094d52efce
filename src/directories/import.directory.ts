import type { EventStoreConnection } from '../event-store/connection';
import { Directory } from '../event-store/directory';
import { streams } from '../event-store/streams';
import type { Scope } from '../kernel/scope';
import type { Instant } from '../kernel/time';
import {
  type Import,
  importAggregate,
  isAbandoned,
  isWaiting,
  type KnownImport,
  requireImport,
} from '../domain/imports/import.decider';
import { type ImportFact, importEvents } from '../domain/imports/import.events';

/** All imports with their progress, live in memory. */
export class ImportDirectory extends Directory<Import, ImportFact> {
  constructor(connection: EventStoreConnection) {
    super({ connection, category: 'import', decider: importAggregate, events: importEvents });
  }

  /** An import of the scope, or `resource_not_found`. */
  require({ tenantId, environment }: Scope, id: string): KnownImport {
    const found = requireImport(this.get(streams.import(id).name));
    const own = found.scope.tenantId === tenantId && found.scope.environment === environment;
    return requireImport(own ? found : undefined);
  }

  /**
   * The oldest import that a worker may take up, of those whose scope has waited longest: `servedAt`
   * says of a scope when it had its last turn, as a number that grows.
   */
  next(worker: string, now: Instant, servedAt: (scope: Scope) => number): KnownImport | undefined {
    return this.all()
      .filter((each) => isWaiting(each, worker, now))
      .sort(
        (a, b) => servedAt(a.scope) - servedAt(b.scope) || (a.createdAt < b.createdAt ? -1 : 1),
      )[0];
  }

  /** Lines of a scope's imports that were accepted, or are being sent, since an instant. */
  linesSince({ tenantId, environment }: Scope, since: Instant): number {
    return this.all()
      .filter((each): each is KnownImport => each.status !== 'absent' && each.createdAt >= since)
      .filter(({ scope }) => scope.tenantId === tenantId && scope.environment === environment)
      .reduce((sum, { linesTotal }) => sum + linesTotal, 0);
  }

  /** How many are queued or in progress. */
  running(): number {
    return this.all().filter(({ status }) => status === 'queued' || status === 'in_progress')
      .length;
  }

  abandoned(now: Instant): KnownImport[] {
    return this.all().filter((each) => isAbandoned(each, now));
  }

  failedSince(since: Instant): KnownImport[] {
    return this.all().filter(
      (each): each is KnownImport => each.status === 'failed' && (each.finishedAt ?? '') >= since,
    );
  }
}
