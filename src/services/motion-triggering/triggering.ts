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
import { isApplicable, isSaving } from '../../domain/motions/offer';
import { trigger } from '../../domain/motions/run.decider';

export interface TriggerRequest {
  readonly motion: KnownMotion;
  readonly subscriberId: string;
  readonly runId: string;
  readonly offer: Offer | null;
  readonly offerOverridden: boolean;
  /** Of the plan the offer switches to. */
  readonly plan: PlanTerms | null;
  /** Of the motion's cohorts, one the subscriber is in; null = none. */
  readonly cohortId: string | null;
  readonly actor: Actor;
}

export interface Entry {
  readonly scope: Scope;
  readonly cohortId: string;
  readonly subscriberId: string;
  readonly entropy: Entropy;
}

/** What every trigger does, whether a tenant asks for it or a cohort is entered. */
export class Triggering {
  constructor(
    private readonly billing: Billing,
    private readonly directory: MotionDirectory,
  ) {}

  /** The newest terms of the plan an offer switches to; null for other offers. */
  async planOf(scope: Scope, offer: Offer | null, param: string): Promise<PlanTerms | null> {
    if (offer?.type !== 'plan_switch') return null;
    return (await this.billing.plan(scope, offer.to_plan, param)).terms;
  }

  decide(draft: SubscriberDraft, { plan, ...request }: TriggerRequest): void {
    const { motion, offer, subscriberId } = request;
    const saves = isSaving(motion.terms.kind, offer);
    trigger(draft, {
      ...request,
      applicable: offer === null || isApplicable(scratch(draft), { offer, plan, saves }),
      heldOut: isHeldOut(motion, subscriberId),
    });
  }

  /** Triggers what waits for someone to enter the cohort; who is not eligible is left alone. */
  async onEntry(draft: SubscriberDraft, entry: Entry): Promise<void> {
    const { scope, cohortId, subscriberId, entropy } = entry;
    for (const motion of this.directory.findTriggeredBy(scope, cohortId)) {
      const { offer } = motion.terms;
      try {
        const plan = await this.planOf(scope, offer, 'offer.to_plan');
        this.decide(draft, {
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

/** A draft to try decisions on. */
export const scratch = ({ state, now }: SubscriberDraft): SubscriberDraft =>
  new CommandDraft(subscriberAggregate, state, now);
