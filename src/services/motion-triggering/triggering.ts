import { CommandDraft } from '../../kernel/draft';
import { DomainError } from '../../kernel/errors';
import { type Entropy, newOwnedId } from '../../kernel/ids';
import { type Actor, type Scope } from '../../kernel/scope';
import type { PlanTerms } from '../../domain/plans/plan.events';
import { subscriberAggregate } from '../../domain/subscriber-stream/subscriber.aggregate';
import { Billing, type SubscriberDraft } from '../billing/billing';
import { isHeldOut } from '../../domain/motions/holdout';
import type { KnownMotion } from '../../domain/motions/motion.decider';
import { MotionDirectory } from '../../directories/motion.directory';
import type { Offer } from '../../domain/motions/motion.events';
import { isApplicable, mustUndoCancellation } from '../../domain/motions/offer';
import { triggerMotion } from '../../domain/motions/run.decider';

export interface TriggerRequest {
  readonly motion: KnownMotion;
  readonly subscriberId: string;
  readonly runId: string;
  readonly offer: Offer | null;
  readonly offerOverridden: boolean;
  /** Terms of the plan to which the offer switches; null for other offers. */
  readonly plan: PlanTerms | null;
  /** One of the motion's cohorts of which the subscriber is a member; null = none. */
  readonly cohortId: string | null;
  readonly actor: Actor;
}

export interface CohortEntry {
  readonly scope: Scope;
  readonly cohortId: string;
  readonly subscriberId: string;
  readonly entropy: Entropy;
}

/** Triggers motions, at the request of a tenant or when a subscriber enters a cohort. */
export class Triggering {
  constructor(
    private readonly billing: Billing,
    private readonly directory: MotionDirectory,
  ) {}

  /** Returns the newest terms of the plan to which an offer switches; null for other offers. */
  async loadOfferPlan(scope: Scope, offer: Offer | null, param: string): Promise<PlanTerms | null> {
    if (offer?.type !== 'plan_switch') return null;
    return (await this.billing.requirePlan(scope, offer.to_plan, param)).terms;
  }

  triggerForSubscriber(draft: SubscriberDraft, { plan, ...request }: TriggerRequest): void {
    const { motion, offer, subscriberId } = request;
    const undoesCancellation = mustUndoCancellation(motion.terms.kind, offer);
    triggerMotion(draft, {
      ...request,
      applicable:
        offer === null ||
        isApplicable(createScratchDraft(draft), { offer, plan, undoesCancellation }),
      heldOut: isHeldOut(motion, subscriberId),
    });
  }

  /**
   * Triggers the motions of a cohort that a subscriber enters. Motions for which it is not eligible
   * are skipped.
   */
  async triggerOnEntry(draft: SubscriberDraft, entry: CohortEntry): Promise<void> {
    const { scope, cohortId, subscriberId, entropy } = entry;
    for (const motion of this.directory.findTriggeredBy(scope, cohortId)) {
      const { offer } = motion.terms;
      try {
        const plan = await this.loadOfferPlan(scope, offer, 'offer.to_plan');
        this.triggerForSubscriber(draft, {
          motion,
          subscriberId,
          runId: newOwnedId('mtr', subscriberId, entropy, `mtr ${motion.id}`),
          offer,
          offerOverridden: false,
          plan,
          cohortId,
          actor: 'system',
        });
      } catch (error) {
        if (!(error instanceof DomainError) || error.code === 'service_unavailable') throw error;
      }
    }
  }
}

/** Creates a copy of a draft for trying decisions. */
export const createScratchDraft = ({ state, now }: SubscriberDraft): SubscriberDraft =>
  new CommandDraft(subscriberAggregate, state, now);
