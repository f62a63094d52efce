import type { Scope } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import type { Triggering } from '../motion-triggering/triggering';
import type { CreateClockWatcher } from '../../domain/subscriber-stream/subscriber-timers';
import type { CohortDirectory } from '../../directories/cohort.directory';
import type { CohortStore } from './cohort.store';
import type { CohortMembership } from './cohort-membership';
import { CohortWatcher, type WatchedCohort } from './cohort-watcher';

interface WatchParts {
  readonly directory: CohortDirectory;
  readonly store: CohortStore;
  readonly membership: CohortMembership;
  readonly triggering: Triggering;
}

interface Watching {
  readonly scope: Scope;
  readonly since: Instant;
  readonly cohorts: readonly WatchedCohort[];
}

/**
 * Changes memberships at the exact instants that an advance of a test clock passes (D-54, D-111).
 */
export class CohortWatch {
  constructor(private readonly parts: WatchParts) {}

  /** Returns the environment's cohorts without those that are still being filled. */
  async listCohorts(scope: Scope): Promise<WatchedCohort[]> {
    const evaluations = await this.parts.store.readEvaluations();
    return this.parts.directory.listInScope(scope).flatMap((cohort) => {
      const done = evaluations.get(cohort.id);
      if (done === undefined) return [];
      return [{ cohort, isEvaluated: done.definitionVersion === cohort.definitionVersion }];
    });
  }

  async createWatch(
    subscriberId: string,
    { scope, since, cohorts }: Watching,
  ): Promise<CreateClockWatcher> {
    const listed = new Set(await this.parts.membership.findCohorts(scope, subscriberId));
    const watched = { subscriberId, since, cohorts, listed };
    return () => new CohortWatcher(watched, this.parts.triggering);
  }
}
