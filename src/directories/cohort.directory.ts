import type { EventStoreConnection } from '../event-store/connection';
import { Directory } from '../event-store/directory';
import { requirePrefix } from '../kernel/required-ids';
import { streams } from '../event-store/streams';
import { type Scope, scopeName } from '../kernel/scope';
import {
  type Cohort,
  cohortAggregate,
  type KnownCohort,
  requireCohort,
} from '../domain/cohorts/cohort.decider';
import { type CohortFact, cohortDefinitionEvents } from '../domain/cohorts/cohort.events';

/** All cohort definitions in memory, updated from the log. */
export class CohortDirectory extends Directory<Cohort, CohortFact> {
  constructor(connection: EventStoreConnection) {
    super({
      connection,
      category: 'cohort',
      decider: cohortAggregate,
      events: cohortDefinitionEvents,
      readScope: (cohort) => (cohort.status === 'known' ? cohort.scope : null),
    });
  }

  private scopesWithCohorts = { version: -1, scopes: new Set<string>() };

  /**
   * True if an environment has cohorts. It is cached, because every command that returns a
   * subscriber asks for it.
   */
  hasAny(scope: Scope): boolean {
    if (this.scopesWithCohorts.version !== this.version) {
      const scopes = new Set(this.listAll().map((cohort) => scopeName(cohort.scope)));
      this.scopesWithCohorts = { version: this.version, scopes };
    }
    return this.scopesWithCohorts.scopes.has(scopeName(scope));
  }

  listAll(): KnownCohort[] {
    return this.listStates().filter((cohort) => cohort.status === 'known');
  }

  listInScope(scope: Scope): KnownCohort[] {
    return this.findInScope(scope).filter((cohort) => cohort.status === 'known');
  }

  /** Returns the cohorts of the scope with the given ids, in the order of the ids. */
  findByIds(scope: Scope, ids: readonly string[]): KnownCohort[] {
    const known = new Map(this.listInScope(scope).map((cohort) => [cohort.id, cohort]));
    return ids.flatMap((id) => known.get(id) ?? []);
  }

  /** Returns a cohort of the scope or throws `resource_not_found`. */
  require(scope: Scope, id: string, param = 'cohortId'): KnownCohort {
    requirePrefix('cohort', id, param);
    return requireCohort(this.get(streams.cohort(id).name), scope, param);
  }
}
