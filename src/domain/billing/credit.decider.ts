import { OrderedMap } from 'immutable';
import { type Dated, unreachable } from '../../kernel/decider';
import type { Draft } from '../../kernel/draft';
import { DomainError, notFound } from '../../kernel/errors';
import type { Currency, MinorUnits } from '../../kernel/money';
import { requirePresent } from '../../kernel/present';
import type { Actor } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { wrongStateError } from '../../kernel/wrong-state';
import type { Credit, CreditCategory, CreditFact, Reinstatement } from './credit.events';

/**
 * The subscriber's credits by id. A persistent map, because one more credit then costs little to
 * copy.
 */
export type Credits = OrderedMap<string, Credit>;

export const noCredits: Credits = OrderedMap();

export const evolveCredits = (credits: Credits, fact: Dated<CreditFact>): Credits => {
  switch (fact.type) {
    case 'credit.granted':
    case 'credit.applied':
    case 'credit.expired':
    case 'credit.voided':
      return credits.set(fact.data.credit_id, fact.data.credit);
    default:
      return unreachable(fact);
  }
};

/** Applies the states of the credits that were given back. */
export const evolveReinstated = (credits: Credits, reinstated: readonly Reinstatement[]): Credits =>
  credits.concat(reinstated.map(({ credit }) => [credit.id, credit]));

type CreditDraft = Draft<{ readonly credits: Credits }, CreditFact>;

export interface CreditGrant {
  readonly id: string;
  readonly subscriberId: string;
  readonly amount: MinorUnits;
  readonly currency: Currency;
  readonly category: CreditCategory;
  readonly expiresAt: Instant | null;
  readonly source: Credit['source'];
  readonly note: string | null;
  readonly motionRunId: string | null;
  readonly reason: string;
  readonly actor: Actor;
}

/** Grants a credit. Granting the same id again does nothing. */
export const grantCredit = (draft: CreditDraft, grant: CreditGrant): void => {
  if (draft.state.credits.has(grant.id)) return;
  if (grant.expiresAt !== null && grant.expiresAt <= draft.now) {
    throw new DomainError('parameter_invalid', 'expires_at must be in the future.', {
      param: 'expires_at',
    });
  }
  const credit: Credit = {
    id: grant.id,
    subscriber_id: grant.subscriberId,
    amount: grant.amount,
    remaining: grant.amount,
    currency: grant.currency,
    category: grant.category,
    status: 'active',
    expires_at: grant.expiresAt,
    source: grant.source,
    note: grant.note,
    created_at: draft.now,
  };
  draft.add({
    type: 'credit.granted',
    data: {
      ...createMovement(credit, grant.amount),
      payment_id: grant.source.type === 'payment' ? grant.source.id : null,
      reason: grant.reason,
      actor: grant.actor,
      motion_run_id: grant.motionRunId,
    },
  });
};

const createMovement = (credit: Credit, amount: MinorUnits) => ({
  credit_id: credit.id,
  amount,
  remaining: credit.remaining,
  currency: credit.currency,
  category: credit.category,
  credit,
});

/** The part of a credit that pays a part of a payment. */
export interface CreditShare {
  readonly credit: Credit;
  readonly amount: MinorUnits;
}

/**
 * Returns the part of an amount that each credit pays. The order is D-24: soonest expiry, then
 * promotional before paid, then oldest. Credits of one instant keep the order of their grants.
 */
export const allocateCredits = (
  credits: Credits,
  { amount, currency, now }: { amount: MinorUnits; currency: Currency; now: Instant },
): CreditShare[] => {
  const usable = [...credits.values()]
    .filter((credit) => credit.status === 'active' && credit.currency === currency)
    .filter(({ expires_at }) => expires_at === null || expires_at > now)
    .sort(compareByUse);
  const shares: CreditShare[] = [];
  let open = amount;
  for (const credit of usable) {
    if (open === 0) break;
    const used = Math.min(open, credit.remaining);
    shares.push({ credit, amount: used });
    open -= used;
  }
  return shares;
};

const compareByUse = (a: Credit, b: Credit): number =>
  compare(a.expires_at ?? '9999', b.expires_at ?? '9999') ||
  Number(a.category === 'paid') - Number(b.category === 'paid') ||
  compare(a.created_at, b.created_at);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

