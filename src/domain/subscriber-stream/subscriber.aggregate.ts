import type { Aggregate, EnvelopeState } from '../../kernel/aggregate';
import type { Dated } from '../../kernel/decider';
import type { Instant } from '../../kernel/time';
import {
  type Credits,
  evolveCredits,
  evolveReinstated,
  noCredits,
} from '../billing/credit.decider';
import { type CreditFact, creditEvents } from '../billing/credit.events';
import { evolveMemberships, type Memberships, noMemberships } from '../cohorts/cohort.decider';
import { type CohortMoveFact, cohortEvents } from '../cohorts/cohort.events';
import { type TestFact, testEvents } from '../fixtures/fixture.events';
import { type MotionRunFact, motionEvents } from '../motions/motion.events';
import { evolveRuns, noRuns, type Runs } from '../motions/run.decider';
import { evolvePayments, noPayments, type Payments, viewPaid } from '../billing/payment.decider';
import { type PaymentFact, paymentEvents } from '../billing/payment.events';
import { evolveRefunds, noRefunds, type Refunds } from '../billing/refund.decider';
import { type RefundFact, refundEvents } from '../billing/refund.events';
import { dueOf } from './timing';
import { absent, evolveProfile, type Profile } from '../subscribers/subscriber.decider';
import { type SubscriberFact, subscriberEvents } from '../subscribers/subscriber.events';
import { isRunning, primaryOf } from '../billing/primary';
import {
  evolveSubscriptions,
  noSubscriptions,
  type Subscriptions,
} from '../billing/subscription.decider';
import { type SubscriptionFact, subscriptionEvents } from '../billing/subscription.events';
import { summarise } from '../billing/subscription-summary';
import { viewSubscription } from '../billing/subscription-view';
import { evolveTickets, noTickets, type Tickets } from '../tickets/ticket.decider';
import { type TicketFact, ticketEvents } from '../tickets/ticket.events';

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

type StreamFact = Dated<SubscriberStreamFact>;

const isOf =
  <Type extends string>(catalogue: Record<Type, unknown>) =>
  (fact: StreamFact): fact is Extract<StreamFact, { type: Type }> =>
    fact.type in catalogue;

const isSubscriberFact = isOf(subscriberEvents);
const isSubscriptionFact = isOf(subscriptionEvents);
const isPaymentFact = isOf(paymentEvents);
const isRefundFact = isOf(refundEvents);
const isCreditFact = isOf(creditEvents);
const isTicketFact = isOf(ticketEvents);
const isCohortMoveFact = isOf(cohortEvents);
const isMotionRunFact = isOf(motionEvents);

const envelopeOf = (subscriber: Subscriber, { subscriptionId, at }: StreamFact): EnvelopeState => {
  const { profile, subscriptions, payments } = subscriber;
  if (profile.status === 'absent') throw new Error('a fact before the subscriber was created');
  const primary = primaryOf(subscriptions);
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
      running: summarise(subscriptions),
      ...viewPaid(payments),
      due_at: dueOf(subscriber, at),
      test_clock: profile.testClock,
    },
    email: profile.email,
    subscription: about === null ? null : viewSubscription(about),
  };
};

const creditsAfter = (credits: Credits, fact: StreamFact): Credits => {
  if (isCreditFact(fact)) return evolveCredits(credits, fact);
  return fact.type === 'subscription.cancelled' || fact.type === 'subscription.lapsed'
    ? evolveReinstated(credits, fact.data.closing.reinstated)
    : credits;
};

const nothing: Subscriber = {
  profile: absent,
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
  profile:
    isSubscriberFact(fact) || isSubscriptionFact(fact)
      ? evolveProfile(state.profile, fact)
      : state.profile,
  subscriptions:
    isSubscriptionFact(fact) || isPaymentFact(fact)
      ? evolveSubscriptions(state.subscriptions, fact)
      : state.subscriptions,
  payments:
    isPaymentFact(fact) || isRefundFact(fact) || isSubscriptionFact(fact)
      ? evolvePayments(state.payments, fact)
      : state.payments,
  refunds: isRefundFact(fact) ? evolveRefunds(state.refunds, fact) : state.refunds,
  credits: creditsAfter(state.credits, fact),
  tickets: isTicketFact(fact) ? evolveTickets(state.tickets, fact) : state.tickets,
  cohorts: isCohortMoveFact(fact) ? evolveMemberships(state.cohorts, fact) : state.cohorts,
  runs: isMotionRunFact(fact) ? evolveRuns(state.runs, fact) : state.runs,
  changedAt: fact.at,
});

export const subscriberAggregate: Aggregate<Subscriber, SubscriberStreamFact> = {
  initialState: () => nothing,
  evolve: (state, fact) => {
    const after = evolve(state, fact);
    // Removal also removes the subscriber's objects: every slice answers as if they had never
    // existed.
    return after.profile.status === 'removed'
      ? { ...nothing, profile: after.profile, changedAt: after.changedAt }
      : after;
  },
  envelope: envelopeOf,
  testClock: ({ profile }) =>
    profile.status === 'absent' || profile.status === 'removed' ? null : profile.testClock,
};
