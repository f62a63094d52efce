import type { Scope } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import type { Triggering } from '../motion-triggering/triggering';
import type { CreateClockWatcher } from '../../domain/subscriber-stream/subscriber-timers';
import type { CohortDirectory } from '../../directories/cohort.directory';
import type { CohortStore } from './cohort.store';
import type { CohortMembership } from './cohort-membership';
import { CohortWatcher, type WatchedCohort } from './cohort-watcher';

interface WatcherParts {
  readonly directory: CohortDirectory;
  readonly store: CohortStore;
  readonly membership: CohortMembership;
  readonly triggering: Triggering;
}

interface AdvanceToWatch {
  readonly scope: Scope;
  readonly since: Instant;
  readonly cohorts: readonly WatchedCohort[];
}

/** Creates the watchers that move subscribers while a test clock advances (D-54, D-111). */
export class CohortWatchers {
  constructor(private readonly parts: WatcherParts) {}

  /** Returns the cohorts of the environment, except those that are still being filled. */
  async listCohorts(scope: Scope): Promise<WatchedCohort[]> {
    const evaluations = await this.parts.store.readEvaluations();
    return this.parts.directory.listInScope(scope).flatMap((cohort) => {
      const done = evaluations.get(cohort.id);
      if (done === undefined) return [];
      return [{ cohort, isEvaluated: done.definitionVersion === cohort.definitionVersion }];
    });
  }

  async prepareWatcher(
    subscriberId: string,
    { scope, since, cohorts }: AdvanceToWatch,
  ): Promise<CreateClockWatcher> {
    const listed = new Set(await this.parts.membership.findCohorts(scope, subscriberId));
    const watched = { subscriberId, since, cohorts, listed };
    return () => new CohortWatcher(watched, this.parts.triggering);
  }
}