interface CreditApplication {
  readonly shares: readonly CreditShare[];
  readonly paymentId: string;
  readonly subscriptionId: string;
  readonly actor: Actor;
}

/** States the part of a payment that each credit pays. */
export const applyCredits = (
  draft: CreditDraft,
  { shares, paymentId, subscriptionId, actor }: CreditApplication,
): void => {
  for (const { credit, amount } of shares) {
    const remaining = credit.remaining - amount;
    const after: Credit = {
      ...credit,
      remaining,
      status: remaining === 0 ? 'depleted' : 'active',
    };
    draft.add({
      type: 'credit.applied',
      subscriptionId,
      data: {
        ...createMovement(after, amount),
        payment_id: paymentId,
        reason: 'payment',
        actor,
      },
    });
  }
};

/** Ends the rest of a credit, by expiry or on request. A credit that has ended stays as it is. */
const endCredit = (
  draft: CreditDraft,
  credit: Credit,
  how: { readonly status: 'expired' | 'voided'; readonly reason: string; readonly actor: Actor },
): void => {
  if (credit.status !== 'active') return;
  const ended: Credit = { ...credit, remaining: 0, status: how.status };
  draft.add({
    type: `credit.${how.status}`,
    data: {
      ...createMovement(ended, credit.remaining),
      payment_id: null,
      reason: how.reason,
      actor: how.actor,
    },
  });
};

export const voidCredit = (draft: CreditDraft, creditId: string, actor: Actor): void => {
  const credit = requireCredit(draft.state, creditId);
  if (credit.status === 'depleted' || credit.status === 'expired') {
    throw wrongStateError('credit', { status: credit.status, allowed: ['active'] });
  }
  endCredit(draft, credit, { status: 'voided', reason: 'requested', actor });
};

/** Takes back what is left of all credits of a subscriber who is erased. */
export const voidAllCredits = (draft: CreditDraft, actor: Actor): void => {
  for (const credit of draft.state.credits.values())
    endCredit(draft, credit, { status: 'voided', reason: 'subscriber_erased', actor });
};

export const requireCredit = (
  { credits }: { readonly credits: Credits },
  creditId: string,
): Credit => {
  const credit = credits.get(creditId);
  if (credit !== undefined) return credit;
  throw notFound('credit', 'creditId');
};

/** Returns the credit that expires next, or null. */
export const findNextExpiry = (credits: Credits): Credit | null => {
  const [next] = [...credits.values()]
    .flatMap((credit) =>
      credit.status === 'active' && credit.expires_at !== null
        ? [{ credit, at: credit.expires_at }]
        : [],
    )
    .sort((a, b) => compare(a.at, b.at));
  return next?.credit ?? null;
};

export const expireCredit = (draft: CreditDraft, credit: Credit): void => {
  endCredit(draft, credit, { status: 'expired', reason: 'expired', actor: 'system' });
};

/**
 * Computes the credits after they get back the amounts that payments held and did not use. This also
 * includes a credit whose expiry has passed in the meantime; `expireReinstated` ends it afterwards.
 */
export const computeReinstatements = (
  credits: Credits,
  held: readonly { readonly paymentId: string; readonly creditId: string; amount: MinorUnits }[],
): Reinstatement[] => {
  const current = new Map<string, Credit>();
  return held.map(({ paymentId, creditId, amount }) => {
    const credit = requirePresent(current.get(creditId) ?? credits.get(creditId), creditId);
    const after: Credit = { ...credit, remaining: credit.remaining + amount, status: 'active' };
    current.set(creditId, after);
    return { payment_id: paymentId, amount, credit: after };
  });
};

/** Ends a returned credit that would have expired while a payment held it (D-24). */
export const expireReinstated = (
  draft: CreditDraft,
  reinstated: readonly Reinstatement[],
): void => {
  for (const id of new Set(reinstated.map(({ credit }) => credit.id))) {
    const credit = requireCredit(draft.state, id);
    if (credit.expires_at !== null && credit.expires_at <= draft.now) expireCredit(draft, credit);
  }
};
