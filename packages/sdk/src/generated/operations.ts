// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
import type { CallOptions } from '../options';
import type { List } from '../page';
import type { ServiceEvent } from '../events';
import type {
  AdvanceClockBody,
  AmendTicketBody,
  AuditItem,
  AuditLogListQuery,
  CancelBody,
  ChangeCohortBody,
  ChangeDestinationBody,
  ChangeMotionBody,
  ChangePlanBody,
  Cohort,
  CohortMember,
  CohortPreview,
  CohortsListMembersQuery,
  CohortsListQuery,
  CreateClockBody,
  CreateCohortBody,
  CreateMotionBody,
  CreateRefundBody,
  CreateSubscriberBody,
  CreateSubscriptionBody,
  Credit,
  CreditTransaction,
  CreditsListQuery,
  CreditsListTransactionsQuery,
  DeletedDestination,
  DeliveriesListAllQuery,
  DeliveriesListQuery,
  Delivery,
  DeliveryDetail,
  DeliveryPreview,
  Destination,
  DestinationHealth,
  DestinationTest,
  DestinationsDeleteQuery,
  DestinationsListHealthQuery,
  DestinationsListQuery,
  DisputeBody,
  EmitEventBody,
  EngagementScoreBody,
  Erasure,
  EventCounts,
  EventDelivery,
  EventType,
  EventTypesListQuery,
  EventTypesListVersionsQuery,
  EventsCountsQuery,
  EventsListDeliveriesQuery,
  EventsListQuery,
  GrantCreditBody,
  Import,
  ImportLineError,
  ImportLinesBody,
  ImportsCreateQuery,
  ImportsListErrorsQuery,
  ImportsListQuery,
  MetricDefinition,
  MetricSeries,
  MetricsGetQuery,
  MetricsListPlansQuery,
  MetricsListQuery,
  MetricsRecoveryQuery,
  MetricsRetentionQuery,
  Motion,
  MotionPerformance,
  MotionRun,
  MotionsListQuery,
  MotionsListRunsQuery,
  MotionsPerformanceQuery,
  OperationalEvent,
  OperationalEventsListQuery,
  OutboxMessage,
  PauseBody,
  Payment,
  PaymentAttempt,
  PaymentMethodBody,
  PaymentsListAttemptsQuery,
  PaymentsListQuery,
  Plan,
  PlanPreview,
  PlansListQuery,
  PreviewBody,
  PreviewCohortBody,
  ProviderOutcomeBody,
  Refund,
  RefundsListQuery,
  RegisterDestinationBody,
  RegisteredDestination,
  Replay,
  ReplayDryRun,
  ReplayFailure,
  ReplaysListFailuresQuery,
  ReplaysListQuery,
  RequestReplayBody,
  ResolveTicketBody,
  ResumeBody,
  Retention,
  RotateSecretBody,
  RotatedSecret,
  RunOutcomeBody,
  SavePlanBody,
  Scenario,
  SchemaVersion,
  SearchFindQuery,
  SearchResults,
  SeedBody,
  SubmitTicketBody,
  Subscriber,
  SubscribersGetQuery,
  SubscribersListEventsQuery,
  SubscribersListQuery,
  SubscribersTimelineQuery,
  Subscription,
  SubscriptionsGetQuery,
  SubscriptionsListQuery,
  TestClock,
  TestClocksListQuery,
  TestHelpersListOutboxQuery,
  Ticket,
  TicketsListQuery,
  TimelineItem,
  TriggerMotionBody,
  UpdateSubscriberBody,
} from './schema';

