import type { EventStoreConnection } from '../event-store/connection';
import { Directory } from '../event-store/directory';
import { streams } from '../event-store/streams';
import { type Scope, scopeName } from '../kernel/scope';
import {
  type Cohort,
  cohortAggregate,
  type KnownCohort,
  requireCohort,
} from '../domain/cohorts/cohort.decider';
import { type CohortFact, cohortDefinitionEvents } from '../domain/cohorts/cohort.events';

/** All cohort definitions, live in memory. */
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

  private inUse = { version: -1, scopes: new Set<string>() };

  /** Whether an environment has cohorts: asked by every command that shows a subscriber. */
  hasAny(scope: Scope): boolean {
    if (this.inUse.version !== this.version) {
      const scopes = new Set(this.known().map((cohort) => scopeName(cohort.scope)));
      this.inUse = { version: this.version, scopes };
    }
    return this.inUse.scopes.has(scopeName(scope));
  }

  known(): KnownCohort[] {
    return this.all().filter((cohort) => cohort.status === 'known');
  }

  of(scope: Scope): KnownCohort[] {
    return this.findInScope(scope).filter((cohort) => cohort.status === 'known');
  }

  /** Those of the ids that are cohorts of the scope, in the order of the ids. */
  named(scope: Scope, ids: readonly string[]): KnownCohort[] {
    const known = new Map(this.of(scope).map((cohort) => [cohort.id, cohort]));
    return ids.flatMap((id) => known.get(id) ?? []);
  }

  /** A cohort of the scope, or `resource_not_found`. */
  require(scope: Scope, id: string, param = 'cohortId'): KnownCohort {
    return requireCohort(this.get(streams.cohort(id).name), scope, param);
  }
}
