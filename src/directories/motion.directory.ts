import type { EventStoreConnection } from '../event-store/connection';
import { Directory } from '../event-store/directory';
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

/** All motions, live in memory. */
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

  of(scope: Scope): KnownMotion[] {
    return this.findInScope(scope).filter(isKnown);
  }

  /** A motion of the scope, or `resource_not_found`. */
  require(scope: Scope, id: string): KnownMotion {
    return requireMotion(this.get(streams.motion(id).name), scope);
  }

  /** Motions that are not archived and target the cohort, in the order of their ids. */
  using(scope: Scope, cohortId: string): string[] {
    return this.of(scope)
      .filter(({ status, terms }) => status !== 'archived' && terms.cohort_ids.includes(cohortId))
      .map(({ id }) => id)
      .sort();
  }

  /** Active motions that are to be triggered when someone enters the cohort. */
  triggeredBy(scope: Scope, cohortId: string): KnownMotion[] {
    return this.of(scope).filter(
      ({ status, terms }) =>
        status === 'active' &&
        terms.trigger_mode === 'on_cohort_enter' &&
        terms.cohort_ids.includes(cohortId),
    );
  }
}
