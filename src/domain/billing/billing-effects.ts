import type { ChargeOutcome, PaymentEffects } from './collecting';
import type { PlanTerms } from '../plans/plan.events';
import type { RefundOrder } from './refund.decider';
import type { TenantSettings } from '../tenants/tenant.events';

/** The effects and settings that timers and commands need beside the state of a subscriber. */
export interface BillingEffects extends PaymentEffects {
  readonly refund: (order: RefundOrder) => Promise<ChargeOutcome>;
  readonly trialEndBehavior: TenantSettings['trial_end_behavior'];
  /** Returns the newest version of a plan. */
  readonly newestTerms: (planId: string) => Promise<PlanTerms>;
}
