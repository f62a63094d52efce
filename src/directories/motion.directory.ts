import type { EventStoreConnection } from '../event-store/connection';
import { Directory } from '../event-store/directory';
import { requirePrefix } from '../kernel/required-ids';
import { streams } from '../event-store/streams';
import type { Scope } from '../kernel/scope';
import {
  isKnown,
  type KnownMotion,
  type Motion,
  motionAggregate,
  requireMotion,
} from '../domain/motions/motion.decider';
import { type MotionFact, motionDefinitionEvents } from '../domain/motions/motion.events';

/** All motions in memory, updated from the log. */
export class MotionDirectory extends Directory<Motion, MotionFact> {
  constructor(connection: EventStoreConnection) {
    super({
      connection,
      category: 'motion',
      decider: motionAggregate,
      events: motionDefinitionEvents,
      readScope: (motion) => (isKnown(motion) ? motion.scope : null),
    });
  }

  listInScope(scope: Scope): KnownMotion[] {
    return this.findInScope(scope).filter(isKnown);
  }

  /** Returns a motion of the scope or throws `resource_not_found`. */
  require(scope: Scope, id: string): KnownMotion {
    requirePrefix('mot', id, 'motionId');
    return requireMotion(this.get(streams.motion(id).name), scope);
  }

  /** Returns the motions that target the cohort and are not archived, sorted by id. */
  findUsingCohort(scope: Scope, cohortId: string): string[] {
    return this.listInScope(scope)
      .filter(({ status, terms }) => status !== 'archived' && terms.cohort_ids.includes(cohortId))
      .map(({ id }) => id)
      .sort();
  }

  /** Returns the active motions that are triggered when a subscriber enters the cohort. */
  findTriggeredBy(scope: Scope, cohortId: string): KnownMotion[] {
    return this.listInScope(scope).filter(
      ({ status, terms }) =>
        status === 'active' &&
        terms.trigger_mode === 'on_cohort_enter' &&
        terms.cohort_ids.includes(cohortId),
    );
  }
}
