import type { Aggregate, EnvelopeState } from '../../kernel/aggregate';
import type { Dated, EventTexts } from '../../kernel/decider';
import type { Instant } from '../../kernel/time';
import {
  type Credits,
  evolveCredits,
  evolveReinstated,
  noCredits,
} from '../billing/credit.decider';
import { type CreditFact, creditEvents, creditEventTexts } from '../billing/credit.events';
import { evolveMemberships, type Memberships, noMemberships } from '../cohorts/cohort.decider';
import { type CohortMoveFact, cohortEvents, cohortEventTexts } from '../cohorts/cohort.events';
import { type TestFact, testEvents, testEventTexts } from '../fixtures/fixture.events';
import { type MotionRunFact, motionEvents, motionEventTexts } from '../motions/motion.events';
import { evolveRuns, noRuns, type Runs } from '../motions/run.decider';
import {
  evolvePayments,
  noPayments,
  type Payments,
  viewPaid,
  replacePayments,
} from '../billing/payment.decider';
import { type PaymentFact, paymentEvents, paymentEventTexts } from '../billing/payment.events';
import { evolveRefunds, noRefunds, type Refunds } from '../billing/refund.decider';
import { type RefundFact, refundEvents, refundEventTexts } from '../billing/refund.events';
import { findNextDue } from './timing';
import {
  ABSENT_PROFILE,
  evolveProfile,
  type Profile,
  addActivation,
} from '../subscribers/subscriber.decider';
import {
  type SubscriberFact,
  subscriberEvents,
  subscriberEventTexts,
} from '../subscribers/subscriber.events';
import { isRunning, findPrimary } from '../billing/primary';
import { noSubscriptions, type Subscriptions } from '../billing/subscription';
import { evolveSubscriptions } from '../billing/subscription.decider';
import {
  beginsSubscription,
  type SubscriptionFact,
  subscriptionEvents,
  subscriptionEventTexts,
} from '../billing/subscription.events';
import { summariseSubscriptions } from '../billing/subscription-summary';
import { viewSubscription } from '../billing/subscription-view';
import { evolveTickets, noTickets, type Tickets } from '../tickets/ticket.decider';
import { type TicketFact, ticketEvents, ticketEventTexts } from '../tickets/ticket.events';

/**
 * The folded state of one subscriber's stream. The stream is the unit of consistency, so the state
 * of every slice is kept here, and a decision takes the slices that it needs.
 */
export interface Subscriber {
  readonly profile: Profile;
  readonly subscriptions: Subscriptions;
  readonly payments: Payments;
  readonly refunds: Refunds;
  readonly credits: Credits;
  readonly tickets: Tickets;
  readonly cohorts: Memberships;
  readonly runs: Runs;
  /** The instant of the last event. */
  readonly changedAt: Instant | null;
}

export type SubscriberStreamFact =
  | SubscriberFact
  | SubscriptionFact
  | PaymentFact
  | RefundFact
  | CreditFact
  | TicketFact
  | CohortMoveFact
  | MotionRunFact
  | TestFact;

/** All events that a destination can receive: the stored catalogue, version v1. */
export const deliverableEvents = {
  ...subscriberEvents,
  ...subscriptionEvents,
  ...paymentEvents,
  ...refundEvents,
  ...creditEvents,
  ...ticketEvents,
  ...cohortEvents,
  ...motionEvents,
  ...testEvents,
};

/** The description of each deliverable event in the API reference: when it happens. */
export const deliverableEventTexts: EventTexts<typeof deliverableEvents> = {
  ...subscriberEventTexts,
  ...subscriptionEventTexts,
  ...paymentEventTexts,
  ...refundEventTexts,
  ...creditEventTexts,
  ...ticketEventTexts,
  ...cohortEventTexts,
  ...motionEventTexts,
  ...testEventTexts,
};

type StreamFact = Dated<SubscriberStreamFact>;

const isInCatalogue =
  <Type extends string>(catalogue: Record<Type, unknown>) =>
  (fact: StreamFact): fact is Extract<StreamFact, { type: Type }> =>
    fact.type in catalogue;

const isSubscriberFact = isInCatalogue(subscriberEvents);
const isSubscriptionFact = isInCatalogue(subscriptionEvents);
const isPaymentFact = isInCatalogue(paymentEvents);
const isRefundFact = isInCatalogue(refundEvents);
const isCreditFact = isInCatalogue(creditEvents);
const isTicketFact = isInCatalogue(ticketEvents);
const isCohortMoveFact = isInCatalogue(cohortEvents);
const isMotionRunFact = isInCatalogue(motionEvents);

