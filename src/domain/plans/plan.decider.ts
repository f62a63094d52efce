import type { Decider } from '../../kernel/decider';
import { DomainError } from '../../kernel/errors';
import type { Currency } from '../../kernel/money';
import type { IntervalUnit } from '../../kernel/period';
import type { Instant } from '../../kernel/time';
import type { PlanFact, PlanTerms } from './plan.events';

export type Plan =
  | { readonly status: 'absent' }
  | {
      readonly status: 'saved';
      readonly terms: PlanTerms;
      readonly name: string;
      readonly trialDays: number;
      readonly externalId: string | null;
      readonly createdAt: Instant;
      readonly updatedAt: Instant;
    };

export type SavedPlan = Extract<Plan, { status: 'saved' }>;

export const planAggregate: Decider<Plan, PlanFact> = {
  initialState: () => ({ status: 'absent' }),
  evolve: (_, { data, at }) => ({
    status: 'saved',
    terms: data.terms,
    name: data.name,
    trialDays: data.trial_days,
    externalId: data.external_id,
    createdAt: data.created_at,
    updatedAt: at,
  }),
};

export interface PlanDraft {
  readonly id: string;
  readonly name: string;
  readonly amount: number;
  readonly currency: Currency;
  readonly interval: IntervalUnit;
  readonly intervalCount: number;
  readonly trialDays: number;
  readonly externalId: string | null;
}

/** Saves a plan. Changed terms make a new version; running periods keep their version (D-07). */
export const savePlan =
  (scope: string, draft: PlanDraft, now: Instant) =>
  (plan: Plan): PlanFact[] => {
    const terms = {
      plan: draft.id,
      amount: draft.amount,
      currency: draft.currency,
      interval: draft.interval,
      interval_count: draft.intervalCount,
    };
    const known = plan.status === 'saved' ? plan : null;
    requireSameCurrency(known, draft);
    const sameTerms =
      known !== null && isSame({ ...terms, version: known.terms.version }, known.terms);
    const version = known === null ? 1 : known.terms.version + (sameTerms ? 0 : 1);
    const sameRest =
      known !== null &&
      known.name === draft.name &&
      known.trialDays === draft.trialDays &&
      known.externalId === draft.externalId;
    if (sameTerms && sameRest) return [];
    return [
      {
        type: 'plan.saved',
        data: {
          scope,
          terms: { ...terms, version },
          name: draft.name,
          trial_days: draft.trialDays,
          external_id: draft.externalId,
          created_at: known?.createdAt ?? now,
        },
      },
    ];
  };

/**
 * Refuses a change of the currency. A renewal or proration would otherwise add up two currencies.
 */
const requireSameCurrency = (known: SavedPlan | null, { currency }: PlanDraft): void => {
  if (known === null || known.terms.currency === currency) return;
  throw new DomainError(
    'currency_mismatch',
    'A plan keeps its currency: make another plan for another one.',
    { param: 'currency', details: { current_currency: known.terms.currency, currency } },
  );
};

const isSame = (a: PlanTerms, b: PlanTerms): boolean =>
  a.amount === b.amount &&
  a.currency === b.currency &&
  a.interval === b.interval &&
  a.interval_count === b.interval_count;
