import { createEntropy } from '../../event-store/entropy';
import { earlier, type Instant } from '../../kernel/time';
import type { Triggering } from '../motion-triggering/triggering';
import type { Subscriber } from '../../domain/subscriber-stream/subscriber.aggregate';
import type { ClockWatcher } from '../../domain/subscriber-stream/subscriber-timers';
import type { SubscriberDraft } from '../billing/billing';
import type { KnownCohort } from '../../domain/cohorts/cohort.decider';
import { findNextTenureBoundary, toSubject } from '../../domain/cohorts/cohort-matcher';
import { moveMember } from './cohort-moving';

export interface WatchedCohort {
  readonly cohort: KnownCohort;
  /** False if its definition has changed and its members do not match it yet. */
  readonly isEvaluated: boolean;
}

export interface Watched {
  readonly subscriberId: string;
  /** The time of the clock before it advanced. */
  readonly since: Instant;
  readonly cohorts: readonly WatchedCohort[];
  /** Ids of the cohorts of which the subscriber is a member in the read model. */
  readonly listed: ReadonlySet<string>;
}

/**
 * Moves one subscriber of a test clock in and out of cohorts while its time advances: after each of
 * its events, and at its tenure boundaries (D-54). It is used for one draft.
 */
export class CohortWatcher implements ClockWatcher {
  /** The last state that was checked. A different state means that the subscriber has changed. */
  private seen: Subscriber | null = null;

  constructor(
    private readonly watched: Watched,
    private readonly triggering: Triggering,
  ) {}

  get since(): Instant {
    return this.watched.since;
  }

  findNextCheck({ state, now }: SubscriberDraft): Instant | null {
    if (state !== this.seen) return now;
    const subject = toSubject(state);
    if (subject === null) return null;
    const boundaries = this.watched.cohorts
      .map(({ cohort }) => findNextTenureBoundary(cohort.definition, subject.createdAt, now))
      .filter((boundary) => boundary !== null);
    return boundaries.length === 0 ? null : boundaries.reduce(earlier);
  }

  async check(draft: SubscriberDraft): Promise<void> {
    const { subscriberId, cohorts, listed } = this.watched;
    const reason = draft.state === this.seen ? 'tenure' : 'subscriber_changed';
    const first = this.seen === null;
    for (const { cohort, isEvaluated } of cohorts) {
      const moving = {
        cohort,
        subscriberId,
        listed: listed.has(cohort.id),
        reason: first && !isEvaluated ? 'definition_changed' : reason,
        // Each entry triggers runs with their own ids. A repeated command creates the same ids.
        entropy: createEntropy(`entry ${cohort.id} ${subscriberId} ${draft.now}`),
      } as const;
      await moveMember(draft, moving, this.triggering);
    }
    this.seen = draft.state;
  }
}
