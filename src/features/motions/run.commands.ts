import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Versioned } from '../../http/pipeline/presentation';
import { DomainError } from '../../kernel/errors';
import { newOwnedId } from '../../kernel/ids';
import type { Scope, TenantContext } from '../../kernel/scope';
import { requireOwner, requireSubscriberId } from '../../kernel/required-ids';
import { CohortDirectory } from '../../directories/cohort.directory';
import { findFirstMatching } from '../../domain/cohorts/cohort-matcher';
import { requireKnown } from '../../domain/subscribers/subscriber.decider';
import { Billing, type SubscriberDraft } from '../../services/billing/billing';
import type { BillingEffects } from '../../domain/billing/billing-effects';
import { MotionDirectory } from '../../directories/motion.directory';
import type { MotionRun, Offer } from '../../domain/motions/motion.events';
import { applyOffer, mustUndoCancellation, undoCancellation } from '../../domain/motions/offer';
import {
  recordAccepted,
  recordApplied,
  recordDeclined,
  recordFailed,
  recordPresented,
  requireRun,
} from '../../domain/motions/run.decider';
import { createScratchDraft, Triggering } from '../../services/motion-triggering/triggering';

export class TriggerMotion extends Command<Versioned<MotionRun>> {
  constructor(
    readonly context: TenantContext,
    readonly motionId: string,
    readonly request: {
      readonly subscriberId: string;
      /** Used instead of the motion's offer (D-32); undefined = the motion's offer. */
      readonly offerOverride: Offer | undefined;
    },
  ) {
    super();
  }
}

export class ReportOutcome extends Command<Versioned<MotionRun>> {
  constructor(
    readonly context: TenantContext,
    readonly runId: string,
    readonly outcome: 'presented' | 'accepted' | 'declined',
    readonly reason: string | null,
  ) {
    super();
  }
}

@CommandHandler(TriggerMotion)
export class TriggerMotionHandler implements ICommandHandler<TriggerMotion> {
  constructor(
    private readonly billing: Billing,
    private readonly triggering: Triggering,
    private readonly directory: MotionDirectory,
    private readonly cohorts: CohortDirectory,
  ) {}

  async execute({ context, motionId, request }: TriggerMotion): Promise<Versioned<MotionRun>> {
    const motion = this.directory.require(context.scope, motionId);
    const { subscriberId, offerOverride } = request;
    requireSubscriberId(subscriberId, 'subscriber_id');
    const runId = newOwnedId('mtr', subscriberId, context.entropy);
    const offer = offerOverride ?? motion.terms.offer;
    const plan = await this.triggering.loadOfferPlan(
      context.scope,
      offer,
      'offer_override.to_plan',
    );
    const cohorts = this.cohorts.findByIds(context.scope, motion.terms.cohort_ids);
    const offerOverridden = offerOverride !== undefined;
    const asked = { motion, subscriberId, runId, offer, offerOverridden, plan };
    const { state, revision } = await this.billing.run(context, subscriberId, (draft) => {
      requireKnown(draft.state.profile, 'subscriber_id');
      // The check uses the subscriber's current state; the list of members may lag behind it
      // (D-33).
      const cohortId = findFirstMatching(cohorts, draft.state, draft.now);
      this.triggering.triggerForSubscriber(draft, { ...asked, cohortId, actor: context.actor });
    });
    return new Versioned(requireRun(state, runId), revision + 1);
  }
}

@CommandHandler(ReportOutcome)
export class ReportOutcomeHandler implements ICommandHandler<ReportOutcome> {
  constructor(
    private readonly billing: Billing,
    private readonly triggering: Triggering,
  ) {}

  async execute(command: ReportOutcome): Promise<Versioned<MotionRun>> {
    const subscriberId = requireOwner('mtr', command.runId, 'runId');
    const whose = { subscriberId, param: 'runId' };
    const { state, revision } = await this.billing.runForSubscriber(
      command.context,
      whose,
      (draft, effects) => this.applyOutcome(command, draft, effects),
    );
    return new Versioned(requireRun(state, command.runId), revision + 1);
  }

  private async applyOutcome(
    { runId, outcome, reason, context }: ReportOutcome,
    draft: SubscriberDraft,
    effects: BillingEffects,
  ): Promise<void> {
    const said = { runId, actor: context.actor, reason };
    switch (outcome) {
      case 'presented':
        recordPresented(draft, said);
        return;
      case 'declined':
        recordDeclined(draft, said);
        return;
      case 'accepted': {
        const run = recordAccepted(draft, said);
        if (run !== null) await this.applyOfferOrNothing(context.scope, { draft, effects, run });
      }
    }
  }

  /**
   * Applies the whole offer or nothing of it. Its decisions are made on a copy of the draft, which
   * is dropped if one of them is refused.
   */
  private async applyOfferOrNothing(
    scope: Scope,
    { draft, effects, run }: { draft: SubscriberDraft; effects: BillingEffects; run: MotionRun },
  ): Promise<void> {
    const { offer, subscriber_id: subscriberId } = run;
    const acting: BillingEffects = { ...effects, actor: 'motion', motionRunId: run.id };
    const undoesCancellation = mustUndoCancellation(run.kind, offer);
    if (offer === null) {
      undoCancellation(draft, acting, undoesCancellation);
      recordApplied(draft, run, null);
      return;
    }
    const attempt = createScratchDraft(draft);
    try {
      const plan = await this.triggering.loadOfferPlan(scope, offer, 'offer.to_plan');
      const what = await applyOffer(attempt, acting, {
        offer,
        subscriberId,
        plan,
        undoesCancellation,
      });
      draft.add(...attempt.facts);
      recordApplied(draft, run, what);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'service_unavailable') throw error;
      recordFailed(draft, run, error);
    }
  }
}
