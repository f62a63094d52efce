import type { EventStoreConnection } from '../event-store/connection';
import { Directory } from '../event-store/directory';
import { streams } from '../event-store/streams';
import type { Scope } from '../kernel/scope';
import type { Instant } from '../kernel/time';
import {
  type Import,
  importAggregate,
  isAbandoned,
  canBeClaimed,
  type KnownImport,
  requireImport,
} from '../domain/imports/import.decider';
import { type ImportFact, importEvents } from '../domain/imports/import.events';

export interface LinesCount {
  readonly used: number;
  /** When the oldest counted import was created; null if none is counted. */
  readonly oldestAt: Instant | null;
  /** The ids of all imports whose upload is complete. */
  readonly counted: ReadonlySet<string>;
}

/** All imports with their progress in memory, updated from the log. */
export class ImportDirectory extends Directory<Import, ImportFact> {
  constructor(connection: EventStoreConnection) {
    super({ connection, category: 'import', decider: importAggregate, events: importEvents });
  }

  /** Returns an import of the scope or throws `resource_not_found`. */
  require({ tenantId, environment }: Scope, id: string): KnownImport {
    const found = requireImport(this.get(streams.import(id).name));
    const own = found.scope.tenantId === tenantId && found.scope.environment === environment;
    return requireImport(own ? found : undefined);
  }

  /** Returns all imports, or those of one scope or tenant. */
  listKnown(of: Partial<Scope> = {}): KnownImport[] {
    const { tenantId, environment } = of;
    return this.listStates().filter(
      (each): each is KnownImport =>
        each.status !== 'absent' &&
        (tenantId === undefined || each.scope.tenantId === tenantId) &&
        (environment === undefined || each.scope.environment === environment),
    );
  }

  /**
   * Returns the oldest import that a worker may claim, from the scope that has waited longest.
   * `servedAt` returns the number of a scope's last turn.
   */
  findNext(
    worker: string,
    now: Instant,
    servedAt: (scope: Scope) => number,
  ): KnownImport | undefined {
    return this.listStates()
      .filter((each) => canBeClaimed(each, worker, now))
      .sort(
        (a, b) => servedAt(a.scope) - servedAt(b.scope) || (a.createdAt < b.createdAt ? -1 : 1),
      )[0];
  }

  /**
   * Counts the lines of the imports that were created in a scope since an instant. An import counts
   * once its upload is complete.
   */
  countLinesSince(scope: Scope, since: Instant): LinesCount {
    const complete = this.listKnown(scope).filter(({ status }) => status !== 'uploading');
    const recent = complete.filter(
      ({ createdAt, linesTotal }) => createdAt >= since && linesTotal > 0,
    );
    return {
      used: recent.reduce((sum, { linesTotal }) => sum + linesTotal, 0),
      oldestAt: recent.map(({ createdAt }) => createdAt).sort()[0] ?? null,
      counted: new Set(complete.map(({ id }) => id)),
    };
  }

  /** Returns the number of imports that are queued or in progress. */
  countUnfinished(): number {
    return this.listStates().filter(({ status }) => status === 'queued' || status === 'in_progress')
      .length;
  }

  listAbandoned(now: Instant): KnownImport[] {
    return this.listStates().filter((each) => isAbandoned(each, now));
  }

  listFailedSince(since: Instant): KnownImport[] {
    return this.listStates().filter(
      (each): each is KnownImport => each.status === 'failed' && (each.finishedAt ?? '') >= since,
    );
  }
}
