import { Aggregates, type Committed, type DecisionInput } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import { CommandDraft } from '../../kernel/draft';
import { notFound } from '../../kernel/errors';
import { newOwnedId, type OwnedPrefix } from '../../kernel/ids';
import type { Scope, TenantContext } from '../../kernel/scope';
import { requireOwner } from '../../kernel/required-ids';
import { paymentFailedError } from '../../domain/billing/collecting';
import { Collectors } from './collection';
import type { PaymentMethod } from '../../domain/billing/payment.events';
import { planAggregate, type SavedPlan } from '../../domain/plans/plan.decider';
import type { PlanTerms } from '../../domain/plans/plan.events';
import {
  type Subscriber,
  subscriberAggregate,
  type SubscriberStreamFact,
} from '../../domain/subscriber-stream/subscriber.aggregate';
import {
  fireDueTimers,
  type CreateClockWatcher,
} from '../../domain/subscriber-stream/subscriber-timers';
import { requireNotErased } from '../../domain/subscribers/subscriber.decider';
import { TenantDirectory } from '../../directories/tenant.directory';
import { requireSubscription } from '../../domain/billing/subscription';
import type { BillingEffects } from '../../domain/billing/billing-effects';

export type SubscriberDraft = CommandDraft<Subscriber, SubscriberStreamFact>;
export type BillingResult = Committed<Subscriber, SubscriberStreamFact>;

type Work = (draft: SubscriberDraft, effects: BillingEffects) => void | Promise<void>;

/**
 * Runs decisions about money and time. First it fires the timers that are due, then it runs the
 * command.
 */
export class Billing {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly collectors: Collectors,
    private readonly tenants: TenantDirectory,
  ) {}

  /** Runs one command on one subscriber, in one append. */
  run(
    context: TenantContext,
    subscriberId: string,
    work: Work,
    watch?: CreateClockWatcher,
  ): Promise<BillingResult> {
    const stream = streams.subscriber(context.scope, subscriberId);
    return this.aggregates.run(subscriberAggregate, stream, context, async (moment) => {
      const draft: SubscriberDraft = new CommandDraft(
        subscriberAggregate,
        moment.state,
        moment.now,
      );
      const effects = this.createEffects(context, moment);
      await fireDueTimers(draft, effects, moment.now, watch);
      await work(draft, effects);
      return draft.facts;
    });
  }

  /** Runs a command on an object of a subscriber. Throws if the subscriber was erased. */
  runForSubscriber(
    context: TenantContext,
    { subscriberId, param }: { readonly subscriberId: string; readonly param: string },
    work: Work,
  ): Promise<BillingResult> {
    return this.run(context, subscriberId, async (draft, effects) => {
      requireNotErased(draft.state.profile, param);
      await work(draft, effects);
    });
  }

  /** Runs a command on a subscription. */
  runForSubscription(
    context: TenantContext,
    subscriptionId: string,
    work: Work,
  ): Promise<BillingResult> {
    const whose = {
      subscriberId: requireSubscriptionOwner(subscriptionId),
      param: 'subscriptionId',
    };
    return this.runForSubscriber(context, whose, async (draft, effects) => {
      requireSubscription(draft.state, subscriptionId);
      await work(draft, effects);
    });
  }

  /** Returns the current plan, or throws `resource_not_found` with the field that named it. */
  async requirePlan(scope: Scope, planId: string, param: string): Promise<SavedPlan> {
    const { state } = await this.aggregates.load(planAggregate, streams.plan(scope, planId));
    if (state.status === 'absent') throw notFound('plan', param, ' GET /v1/plans lists the plans.');
    return state;
  }

  /**
   * Returns the description of a payment method, which the collector of the environment makes from
   * its token.
   */
  describeMethod({ environment }: Scope, token: string): PaymentMethod {
    return this.collectors.choose(environment).describe(token);
  }

  private createEffects(
    context: TenantContext,
    { entropy }: DecisionInput<Subscriber>,
  ): BillingEffects {
    const { scope } = context;
    const { settings } = this.tenants.require(scope.tenantId);
    const collector = this.collectors.choose(scope.environment);
    return {
      actor: context.actor,
      motionRunId: null,
      graceDays: settings.grace_days,
      trialEndBehavior: settings.trial_end_behavior,
      provider: collector.provider,
      charge: (charge) => collector.charge(charge),
      refund: (order) => collector.refund(order),
      newId: (prefix: OwnedPrefix, subscriberId: string, label: string) =>
        newOwnedId(prefix, subscriberId, entropy, `${prefix} ${label}`),
      newestTerms: async (planId): Promise<PlanTerms> =>
        (await this.requirePlan(scope, planId, 'plan')).terms,
    };
  }
}

/**
 * Returns the subscriber of a subscription id, or throws `resource_not_found` for any other text.
 */
export const requireSubscriptionOwner = (id: string): string =>
  requireOwner('sub', id, 'subscriptionId');

/**
 * Throws if the command ended with a declined payment. The decline is stored as an event, but the
 * caller gets an error.
 */
export const throwIfDeclined = ({ facts }: BillingResult): void => {
  const last = facts.at(-1);
  if (last?.type === 'payment.failed' && last.data.final)
    throw paymentFailedError(last.data.failure, last.data.payment);
};