/** Every operation of the API, as a method. */
export interface Operations {
  readonly auditLog: {
    /**
     * List the audit log. Lists who did what, from where and in which request, newest first.
     *
     * It lists every change that a key, an operator or a member made in the environment of the key, and each time an operator viewed personal data, exported or previewed. Actions of the service itself (renewals, timers, deliveries) are in the timeline of the subscriber. Changes of the tenant itself, such as its settings, members and keys, are shown to the keys of both environments; what an operator did to a destination is shown in its environment only. Items are kept for 400 days. An erasure removes nothing here, because no item contains personal data.
     *
     * Needs the scope `audit_log:read`.
     */
    list(query?: AuditLogListQuery, options?: CallOptions): List<AuditItem>;
  };
  readonly cohorts: {
    /**
     * Create a cohort. Creates a cohort.
     *
     * Subscribers who match now become members without an event. Subscribers who match later enter with the event `cohort.entered`. Memberships follow every change of a subscriber, usually within a second. An entry and an exit that cancel out within that time may cause no events. `cohort.entered` and `cohort.exited` always alternate, and the last one gives the current membership. Deleting a cohort or erasing a subscriber ends memberships without an event.
     *
     * Needs the scope `cohorts:write`.
     *
     * Refused with `quota_exceeded` (422).
     */
    create(body: CreateCohortBody, options?: CallOptions): Promise<Cohort>;
    /**
     * List cohorts. Lists cohorts, newest first.
     *
     * Needs the scope `cohorts:read`.
     */
    list(query?: CohortsListQuery, options?: CallOptions): List<Cohort>;
    /**
     * Preview a cohort. Counts who would be in a cohort of this definition, without creating it.
     *
     * If the definition uses the tenure, subscribers with a test clock are not counted.
     *
     * Needs the scope `cohorts:read`.
     */
    preview(body: PreviewCohortBody, options?: CallOptions): Promise<CohortPreview>;
    /**
     * Get a cohort. Shows a cohort.
     *
     * Needs the scope `cohorts:read`.
     */
    get(cohortId: string, options?: CallOptions): Promise<Cohort>;
    /**
     * Update a cohort. Changes a cohort.
     *
     * A new definition replaces the whole old one; members enter and exit with `reason: definition_changed`.
     *
     * Needs the scope `cohorts:write`.
     */
    update(cohortId: string, body?: ChangeCohortBody, options?: CallOptions): Promise<Cohort>;
    /**
     * Delete a cohort. Deletes a cohort.
     *
     * Refused with `cohort_in_use` while a motion that is not archived targets it.
     *
     * Needs the scope `cohorts:write`.
     *
     * Refused with `cohort_in_use` (409).
     */
    delete(cohortId: string, options?: CallOptions): Promise<void>;
    /**
     * List the members of a cohort. Lists the members of a cohort, newest first.
     *
     * Needs the scope `cohorts:read`.
     */
    listMembers(
      cohortId: string,
      query?: CohortsListMembersQuery,
      options?: CallOptions,
    ): List<CohortMember>;
  };
  readonly credits: {
    /**
     * Grant a credit. Grants a credit to a subscriber.
     *
     * Credits are used before the payment method is charged; the one that expires first is used first.
     *
     * Needs the scope `credits:write`.
     *
     * Refused with `subscriber_erased` (409).
     */
    grant(subscriberId: string, body: GrantCreditBody, options?: CallOptions): Promise<Credit>;
    /**
     * List the credits of a subscriber. Lists a subscriber's credits, newest first.
     *
     * Needs the scope `credits:read`.
     */
    list(subscriberId: string, query?: CreditsListQuery, options?: CallOptions): List<Credit>;
    /**
     * Get a credit. Shows a credit.
     *
     * Needs the scope `credits:read`.
     */
    get(creditId: string, options?: CallOptions): Promise<Credit>;
    /**
     * List the transactions of a credit. Shows a credit's ledger, newest first.
     *
     * Needs the scope `credits:read`.
     */
    listTransactions(
      creditId: string,
      query?: CreditsListTransactionsQuery,
      options?: CallOptions,
    ): List<CreditTransaction>;
    /**
     * Void a credit. Takes back what is left of a credit.
     *
     * Needs the scope `credits:write`.
     *
     * Refused with `invalid_state_transition` (409), `subscriber_erased` (409).
     */
    void(creditId: string, options?: CallOptions): Promise<Credit>;
  };
  readonly deliveries: {
    /**
     * List the deliveries of a destination. Lists the deliveries to a destination, newest event first.
     *
     * A delivery is listed from its first attempt on, for 30 days, even if the destination was deleted for good.
     *
     * Needs the scope `destinations:read`.
     */
    list(destinationId: string, query?: DeliveriesListQuery, options?: CallOptions): List<Delivery>;
    /**
     * Get a delivery. Shows one delivery with all its attempts.
     *
     * Before the first attempt has ended, the delivery is `pending` and its list of attempts is empty. The response bodies of the receiver are shown to keys with the scope `pii:read`.
     *
     * Needs the scope `destinations:read`.
     */
    get(destinationId: string, eventId: string, options?: CallOptions): Promise<DeliveryDetail>;
    /**
     * Retry a delivery. Makes one more delivery attempt now.
     *
     * The limits of the destination apply. The retry schedule does not change: if this attempt fails, the scheduled ones still follow.
     *
     * Needs the scope `destinations:write`.
     *
     * Refused with `destination_deleted` (409), `destination_disabled` (409).
     */
    retry(destinationId: string, eventId: string, options?: CallOptions): Promise<Delivery>;
    /**
     * List the deliveries to all destinations. Lists the deliveries to all destinations, newest event first.
     *
     * A delivery is listed from its first attempt on, for 30 days, even if the destination was deleted for good.
     *
     * Needs the scope `destinations:read`.
     *
     * Refused with `resource_not_found` (404).
     */
    listAll(query?: DeliveriesListAllQuery, options?: CallOptions): List<Delivery>;
  };
  readonly destinations: {
    /**
     * Create a destination. Creates a destination.
     *
     * Its signing secret is shown in this response only.
     *
     * Needs the scope `destinations:write`.
     *
     * Refused with `url_not_https` (400), `url_not_allowed` (400), `template_invalid` (400), `destination_limit_reached` (422).
     */
    create(body: RegisterDestinationBody, options?: CallOptions): Promise<RegisteredDestination>;
    /**
     * List destinations. Lists the destinations of the environment, newest first.
     *
     * Needs the scope `destinations:read`.
     */
    list(query?: DestinationsListQuery, options?: CallOptions): List<Destination>;
    /**
     * Get a destination. Shows the destination with its settings and its status. The signing secret is not shown again.
     *
     * Needs the scope `destinations:read`.
     */
    get(destinationId: string, options?: CallOptions): Promise<Destination>;
    /**
     * Update a destination. Changes the settings of a destination, or disables or enables it.
     *
     * No event is lost while it is disabled.
     *
     * Needs the scope `destinations:write`.
     *
     * Refused with `url_not_https` (400), `url_not_allowed` (400), `template_invalid` (400), `destination_deleted` (409), `invalid_state_transition` (409).
     */
    update(
      destinationId: string,
      body?: ChangeDestinationBody,
      options?: CallOptions,
    ): Promise<Destination>;
    /**
     * Delete a destination. Deletes a destination.
     *
     * You can restore it for 30 days. With `force=true` it is deleted for good, and the response is 204.
     *
     * Needs the scope `destinations:write`.
     */
    delete(
      destinationId: string,
      query?: DestinationsDeleteQuery,
      options?: CallOptions,
    ): Promise<DeletedDestination | void>;
    /**
     * Rotate the signing secret of a destination. Creates a new signing secret.
     *
     * For 24 hours, or `overlap_hours`, deliveries are signed with both secrets. At most two secrets are valid: another rotation within that time ends the oldest one at once, earlier than its `previous_secret_expires_at` said.
     *
     * Needs the scope `destinations:write`.
     *
     * Refused with `destination_deleted` (409), `invalid_state_transition` (409).
     */
    rotateSecret(
      destinationId: string,
      body?: RotateSecretBody,
      options?: CallOptions,
    ): Promise<RotatedSecret>;
    /**
     * Restore a deleted destination. Restores a deleted destination.
     *
     * Deliveries continue where they stopped.
     *
     * Needs the scope `destinations:write`.
     *
     * Refused with `destination_limit_reached` (422).
     */
    restore(destinationId: string, options?: CallOptions): Promise<Destination>;
    /**
     * Send a test event to a destination. Sends a `test.ping` event now and shows the result.
     *
     * Needs the scope `destinations:write`.
     *
     * Refused with `destination_deleted` (409).
     */
    test(destinationId: string, options?: CallOptions): Promise<DestinationTest>;
    /**
     * Preview a delivery. Shows the exact headers and body of a delivery.
     *
     * Nothing is sent. X-Service-Attempt is 1. Without `pii_mode` and `schema_version` it is the message that the next attempt would send, with X-Service-Redacted if it shows less than the first one did.
     *
     * Needs the scope `destinations:write`.
     *
     * Refused with `destination_deleted` (409), `subscriber_erased` (409).
     */
    preview(
      destinationId: string,
      body: PreviewBody,
      options?: CallOptions,
    ): Promise<DeliveryPreview>;
    /**
     * List the health of destinations. Shows the health of each destination: since when it fails, its waiting deliveries, and its last 24 hours.
     *
     * Needs the scope `destinations:read`.
     *
     * Refused with `resource_not_found` (404).
     */
    listHealth(query?: DestinationsListHealthQuery, options?: CallOptions): List<DestinationHealth>;
  };
  readonly events: {
    /**
     * List the deliveries of an event. Shows for each destination whether it received an event.
     *
     * If it did not, the status gives the reason: `filtered` (its `event_types` leave the type out), `before_destination` (it was created later), `destination_disabled`, or `log_expired` (the event is older than 30 days, and the delivery log no longer has it). A destination that was deleted is listed if the event was sent to it.
     *
     * Needs the scope `events:read`.
     */
    listDeliveries(
      eventId: string,
      query?: EventsListDeliveriesQuery,
      options?: CallOptions,
    ): List<EventDelivery>;
    /**
     * List events. Lists the events of the environment, newest first.
     *
     * With `order=asc` the oldest is first. To receive every new event, use webhooks: a program that polls can miss some (see the chapter "Poll for events").
     *
     * Needs the scope `events:read`.
     */
    list(query?: EventsListQuery, options?: CallOptions): List<ServiceEvent>;
    /**
     * Count events. Counts the events of the environment per hour, day or month.
     *
     * Needs the scope `events:read`.
     */
    counts(query?: EventsCountsQuery, options?: CallOptions): Promise<EventCounts>;
    /**
     * Get an event. Shows one event, as destinations receive it. Personal data is shown to keys with `pii:read`.
     *
     * Needs the scope `events:read`.
     */
    get(eventId: string, options?: CallOptions): Promise<ServiceEvent>;
  };
  readonly eventTypes: {
    /**
     * List event types. Lists every event type with the JSON Schema of its data.
     *
     * Without `limit` the list is one page. The keyword `pii` marks personal fields: `email` is left out and `text` becomes null for receivers in mode `hashed_only`.
     *
     * Needs the scope `events:read`.
     */
    list(query?: EventTypesListQuery, options?: CallOptions): List<EventType>;
    /**
     * Get an event type. Shows an event type with the JSON Schema of its data.
     *
     * Needs the scope `events:read`.
     */
    get(eventType: string, options?: CallOptions): Promise<EventType>;
    /**
     * List schema versions. Lists the versions of the catalogue.
     *
     * Without `limit` the list is one page. A version is announced as deprecated at least twelve months before its sunset.
     *
     * Needs the scope `events:read`.
     */
    listVersions(query?: EventTypesListVersionsQuery, options?: CallOptions): List<SchemaVersion>;
  };
  readonly imports: {
    /**
     * Create an import. Imports subscribers, subscriptions and past payments from lines of JSON.
     *
     * Each line is one object with an `external_id` of your own, and may refer to lines before it. Send lines as `application/x-ndjson`, one object per line and as many as you like, or as `application/json`, an object with the list `lines` of at most 200 objects.
     *
     * A wrong line is reported and the other lines are imported. A line with the same content as a line that was imported before counts as imported and changes nothing, so you may send a file again. The order of keys and tags, the time zone of a date and default values that are written out make no difference. Other content under the same `external_id` is reported as `external_id_in_use`, and every line of an erased subscriber as `subscriber_erased`.
     *
     * A subscription that is `active` renews at its `current_period_end`, and at once if that has passed. If two renewals are due already, the line is refused with `parameter_invalid`: send the period that runs now. The same rule holds for a trial with a payment method. A payment must have the currency of its subscription, otherwise it is reported as `currency_mismatch`.
     *
     * The file is UTF-8; a line that is not is reported as `invalid_json`. Blank lines and a byte order mark are skipped, lines may end with CR LF, and the report gives the line numbers of the file.
     *
     * An `Idempotency-Key` belongs to the bytes of the file: with another file the response is 422 `idempotency_key_reused`, and nothing of that file is stored. An upload that was interrupted leaves its key unused.
     *
     * The imports of one environment run one after the other, in the order in which they were accepted. Imports of different environments take turns.
     *
     * Needs the scopes `subscribers:write` and `subscriptions:write` and `payments:write`.
     *
     * Refused with `daily_quota_exceeded` (429).
     */
    create(
      body: ImportLinesBody | string | Uint8Array | Blob,
      query?: ImportsCreateQuery,
      options?: CallOptions,
    ): Promise<Import>;
    /**
     * List imports. Lists the imports of the environment, newest first.
     *
     * Needs the scope `subscribers:read`.
     */
    list(query?: ImportsListQuery, options?: CallOptions): List<Import>;
    /**
     * Get an import. Shows how far an import has come.
     *
     * Needs the scope `subscribers:read`.
     */
    get(importId: string, options?: CallOptions): Promise<Import>;
    /**
     * List the errors of an import. Lists the lines that could not be imported, in their order.
     *
     * Needs the scope `subscribers:read`.
     */
    listErrors(
      importId: string,
      query?: ImportsListErrorsQuery,
      options?: CallOptions,
    ): List<ImportLineError>;
  };
  readonly metrics: {
    /**
     * List the plans of metrics. Lists the plans by which metrics can be filtered.
     *
     * The same list as `GET /v1/plans`, for keys that read metrics and no subscriptions.
     *
     * Needs the scope `metrics:read`.
     */
    listPlans(query?: MetricsListPlansQuery, options?: CallOptions): List<Plan>;
    /**
     * List metrics. Lists every metric with its definition.
     *
     * Without `limit` the list is one page.
     *
     * Needs the scope `metrics:read`.
     */
    list(query?: MetricsListQuery, options?: CallOptions): List<MetricDefinition>;
    /**
     * Get the recovery of failed payments. Measures how many failed recurring payments were recovered.
     *
     * With `Accept: text/csv` the response is CSV: `timestamp,value,partial,sample_size`, or all fields with `csv_columns=all`.
     *
     * Needs the scope `metrics:read`.
     *
     * Refused with `metric_too_large` (422), `resource_not_found` (404).
     */
    recovery(query?: MetricsRecoveryQuery, options?: CallOptions): Promise<MetricSeries>;
    /**
     * Get the retention by month. Counts by month how many new subscribers stayed.
     *
     * A subscriber who came back counts as kept. A pause does not count as an end. The current month is counted as of now. With `Accept: text/csv` the response is CSV: `month,subscribers,kept_0,kept_1,…`, where `kept_1` counts one month later; future months are empty.
     *
     * Needs the scope `metrics:read`.
     *
     * Refused with `resource_not_found` (404).
     */
    retention(query?: MetricsRetentionQuery, options?: CallOptions): Promise<Retention>;
    /**
     * Get a metric. Returns the series of a metric: MRR, churn, conversion, deliveries, tickets and more.
     *
     * With `Accept: text/csv` the response is CSV: `timestamp,value,partial,sample_size`, or all fields with `csv_columns=all`.
     *
     * | Metric, unit, parameters of its own | How it is computed |
     * |---|---|
     * | `mrr`, minor units, `currency` | at the end of the bucket: sum of the monthly-normalised prices of active subscriptions, past due included; year ÷ 12, week × 52 ÷ 12, day × 365 ÷ 12, each subscription’s rounded to a minor unit; `sample_size` counts the active subscribers of all currencies |
     * | `mrr_movements`, minor units, `currency` | change of MRR inside the bucket by cause, for each subscription; losses are negative and the value is the sum |
     * | `mrr_churn_gross`, ratio, `currency` | (churned + contracted MRR of the bucket) ÷ MRR at its start; `sample_size` counts the active subscribers of all currencies at its start |
     * | `mrr_churn_net`, ratio, `currency` | (churned + contracted − expanded − reactivated MRR of the bucket) ÷ MRR at its start; `sample_size` counts the active subscribers of all currencies at its start |
     * | `arpu`, minor units, `currency` | MRR of the currency ÷ all active subscribers, whatever currency they pay in, both at the end of the bucket, to the nearest minor unit |
     * | `refund_rate`, ratio, `currency` | amounts refunded in the bucket ÷ amounts paid in the bucket, each by its own day |
     * | `credit_outstanding`, minor units, `currency` | what is left of all customer credits at the end of the bucket |
     * | `active_subscribers`, count | subscribers with an active subscription, at the end of the bucket |
     * | `trialing`, count | subscribers whose primary subscription is trialing, at the end of the bucket |
     * | `paused`, count | subscribers whose primary subscription is paused, at the end of the bucket |
     * | `past_due`, count | subscribers with an unpaid running subscription, at the end of the bucket |
     * | `churn_rate`, ratio, `by` | subscribers whose last paid subscription was cancelled or lapsed in the bucket ÷ active subscribers at its start |
     * | `trial_conversion`, ratio | trials converted whose first payment was paid ÷ trials converted, cancelled or lapsed, by the day of trial_end; converted also when it is paid late |
     * | `delivery_success`, ratio, `destination_id` | due events that were answered with a 2xx within 24 h ÷ due events, by the day of the event. The 24 h begin when the event is created; for imported and simulated events, when it is recorded. |
     * | `delivery_latency_p50`, seconds, `destination_id` | 50 % of deliveries took at most so long from the event's creation to a 2xx, by the event's day; exact to 2.5 %. Of imported and simulated time, from when the event was recorded |
     * | `delivery_latency_p95`, seconds, `destination_id` | 95 % of deliveries took at most so long from the event's creation to a 2xx, by the event's day; exact to 2.5 %. Of imported and simulated time, from when the event was recorded |
     * | `motion_acceptance`, ratio | offers accepted ÷ offers presented, by the day of the presentation |
     * | `ticket_volume`, count, `topic` | tickets submitted in the bucket |
     * | `ticket_resolution_p50`, seconds | median time from submission to resolution, by the day of the resolution; to the second up to 5000 of them in the window, beyond that to 2.5 % |
     * | `recovery` | the share or the amounts of failed payments that were recovered; `GET /v1/metrics/recovery` has its measures |
     *
     * Needs the scope `metrics:read`.
     *
     * Refused with `metric_too_large` (422), `resource_not_found` (404).
     */
    get(metric: string, query?: MetricsGetQuery, options?: CallOptions): Promise<MetricSeries>;
    /**
     * Get the definition of a metric. Explains how a metric is computed and what it excludes.
     *
     * Needs the scope `metrics:read`.
     */
    definition(metric: string, options?: CallOptions): Promise<MetricDefinition>;
  };
  readonly motionRuns: {
    /**
     * Get a motion run. Shows a motion run.
     *
     * Needs the scope `motions:read`.
     */
    get(runId: string, options?: CallOptions): Promise<MotionRun>;
    /**
     * Report the outcome of a motion run. Reports that an offer was presented, accepted or declined.
     *
     * An accepted offer is applied at once, completely or not at all: the run is then `applied` or `failed`. It changes the primary subscription of the subscriber. Accepting a `cancel_save` motion also undoes a scheduled cancellation of that subscription (`subscription.cancellation_unscheduled` comes first). A `redirect` does not undo it: that is up to you.
     *
     * Needs the scope `motions:trigger`.
     *
     * Refused with `invalid_state_transition` (409), `subscriber_erased` (409).
     */
    reportOutcome(runId: string, body: RunOutcomeBody, options?: CallOptions): Promise<MotionRun>;
  };
  readonly motions: {
    /**
     * Create a motion. Creates a motion.
     *
     * It is a draft until it is activated.
     *
     * Needs the scope `motions:write`.
     */
    create(body: CreateMotionBody, options?: CallOptions): Promise<Motion>;
    /**
     * List motions. Lists motions, newest first.
     *
     * Needs the scope `motions:read`.
     */
    list(query?: MotionsListQuery, options?: CallOptions): List<Motion>;
    /**
     * Get a motion. Shows a motion with its stats: how many runs ever reached each state.
     *
     * Needs the scope `motions:read`.
     */
    get(motionId: string, options?: CallOptions): Promise<Motion>;
    /**
     * Update a motion. Changes a motion that is not archived.
     *
     * Runs that have begun keep their offer.
     *
     * Needs the scope `motions:write`.
     *
     * Refused with `invalid_state_transition` (409).
     */
    update(motionId: string, body?: ChangeMotionBody, options?: CallOptions): Promise<Motion>;
    /**
     * Delete a motion. Deletes a draft.
     *
     * Only a draft can be deleted. Archive a motion that was active; its runs and figures stay.
     *
     * Needs the scope `motions:write`.
     *
     * Refused with `invalid_state_transition` (409).
     */
    delete(motionId: string, options?: CallOptions): Promise<void>;
    /**
     * Activate a motion. Activates a draft or paused motion.
     *
     * Needs the scope `motions:write`.
     *
     * Refused with `invalid_state_transition` (409).
     */
    activate(motionId: string, options?: CallOptions): Promise<Motion>;
    /**
     * Pause a motion. Pauses an active motion.
     *
     * Runs that have begun continue.
     *
     * Needs the scope `motions:write`.
     *
     * Refused with `invalid_state_transition` (409).
     */
    pause(motionId: string, options?: CallOptions): Promise<Motion>;
    /**
     * Archive a motion. Archives a motion. This cannot be undone.
     *
     * Needs the scope `motions:write`.
     *
     * Refused with `invalid_state_transition` (409).
     */
    archive(motionId: string, options?: CallOptions): Promise<Motion>;
    /**
     * Trigger a motion. Triggers a motion for a subscriber.
     *
     * If the subscriber is not eligible, the response is `subscriber_not_eligible`, and `details.reason` says why. Membership in the cohorts is decided by their definitions on the current record of the subscriber, so a change counts even before its `cohort.*` event. An offer is about the primary subscription, the one that the record of the subscriber shows (active before trialing before paused, then the newest). If the offer cannot be given to that subscription, or if a discount would make no coming period cheaper, the reason is `offer_not_applicable`. The results arrive as `motion.*` events.
     *
     * Needs the scope `motions:trigger`.
     *
     * Refused with `motion_not_active` (409), `subscriber_not_eligible` (422), `subscriber_erased` (409).
     */
    trigger(motionId: string, body: TriggerMotionBody, options?: CallOptions): Promise<MotionRun>;
    /**
     * List the runs of a motion. Lists the runs of a motion, newest first.
     *
     * Needs the scope `motions:read`.
     */
    listRuns(
      motionId: string,
      query?: MotionsListRunsQuery,
      options?: CallOptions,
    ): List<MotionRun>;
    /**
     * Get the performance of a motion. Measures the results of a motion.
     *
     * Each run counts on the day on which it was triggered, in every state that it ever reached.
     *
     * Needs the scope `metrics:read`.
     *
     * Refused with `metric_too_large` (422).
     */
    performance(
      motionId: string,
      query?: MotionsPerformanceQuery,
      options?: CallOptions,
    ): Promise<MotionPerformance>;
  };
  readonly operationalEvents: {
    /**
     * List operational events. Lists operational events, newest first.
     *
     * They report that a destination fails, was disabled or enabled, and that a replay ended.
     *
     * Needs the scope `destinations:read`.
     */
    list(query?: OperationalEventsListQuery, options?: CallOptions): List<OperationalEvent>;
  };
  readonly payments: {
    /**
     * List payments. Lists payments, newest first.
     *
     * Needs the scope `payments:read`.
     */
    list(query?: PaymentsListQuery, options?: CallOptions): List<Payment>;
    /**
     * Get a payment. Shows a payment.
     *
     * The lines say what the amount is made of. While a payment is retried, its status is `pending`.
     *
     * Needs the scope `payments:read`.
     */
    get(paymentId: string, options?: CallOptions): Promise<Payment>;
    /**
     * List the attempts of a payment. Lists the attempts of a payment, newest first.
     *
     * Needs the scope `payments:read`.
     */
    listAttempts(
      paymentId: string,
      query?: PaymentsListAttemptsQuery,
      options?: CallOptions,
    ): List<PaymentAttempt>;
    /**
     * Report an attempt of your payment provider. Reports what your payment provider did.
     *
     * This is your reply to the event `payment.due`: it says whether the amount was collected. In test environments it ends a charge that `pm_test_pending` left open. A different outcome under a `provider_ref` that you reported before is refused with `invalid_state_transition`: give each attempt a reference of its own.
     *
     * Needs the scope `payments:write`.
     *
     * Refused with `invalid_state_transition` (409), `subscriber_erased` (409).
     */
    reportAttempt(
      paymentId: string,
      body: ProviderOutcomeBody,
      options?: CallOptions,
    ): Promise<Payment>;
    /**
     * Retry a payment. Tries an open payment again now, with the subscription’s payment method.
     *
     * Needs the scope `payments:write`.
     *
     * Refused with `invalid_state_transition` (409), `subscriber_erased` (409).
     */
    retry(paymentId: string, options?: CallOptions): Promise<Payment>;
    /**
     * Report a dispute. Reports that a payment is disputed, or how the dispute ended.
     *
     * The payment must have succeeded. `won` and `lost` are final: reporting the same status again changes nothing, and another status is refused with the statuses of the dispute in `details` (null means not disputed). The report is accepted even after the subscriber was erased.
     *
     * Needs the scope `payments:write`.
     *
     * Refused with `invalid_state_transition` (409).
     */
    reportDispute(paymentId: string, body: DisputeBody, options?: CallOptions): Promise<Payment>;
  };
  readonly plans: {
    /**
     * Create or change a plan. Creates or changes a plan.
     *
     * A new price creates a new version of the plan; running periods keep their version. The currency of a plan cannot be changed: create another plan instead.
     *
     * Needs the scope `subscriptions:write`.
     *
     * Refused with `quota_exceeded` (422), `external_id_in_use` (409), `currency_mismatch` (422).
     */
    save(planId: string, body: SavePlanBody, options?: CallOptions): Promise<Plan>;
    /**
     * Get a plan. Shows the current version of the plan.
     *
     * Needs the scope `subscriptions:read`.
     */
    get(planId: string, options?: CallOptions): Promise<Plan>;
    /**
     * List plans. Lists the plans of the environment, newest first.
     *
     * Needs the scope `subscriptions:read`.
     */
    list(query?: PlansListQuery, options?: CallOptions): List<Plan>;
  };
  readonly refunds: {
    /**
     * Refund a payment. Refunds a payment, or a part of it.
     *
     * The subscription does not change. The part that credits paid is returned as credit. With your own provider the refund is `pending` until you report its outcome. A payment whose dispute is lost is not refunded, because the bank has already returned the money. Refund before you erase the subscriber: afterwards it is refused.
     *
     * Needs the scope `refunds:write`.
     *
     * Refused with `invalid_state_transition` (409), `refund_amount_exceeds_remaining` (422), `refund_limit_exceeded` (403), `subscriber_erased` (409).
     */
    create(paymentId: string, body: CreateRefundBody, options?: CallOptions): Promise<Refund>;
    /**
     * List refunds. Lists refunds, newest first.
     *
     * Needs the scope `payments:read`.
     */
    list(query?: RefundsListQuery, options?: CallOptions): List<Refund>;
    /**
     * Get a refund. Shows a refund.
     *
     * Needs the scope `payments:read`.
     */
    get(refundId: string, options?: CallOptions): Promise<Refund>;
    /**
     * Report the outcome of a refund. Reports what your payment provider did about a pending refund.
     *
     * The report is accepted even after the subscriber was erased.
     *
     * Needs the scope `refunds:write`.
     *
     * Refused with `invalid_state_transition` (409).
     */
    reportOutcome(
      refundId: string,
      body: ProviderOutcomeBody,
      options?: CallOptions,
    ): Promise<Refund>;
  };
  readonly replays: {
    /**
     * Create a replay. Sends the events of a window to a destination again.
     *
     * The destination may be newer than the events. The job runs in the background. Events are sent in the order of the log, so those of one subscriber come in the order of `sequence`; an event that is tried again may come after newer ones, unless the destination has strict order. Live deliveries go first: while there are any, the replay uses only idle time of the process, but sends at least some 20 events a second. A failing event has three attempts, at once, after 30 s and after another 5 min, and delays no other event, unless the destination has strict order. The window ends at the real time now: events that a test clock dates later cannot be replayed yet. Three jobs may be queued or in progress; a fourth is refused with `too_many_concurrent_replays`. Three calls a minute are allowed, dry runs and refused calls included.
     *
     * Needs the scopes `replay:write` and `events:read`.
     *
     * Refused with `invalid_replay_window` (400), `destination_deleted` (409), `destination_disabled` (409), `invalid_state_transition` (409), `destination_not_replayable` (422), `event_types_not_subscribed` (422), `too_many_concurrent_replays` (429), `subscriber_erased` (409).
     */
    create(body?: RequestReplayBody, options?: CallOptions): Promise<ReplayDryRun | Replay>;
    /**
     * List replays. Lists replays, newest first.
     *
     * Needs the scope `replay:read`.
     */
    list(query?: ReplaysListQuery, options?: CallOptions): List<Replay>;
    /**
     * Get a replay. Shows a replay.
     *
     * At every moment `events_matched` is the sum of delivered, failed, pending and skipped. The counts of a job that runs are up to a few seconds old.
     *
     * Needs the scope `replay:read`.
     */
    get(replayId: string, options?: CallOptions): Promise<Replay>;
    /**
     * Cancel a replay. Cancels a replay that is queued or in progress.
     *
     * Requests that have been sent end and are counted. Events that were delivered stay at the receiver.
     *
     * Needs the scopes `replay:write` and `events:read`.
     *
     * Refused with `replay_not_cancellable` (409).
     */
    cancel(replayId: string, options?: CallOptions): Promise<Replay>;
    /**
     * List the failures of a replay. Lists the events that used up their attempts.
     *
     * `POST /v1/replay {"retry_of": "rep_…"}` sends them again.
     *
     * Needs the scope `replay:read`.
     */
    listFailures(
      replayId: string,
      query?: ReplaysListFailuresQuery,
      options?: CallOptions,
    ): List<ReplayFailure>;
  };
  readonly search: {
    /**
     * Find an object by its id. Finds an object by its id, by your own id of it, or a subscriber by the e-mail address.
     *
     * Only kinds of objects that the scopes of the caller may read are searched; e-mail addresses need `pii:read`.
     *
     * Needs the scope `subscribers:read`.
     */
    find(query: SearchFindQuery, options?: CallOptions): Promise<SearchResults>;
  };
  readonly subscribers: {
    /**
     * Create a subscriber. Creates a subscriber.
     *
     * Needs the scope `subscribers:write`.
     *
     * Refused with `external_id_in_use` (409), `subscriber_erased` (409), `test_helpers_live_forbidden` (403).
     */
    create(body: CreateSubscriberBody, options?: CallOptions): Promise<Subscriber>;
    /**
     * List subscribers. Lists subscribers, newest first.
     *
     * Needs the scope `subscribers:read`.
     */
    list(query?: SubscribersListQuery, options?: CallOptions): List<Subscriber>;
    /**
     * Get a subscriber. Shows a subscriber as it is now, or as it was at a moment in the past.
     *
     * After an erasure the response has `erased_at` and no personal data.
     *
     * Needs the scope `subscribers:read`.
     */
    get(
      subscriberId: string,
      query?: SubscribersGetQuery,
      options?: CallOptions,
    ): Promise<Subscriber>;
    /**
     * Update a subscriber. Changes address, tags and metadata.
     *
     * Fields that you leave out keep their value.
     *
     * Needs the scope `subscribers:write`.
     *
     * Refused with `subscriber_erased` (409).
     */
    update(
      subscriberId: string,
      body?: UpdateSubscriberBody,
      options?: CallOptions,
    ): Promise<Subscriber>;
    /**
     * Erase a subscriber. Erases the personal data of a subscriber everywhere, also in past events.
     *
     * Before that, running subscriptions are cancelled, motion runs that wait for an answer expire, credits are voided and tickets are closed. Data that is not personal stays: amounts, dates, states. If the service has several processes, the others drop the data from memory within 30 seconds of the response.
     *
     * Needs the scope `subscribers:write`.
     */
    erase(subscriberId: string, options?: CallOptions): Promise<Erasure>;
    /**
     * Set the engagement score of a subscriber. Stores an engagement score that you computed for a subscriber.
     *
     * Cohorts can select by it. A score that was observed earlier than the stored one is ignored; a score of the same moment replaces it.
     *
     * Needs the scope `subscribers:write`.
     *
     * Refused with `subscriber_erased` (409).
     */
    setEngagementScore(
      subscriberId: string,
      body: EngagementScoreBody,
      options?: CallOptions,
    ): Promise<Subscriber>;
    /**
     * List what happened to a subscriber. Shows what happened to a subscriber, newest first.
     *
     * `order=asc` reverses it.
     *
     * Needs the scope `subscribers:read`.
     */
    timeline(
      subscriberId: string,
      query?: SubscribersTimelineQuery,
      options?: CallOptions,
    ): List<TimelineItem>;
    /**
     * List the events of a subscriber. Lists a subscriber's events by sequence, oldest first.
     *
     * A receiver that sees a gap in `sequence` reads the missing events here.
     *
     * Needs the scope `events:read`.
     */
    listEvents(
      subscriberId: string,
      query?: SubscribersListEventsQuery,
      options?: CallOptions,
    ): List<ServiceEvent>;
  };
  readonly subscriptions: {
    /**
     * Create a subscription. Starts a subscription.
     *
     * It begins with a trial, or becomes active when its first charge succeeds. If the charge is declined, nothing is created.
     *
     * **In a live environment this service charges nobody: your payment provider does.** The subscription is active at once, its first payment is `pending`, and the event `payment.due` asks you to collect `payment.amount`. A webhook may arrive twice, so charge under an idempotency key of your provider such as `<payment.id>_<payment.attempt_count>`. Then report the outcome with `POST /v1/payments/{paymentId}/attempts`. A second report of the same outcome with the same `provider_ref` changes nothing. If nobody has paid by `grace_ends_at`, the subscription lapses.
     *
     * **To start, and charge, only once, send an `Idempotency-Key`.** A repeat with the same key within 24 hours gets the first response, also a 402, and starts nothing; after a 402 try again with a new key. A repeat without it, or with another key, starts a second subscription with a second payment, unless both have the same `external_id`: then it is refused with 409 `external_id_in_use`.
     *
     * Needs the scope `subscriptions:write`.
     *
     * Refused with `payment_failed` (402), `external_id_in_use` (409), `subscriber_erased` (409).
     */
    create(body: CreateSubscriptionBody, options?: CallOptions): Promise<Subscription>;
    /**
     * List subscriptions. Lists subscriptions, newest first.
     *
     * Needs the scope `subscriptions:read`.
     */
    list(query?: SubscriptionsListQuery, options?: CallOptions): List<Subscription>;
    /**
     * Get a subscription. Shows a subscription as it is now, or as it was at a moment in the past.
     *
     * | Request | Status | Effect |
     * |---|---|---|
     * | `POST …/pause`, `effective: immediately` | trialing | → paused, the rest of the trial is frozen |
     * | `POST …/pause`, `effective: immediately` | active | → paused, the rest of the period is frozen |
     * | `POST …/pause`, `effective: immediately` | paused | no change |
     * | `POST …/pause`, `effective: period_end` | trialing | scheduled for the end of the trial |
     * | `POST …/pause`, `effective: period_end` | active | scheduled for the end of the period |
     * | `POST …/pause`, `effective: period_end` | paused | no change |
     * | `POST …/resume` | trialing | removes a scheduled pause, else 409 |
     * | `POST …/resume` | active | removes a scheduled pause, else 409 |
     * | `POST …/resume` | paused | → trialing or active with the frozen time; with none left a new period is charged; if that is declined, it stays paused |
     * | `POST …/cancel`, `effective: immediately` | trialing | → cancelled |
     * | `POST …/cancel`, `effective: immediately` | active | → cancelled |
     * | `POST …/cancel`, `effective: immediately` | paused | → cancelled |
     * | `POST …/cancel`, `effective: immediately` | cancelled | no change |
     * | `POST …/cancel`, `effective: immediately` | lapsed | → cancelled |
     * | `POST …/cancel`, `effective: period_end` | trialing | cancel_at = trial_end; past due: → cancelled at once |
     * | `POST …/cancel`, `effective: period_end` | active | cancel_at = current_period_end |
     * | `POST …/cancel`, `effective: period_end` | paused | → cancelled at once |
     * | `POST …/uncancel` | trialing | removes cancel_at |
     * | `POST …/uncancel` | active | removes cancel_at |
     * | `POST …/plan` | trialing | plan only, no money |
     * | `POST …/plan` | active | prorated; while past due only without proration (`none`) |
     * | `POST …/plan` | paused | only without proration (`none`), else 409 |
     * | the offer `trial_extension` of a motion | trialing | trial_end moves |
     * | `POST …/reactivate` | cancelled | → active with a new period; if the charge is declined, it stays lapsed |
     * | `POST …/reactivate` | lapsed | → active: pays the open amount while its period lasts, else a new period; a decline stays |
     *
     * In every other status the request is refused with 409 `invalid_state_transition`.
     *
     * | Timer | While | Effect |
     * |---|---|---|
     * | trial_will_end | trialing | 3 days before the end of a trial of at least 4 days: `subscription.trial_will_end` |
     * | renewal_upcoming | active | 7 days before the renewal of a longer period: `subscription.renewal_upcoming` |
     * | method_expiring | trialing, active, paused | 30 days before the payment method expires: `payment.method_expiring` |
     * | cancel | trialing, active, paused | cancel_at: → cancelled |
     * | grace_end | trialing, active, paused | an amount is still unpaid at grace_ends_at: → lapsed |
     * | pause | trialing, active | a scheduled pause: → paused with no time left |
     * | resume | paused | resumes_at: as `POST …/resume`, but if the charge is declined: → active and past due |
     * | retry | trialing, active, paused | the next attempt of an unpaid payment |
     * | trial_end | trialing | with a payment method: charge → active; if it is declined, trialing and past due; without: what the tenant set as trial_end_behavior |
     * | renew | active | current_period_end: charge; the period advances even if the charge fails |
     *
     * Needs the scope `subscriptions:read`.
     */
    get(
      subscriptionId: string,
      query?: SubscriptionsGetQuery,
      options?: CallOptions,
    ): Promise<Subscription>;
    /**
     * Pause a subscription. Pauses at the period's end, or at once.
     *
     * An immediate pause freezes the remaining time; resuming continues with it.
     *
     * Needs the scope `subscriptions:write`.
     *
     * Refused with `invalid_state_transition` (409), `payment_past_due` (409), `subscriber_erased` (409).
     */
    pause(subscriptionId: string, body?: PauseBody, options?: CallOptions): Promise<Subscription>;
    /**
     * Resume a subscription. Resumes a paused subscription.
     *
     * If the pause is only scheduled, the schedule is removed. If no frozen time is left, a new period is charged; a trial then becomes active (`subscription.activated`).
     *
     * Needs the scope `subscriptions:write`.
     *
     * Refused with `payment_failed` (402), `payment_past_due` (409), `invalid_state_transition` (409), `subscriber_erased` (409).
     */
    resume(subscriptionId: string, body?: ResumeBody, options?: CallOptions): Promise<Subscription>;
    /**
     * Cancel a subscription. Cancels at the period's end, or at once.
     *
     * A paused subscription ends at once, whatever `effective` says, because no period runs. `uncancel` undoes a scheduled cancellation. Proration lines that wait for the next renewal are not charged; if they are a surplus of the subscriber, it becomes a credit.
     *
     * Needs the scope `subscriptions:write`.
     *
     * Refused with `invalid_state_transition` (409), `subscriber_erased` (409).
     */
    cancel(subscriptionId: string, body?: CancelBody, options?: CallOptions): Promise<Subscription>;
    /**
     * Undo a scheduled cancellation. Removes a scheduled cancellation.
     *
     * Needs the scope `subscriptions:write`.
     *
     * Refused with `invalid_state_transition` (409), `subscriber_erased` (409).
     */
    uncancel(subscriptionId: string, options?: CallOptions): Promise<Subscription>;
    /**
     * Reactivate a subscription. Makes a cancelled or lapsed subscription active again.
     *
     * A lapsed subscription whose unpaid period still runs is charged the open amount and continues that period, on its latest plan. In every other case a new period begins. A cancellation or pause that was scheduled earlier is removed.
     *
     * Needs the scope `subscriptions:write`.
     *
     * Refused with `payment_failed` (402), `invalid_state_transition` (409), `subscriber_erased` (409).
     */
    reactivate(subscriptionId: string, options?: CallOptions): Promise<Subscription>;
    /**
     * Change the plan of a subscription. Changes the plan now.
     *
     * Unused time is prorated to the second. A new period begins if the interval changes, or if a free plan changes to a paid one. Time that is not paid yet gives no credit: while the period is unpaid, a change that would give one is refused. A change that is charged at once (`always_invoice`, a new period, or to a free plan) also charges the lines of earlier changes that wait for the next renewal; they come first in `lines`.
     *
     * Needs the scope `subscriptions:write`.
     *
     * Refused with `payment_failed` (402), `invalid_state_transition` (409), `payment_past_due` (409), `currency_mismatch` (422), `subscriber_erased` (409).
     */
    changePlan(
      subscriptionId: string,
      body: ChangePlanBody,
      options?: CallOptions,
    ): Promise<Subscription>;
    /**
     * Preview a plan change. Shows what a plan change would cost.
     *
     * To get the same amounts, pass its `proration_date` to the change within 15 minutes.
     *
     * Needs the scope `subscriptions:read`.
     *
     * Refused with `invalid_state_transition` (409), `payment_past_due` (409), `currency_mismatch` (422), `subscriber_erased` (409).
     */
    previewPlanChange(
      subscriptionId: string,
      body: ChangePlanBody,
      options?: CallOptions,
    ): Promise<PlanPreview>;
    /**
     * Set the payment method of a subscription. Replaces the payment method.
     *
     * If the subscription is past due, the open payment is tried at once.
     *
     * Needs the scope `subscriptions:write`.
     *
     * Refused with `invalid_state_transition` (409), `subscriber_erased` (409).
     */
    setPaymentMethod(
      subscriptionId: string,
      body: PaymentMethodBody,
      options?: CallOptions,
    ): Promise<Subscription>;
  };
  readonly testClocks: {
    /**
     * Create a test clock. Creates a test clock.
     *
     * Subscribers created with it live in its time, which stands still until it is advanced. Events that are dated later than the real time cannot be replayed yet.
     *
     * Needs a test key with the scope `test_helpers:write`.
     *
     * Refused with `quota_exceeded` (422).
     */
    create(body: CreateClockBody, options?: CallOptions): Promise<TestClock>;
    /**
     * List test clocks. Lists the test clocks, newest first. Deleted clocks are not in the list.
     *
     * Needs a test key with the scope `test_helpers:write`.
     */
    list(query?: TestClocksListQuery, options?: CallOptions): List<TestClock>;
    /**
     * Get a test clock. Shows a test clock.
     *
     * Needs a test key with the scope `test_helpers:write`.
     */
    get(clockId: string, options?: CallOptions): Promise<TestClock>;
    /**
     * Delete a test clock. Deletes a test clock and its subscribers with all their objects.
     *
     * Their subscriptions are cancelled and their personal data is erased. Afterwards the subscribers and their subscriptions, payments, refunds, credits, tickets and motion runs answer 404 and are in no list. Only their events stay, without personal data.
     *
     * Needs a test key with the scope `test_helpers:write`.
     */
    delete(clockId: string, options?: CallOptions): Promise<TestClock>;
    /**
     * Advance a test clock. Moves a test clock forward.
     *
     * The response comes at once, with the status `advancing`. The status becomes `ready` when everything that was due has happened. If it becomes `internal_failure`, advance the clock again.
     *
     * Needs a test key with the scope `test_helpers:write`.
     *
     * Refused with `invalid_state_transition` (409).
     */
    advance(clockId: string, body: AdvanceClockBody, options?: CallOptions): Promise<TestClock>;
  };
  readonly testHelpers: {
    /**
     * List e-mails of the test environment. Lists the e-mails of the test environment, newest first.
     *
     * E-mails of a test environment are stored here instead of being sent.
     *
     * Needs a test key with the scopes `test_helpers:write` and `pii:read`.
     */
    listOutbox(query?: TestHelpersListOutboxQuery, options?: CallOptions): List<OutboxMessage>;
    /**
     * Create many test subscribers. Creates many subscribers in a test environment.
     *
     * This is an import whose events are not delivered.
     *
     * Needs a test key with the scope `test_helpers:write`.
     *
     * Refused with `daily_quota_exceeded` (429).
     */
    seed(body: SeedBody, options?: CallOptions): Promise<Import>;
    /**
     * Create a test event. Makes an event of any type with fixture data.
     *
     * It is stored and delivered like any other event, and changes the state of its subscriber. With `subscriber_id` the subscriber gets this one event; `subscriber.erased` erases it like `DELETE /subscribers/{id}`. Without it a new subscriber is created, and the events that must come earlier are added first: `subscription.activated` before `subscription.cancelled`, `ticket.submitted` before `ticket.resolved`. `subscriber.created` always needs a new subscriber. The plans `fixture` and `fixture_plus`, and a motion and a cohort named `Fixture`, are created when an event first refers to them. A payment that only appears as an id in an event of another family cannot be read as a resource.
     *
     * Needs a test key with the scope `test_helpers:write`.
     *
     * Refused with `subscriber_erased` (409).
     */
    createEvent(body: EmitEventBody, options?: CallOptions): Promise<ServiceEvent>;
    /**
     * Play a test scenario. Plays an ordered set of events on a new subscriber.
     *
     * The last event happens now; earlier events have times in the past. The subscription has the plan `fixture` (USD 20.00 a month) and always 14 days of grace. `event_types` lists the events of the scenario; the events before it (`subscriber.created`, a first paid period) are among the events of the subscriber. `trial_convert`: a trial of 14 days ends, is paid and becomes an active subscription. `dunning_recovered`: a renewal failed 3 days ago, and a retry succeeds now. `dunning_lost`: a renewal failed 14 days ago, six retries failed, and the subscription lapses now. `cancel_save`: a cancellation is scheduled, the motion named `Fixture` is triggered, presented and accepted, the cancellation is undone and the discount is applied.
     *
     * Needs a test key with the scope `test_helpers:write`.
     */
    playScenario(name: string, options?: CallOptions): Promise<Scenario>;
  };
  readonly tickets: {
    /**
     * Create a ticket. Submits a ticket for a subscriber.
     *
     * Destinations receive `ticket.submitted`.
     *
     * Needs the scope `tickets:write`.
     *
     * Refused with `invalid_state_transition` (409), `subscriber_erased` (409).
     */
    create(body: SubmitTicketBody, options?: CallOptions): Promise<Ticket>;
    /**
     * List tickets. Lists tickets, newest first.
     *
     * Needs the scope `tickets:read`.
     */
    list(query?: TicketsListQuery, options?: CallOptions): List<Ticket>;
    /**
     * Get a ticket. Shows a ticket.
     *
     * Needs the scope `tickets:read`.
     */
    get(ticketId: string, options?: CallOptions): Promise<Ticket>;
    /**
     * Update a ticket. Changes topic, subject and priority while the ticket is not closed.
     *
     * Needs the scope `tickets:write`.
     *
     * Refused with `ticket_closed` (409), `subscriber_erased` (409).
     */
    update(ticketId: string, body?: AmendTicketBody, options?: CallOptions): Promise<Ticket>;
    /**
     * Resolve a ticket. Resolves a ticket.
     *
     * It closes by itself after the tenant’s `ticket_auto_close_hours`.
     *
     * Needs the scope `tickets:write`.
     *
     * Refused with `ticket_closed` (409), `subscriber_erased` (409).
     */
    resolve(ticketId: string, body?: ResolveTicketBody, options?: CallOptions): Promise<Ticket>;
    /**
     * Reopen a ticket. Opens a resolved ticket again.
     *
     * The resolution note stays.
     *
     * Needs the scope `tickets:write`.
     *
     * Refused with `ticket_closed` (409), `subscriber_erased` (409).
     */
    reopen(ticketId: string, options?: CallOptions): Promise<Ticket>;
    /**
     * Close a ticket. Closes a ticket for good.
     *
     * To continue, create a new ticket with `follow_up_of`.
     *
     * Needs the scope `tickets:write`.
     *
     * Refused with `ticket_closed` (409), `subscriber_erased` (409).
     */
    close(ticketId: string, options?: CallOptions): Promise<Ticket>;
  };
}
