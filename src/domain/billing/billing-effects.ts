import type { ChargeOutcome, Till } from './collecting';
import type { PlanTerms } from '../plans/plan.events';
import type { RefundOrder } from './refund.decider';
import type { TenantSettings } from '../tenants/tenant.events';

/** What time and commands need beside a subscriber's state. */
export interface World extends Till {
  readonly refund: (order: RefundOrder) => Promise<ChargeOutcome>;
  readonly trialEndBehavior: TenantSettings['trial_end_behavior'];
  /** The newest version of a plan that exists. */
  readonly newestTerms: (planId: string) => Promise<PlanTerms>;
}
