import type { Entropy } from '../../kernel/ids';
import type { Triggering } from '../motion-triggering/triggering';
import type { SubscriberDraft } from '../billing/billing';
import { type KnownCohort, decideMembership } from '../../domain/cohorts/cohort.decider';
import type { MoveReason } from '../../domain/cohorts/cohort.events';
import { matchesDefinition, toSubject } from '../../domain/cohorts/cohort-matcher';

interface MoveInput {
  readonly cohort: KnownCohort;
  readonly subscriberId: string;
  /** True if the subscriber is a member in the read model. */
  readonly listed: boolean;
  readonly reason: MoveReason;
  /** Source of the ids of the motion runs that an entry triggers. */
  readonly entropy: Entropy;
}

/**
 * Adds the subscriber to the cohort or removes it, according to the definition at the time of the
 * draft.
 */
export const moveMember = async (
  draft: SubscriberDraft,
  { cohort, subscriberId, listed, reason, entropy }: MoveInput,
  triggering: Triggering,
): Promise<void> => {
  const subject = toSubject(draft.state);
  if (subject === null) return;
  const wanted = matchesDefinition(cohort.definition, subject, draft.now);
  const moves = decideMembership({ cohort, matches: wanted, listed, reason })(draft.state.cohorts);
  draft.add(...moves);
  // Motions with the trigger `on_cohort_enter` are triggered in the same append (D-30).
  if (moves.some(({ type }) => type === 'cohort.entered')) {
    const { id: cohortId, scope } = cohort;
    await triggering.triggerOnEntry(draft, { scope, cohortId, subscriberId, entropy });
  }
};