const createEnvelopeState = (
  subscriber: Subscriber,
  { subscriptionId, at }: StreamFact,
): EnvelopeState => {
  const { profile, subscriptions, payments } = subscriber;
  if (profile.status === 'absent')
    throw new Error('an event comes before the creation of its subscriber');
  const primary = findPrimary(subscriptions);
  const about =
    subscriptionId === undefined
      ? primary !== null && isRunning(primary)
        ? primary
        : null
      : (subscriptions[subscriptionId] ?? null);
  return {
    subscriber: {
      created_at: profile.activatedAt ?? profile.registeredAt,
      registered_at: profile.registeredAt,
      activated_at: profile.activatedAt,
      primary_subscription_id: primary?.id ?? null,
      status: primary?.status ?? null,
      plan: primary?.terms.plan ?? null,
      running: summariseSubscriptions(subscriptions),
      ...viewPaid(payments),
      due_at: findNextDue(subscriber, at),
      test_clock: profile.testClock,
    },
    email: profile.email,
    subscription: about === null ? null : viewSubscription(about),
  };
};

/** True for the end of a subscription, which also closes its payments and reinstates credits. */
const endsSubscription = (
  fact: StreamFact,
): fact is Extract<StreamFact, { type: 'subscription.cancelled' | 'subscription.lapsed' }> =>
  fact.type === 'subscription.cancelled' || fact.type === 'subscription.lapsed';

const evolveProfileAfter = (profile: Profile, fact: StreamFact): Profile => {
  if (isSubscriberFact(fact)) return evolveProfile(profile, fact);
  return isSubscriptionFact(fact) && beginsSubscription(fact)
    ? addActivation(profile, fact.at)
    : profile;
};

const evolvePaymentsAfter = (payments: Payments, fact: StreamFact): Payments => {
  if (isPaymentFact(fact) || isRefundFact(fact)) return evolvePayments(payments, fact);
  return endsSubscription(fact) ? replacePayments(payments, fact.data.closing.payments) : payments;
};

const evolveCreditsAfter = (credits: Credits, fact: StreamFact): Credits => {
  if (isCreditFact(fact)) return evolveCredits(credits, fact);
  return endsSubscription(fact) ? evolveReinstated(credits, fact.data.closing.reinstated) : credits;
};

const EMPTY_SUBSCRIBER: Subscriber = {
  profile: ABSENT_PROFILE,
  subscriptions: noSubscriptions,
  payments: noPayments,
  refunds: noRefunds,
  credits: noCredits,
  tickets: noTickets,
  cohorts: noMemberships,
  runs: noRuns,
  changedAt: null,
};

const evolve = (state: Subscriber, fact: StreamFact): Subscriber => ({
  profile: evolveProfileAfter(state.profile, fact),
  subscriptions:
    isSubscriptionFact(fact) || isPaymentFact(fact)
      ? evolveSubscriptions(state.subscriptions, fact)
      : state.subscriptions,
  payments: evolvePaymentsAfter(state.payments, fact),
  refunds: isRefundFact(fact) ? evolveRefunds(state.refunds, fact) : state.refunds,
  credits: evolveCreditsAfter(state.credits, fact),
  tickets: isTicketFact(fact) ? evolveTickets(state.tickets, fact) : state.tickets,
  cohorts: isCohortMoveFact(fact) ? evolveMemberships(state.cohorts, fact) : state.cohorts,
  runs: isMotionRunFact(fact) ? evolveRuns(state.runs, fact) : state.runs,
  changedAt: fact.at,
});

export const subscriberAggregate: Aggregate<Subscriber, SubscriberStreamFact> = {
  initialState: () => EMPTY_SUBSCRIBER,
  evolve: (state, fact) => {
    const after = evolve(state, fact);
    // Removal also removes the subscriber's objects: every slice answers as if they had never
    // existed.
    return after.profile.status === 'removed'
      ? { ...EMPTY_SUBSCRIBER, profile: after.profile, changedAt: after.changedAt }
      : after;
  },
  envelope: createEnvelopeState,
  testClock: ({ profile }) =>
    profile.status === 'absent' || profile.status === 'removed' ? null : profile.testClock,
};

/** Tells whether a subscription exists, or was removed together with its subscriber. */
export const getSubscriptionState = (
  { profile, subscriptions }: Subscriber,
  id: string,
): 'exists' | 'absent' | 'removed' => {
  if (profile.status === 'removed') return 'removed';
  return subscriptions[id] === undefined ? 'absent' : 'exists';
};
