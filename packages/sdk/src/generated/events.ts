// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
import type {
  MinimalEvent,
  CohortEnteredEvent,
  CohortExitedEvent,
  CreditAppliedEvent,
  CreditExpiredEvent,
  CreditGrantedEvent,
  CreditVoidedEvent,
  MotionAcceptedEvent,
  MotionAppliedEvent,
  MotionDeclinedEvent,
  MotionExpiredEvent,
  MotionFailedEvent,
  MotionPresentedEvent,
  MotionSuppressedEvent,
  MotionTriggeredEvent,
  PaymentDisputedEvent,
  PaymentDueEvent,
  PaymentFailedEvent,
  PaymentMethodExpiringEvent,
  PaymentMethodUpdatedEvent,
  PaymentRecoveredEvent,
  PaymentRecoveryLostEvent,
  PaymentRefundFailedEvent,
  PaymentRefundRequestedEvent,
  PaymentRefundedEvent,
  PaymentSucceededEvent,
  SubscriberCreatedEvent,
  SubscriberErasedEvent,
  SubscriberUpdatedEvent,
  SubscriptionActivatedEvent,
  SubscriptionCancellationScheduledEvent,
  SubscriptionCancellationUnscheduledEvent,
  SubscriptionCancelledEvent,
  SubscriptionDiscountAppliedEvent,
  SubscriptionLapsedEvent,
  SubscriptionPastDueEvent,
  SubscriptionPauseScheduledEvent,
  SubscriptionPauseUnscheduledEvent,
  SubscriptionPausedEvent,
  SubscriptionPlanChangedEvent,
  SubscriptionReactivatedEvent,
  SubscriptionRenewalUpcomingEvent,
  SubscriptionRenewedEvent,
  SubscriptionResumedEvent,
  SubscriptionTrialExtendedEvent,
  SubscriptionTrialStartedEvent,
  SubscriptionTrialWillEndEvent,
  TestPingEvent,
  TicketClosedEvent,
  TicketReopenedEvent,
  TicketResolvedEvent,
  TicketSubmittedEvent,
  TicketUpdatedEvent,
} from './schema';

/** The shape of each event type. */
export interface EventTypes {
  'cohort.entered': CohortEnteredEvent;
  'cohort.exited': CohortExitedEvent;
  'credit.applied': CreditAppliedEvent;
  'credit.expired': CreditExpiredEvent;
  'credit.granted': CreditGrantedEvent;
  'credit.voided': CreditVoidedEvent;
  'motion.accepted': MotionAcceptedEvent;
  'motion.applied': MotionAppliedEvent;
  'motion.declined': MotionDeclinedEvent;
  'motion.expired': MotionExpiredEvent;
  'motion.failed': MotionFailedEvent;
  'motion.presented': MotionPresentedEvent;
  'motion.suppressed': MotionSuppressedEvent;
  'motion.triggered': MotionTriggeredEvent;
  'payment.disputed': PaymentDisputedEvent;
  'payment.due': PaymentDueEvent;
  'payment.failed': PaymentFailedEvent;
  'payment.method_expiring': PaymentMethodExpiringEvent;
  'payment.method_updated': PaymentMethodUpdatedEvent;
  'payment.recovered': PaymentRecoveredEvent;
  'payment.recovery_lost': PaymentRecoveryLostEvent;
  'payment.refund_failed': PaymentRefundFailedEvent;
  'payment.refund_requested': PaymentRefundRequestedEvent;
  'payment.refunded': PaymentRefundedEvent;
  'payment.succeeded': PaymentSucceededEvent;
  'subscriber.created': SubscriberCreatedEvent;
  'subscriber.erased': SubscriberErasedEvent;
  'subscriber.updated': SubscriberUpdatedEvent;
  'subscription.activated': SubscriptionActivatedEvent;
  'subscription.cancellation_scheduled': SubscriptionCancellationScheduledEvent;
  'subscription.cancellation_unscheduled': SubscriptionCancellationUnscheduledEvent;
  'subscription.cancelled': SubscriptionCancelledEvent;
  'subscription.discount_applied': SubscriptionDiscountAppliedEvent;
  'subscription.lapsed': SubscriptionLapsedEvent;
  'subscription.past_due': SubscriptionPastDueEvent;
  'subscription.pause_scheduled': SubscriptionPauseScheduledEvent;
  'subscription.pause_unscheduled': SubscriptionPauseUnscheduledEvent;
  'subscription.paused': SubscriptionPausedEvent;
  'subscription.plan_changed': SubscriptionPlanChangedEvent;
  'subscription.reactivated': SubscriptionReactivatedEvent;
  'subscription.renewal_upcoming': SubscriptionRenewalUpcomingEvent;
  'subscription.renewed': SubscriptionRenewedEvent;
  'subscription.resumed': SubscriptionResumedEvent;
  'subscription.trial_extended': SubscriptionTrialExtendedEvent;
  'subscription.trial_started': SubscriptionTrialStartedEvent;
  'subscription.trial_will_end': SubscriptionTrialWillEndEvent;
  'test.ping': TestPingEvent;
  'ticket.closed': TicketClosedEvent;
  'ticket.reopened': TicketReopenedEvent;
  'ticket.resolved': TicketResolvedEvent;
  'ticket.submitted': TicketSubmittedEvent;
  'ticket.updated': TicketUpdatedEvent;
}

export type EventName = keyof EventTypes;

/** Any event: `type` says which. */
export type ServiceEvent = EventTypes[EventName];

/** The personal data that a destination receives. */
export type PrivacyMode = 'full' | 'hashed_only' | 'minimal';

type WithoutEmail<E extends ServiceEvent> = Omit<E, 'subscriber'> & {
  readonly subscriber: Omit<E['subscriber'], 'email'>;
};

/** An event as a destination of a privacy mode receives it. */
export type EventOf<Mode extends PrivacyMode> = Mode extends 'full'
  ? ServiceEvent
  : Mode extends 'hashed_only'
    ? { [Type in EventName]: WithoutEmail<EventTypes[Type]> }[EventName]
    : MinimalEvent;
