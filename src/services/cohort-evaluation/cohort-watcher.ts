import { createEntropy } from '../../event-store/entropy';
import { earlier, type Instant } from '../../kernel/time';
import type { Triggering } from '../motion-triggering/triggering';
import type { Subscriber } from '../../domain/subscriber-stream/subscriber.aggregate';
import type { Watcher } from '../../domain/subscriber-stream/subscriber-timers';
import type { SubscriberDraft } from '../billing/billing';
import type { KnownCohort } from '../../domain/cohorts/cohort.decider';
import { nextTenureBoundary, subjectOf } from '../../domain/cohorts/cohort-matcher';
import { moveMember } from './cohort-moving';

export interface WatchedCohort {
  readonly cohort: KnownCohort;
  /** False where its definition changed and its members do not follow that yet. */
  readonly settled: boolean;
}

export interface Watched {
  readonly subscriberId: string;
  /** Where the clock stood before it moved. */
  readonly since: Instant;
  readonly cohorts: readonly WatchedCohort[];
  /** Ids of the cohorts that the read model has the subscriber in. */
  readonly listed: ReadonlySet<string>;
}

/**
 * Moves one subscriber of a test clock in and out of cohorts while its time passes: after whatever
 * happened to it, and at its tenure boundaries (D-54). It serves one draft.
 */
export class CohortWatcher implements Watcher {
  /** The state that was looked at last: another one is a change of the subscriber's. */
  private seen: Subscriber | null = null;

  constructor(
    private readonly watched: Watched,
    private readonly triggering: Triggering,
  ) {}

  get since(): Instant {
    return this.watched.since;
  }

  next({ state, now }: SubscriberDraft): Instant | null {
    if (state !== this.seen) return now;
    const subject = subjectOf(state);
    if (subject === null) return null;
    const boundaries = this.watched.cohorts
      .map(({ cohort }) => nextTenureBoundary(cohort.definition, subject.createdAt, now))
      .filter((boundary) => boundary !== null);
    return boundaries.length === 0 ? null : boundaries.reduce(earlier);
  }

  async look(draft: SubscriberDraft): Promise<void> {
    const { subscriberId, cohorts, listed } = this.watched;
    const reason = draft.state === this.seen ? 'tenure' : 'subscriber_changed';
    const first = this.seen === null;
    for (const { cohort, settled } of cohorts) {
      const moving = {
        cohort,
        subscriberId,
        listed: listed.has(cohort.id),
        reason: first && !settled ? 'definition_changed' : reason,
        // Each entry has runs of its own, and a repeated one has the same.
        entropy: createEntropy(`entry ${cohort.id} ${subscriberId} ${draft.now}`),
      } as const;
      await moveMember(draft, moving, this.triggering);
    }
    this.seen = draft.state;
  }
}
