-- Views for analysts who speak SQL: stable names and columns over the read models, in a schema of
-- their own. Nothing personal is in them: e-mail addresses and free text are sealed in the tables
-- below and stay there. Every view has tenant_id and environment; money is in minor units.
-- Defined anew at each start and after each rebuild, so columns may be added here at will.
create schema if not exists analytics;

drop view if exists analytics.subscribers;
create view analytics.subscribers as
select split_part(scope, '.', 1) as tenant_id, split_part(scope, '.', 2) as environment,
  id, created_at, activated_at, erased_at, external_id, tags, engagement_score,
  primary_subscription_id, status, total_paid, paid_currency, totals_by_currency, last_payment_at,
  scope
from read_model.subscribers;

drop view if exists analytics.subscriptions;
create view analytics.subscriptions as
select split_part(scope, '.', 1) as tenant_id, split_part(scope, '.', 2) as environment,
  id, created_at, subscriber_id, status, plan,
  (resource->>'current_period_start')::timestamptz as current_period_start,
  (resource->>'current_period_end')::timestamptz as current_period_end,
  (resource->>'trial_end')::timestamptz as trial_end,
  (resource->>'cancelled_at')::timestamptz as cancelled_at,
  (resource->>'lapsed_at')::timestamptz as lapsed_at,
  resource->>'payment_state' as payment_state,
  resource->'cancellation'->>'reason' as end_reason,
  resource->'cancellation'->>'feedback' as end_feedback,
  scope
from read_model.subscriptions;

drop view if exists analytics.tickets;
create view analytics.tickets as
select split_part(scope, '.', 1) as tenant_id, split_part(scope, '.', 2) as environment,
  id, created_at, subscriber_id, status, topic, priority, source,
  (ticket->>'resolved_at')::timestamptz as resolved_at, scope
from read_model.tickets;

-- Every event without its data.
drop view if exists analytics.events;
create view analytics.events as
select split_part(scope, '.', 1) as tenant_id, split_part(scope, '.', 2) as environment,
  id, created_at, type, subscriber_id, subscription_id, sequence, scope
from read_model.events;

-- One row for each obligation, as it is now; a payment that failed at first has its recovery.
drop view if exists analytics.payments;
create view analytics.payments as
select split_part(scope, '.', 1) as tenant_id, split_part(scope, '.', 2) as environment,
  id, created_at, subscriber_id, subscription_id, status,
  resource->>'reason' as reason,
  (resource->>'amount')::bigint as amount,
  (resource->>'credit_applied')::bigint as credit_applied,
  (resource->>'amount_refunded')::bigint as amount_refunded,
  resource->>'currency' as currency,
  (resource->>'attempt_count')::integer as attempt_count,
  (resource->>'period_start')::timestamptz as period_start,
  (resource->>'period_end')::timestamptz as period_end,
  (resource->>'succeeded_at')::timestamptz as succeeded_at,
  (resource->>'next_attempt_at')::timestamptz as next_attempt_at,
  resource->'failure'->>'code' as failure_code,
  resource->'failure'->>'decline_type' as decline_type,
  resource->'payment_method'->>'type' as method_type,
  resource->'recovery'->>'outcome' as recovery_outcome,
  resource->'recovery'->>'source' as recovery_source,
  resource->'recovery'->>'motion_id' as recovery_motion_id,
  (resource->'recovery'->>'first_failed_at')::timestamptz as first_failed_at,
  (resource->'recovery'->>'recovered_at')::timestamptz as recovered_at,
  scope
from read_model.payments;

-- Every attempt to collect, and what was given back.
drop view if exists analytics.payment_events;
create view analytics.payment_events as
select split_part(scope, '.', 1) as tenant_id, split_part(scope, '.', 2) as environment,
  id, created_at, type, subscriber_id, subscription_id,
  coalesce(data->'payment'->>'id', data->'refund'->>'payment_id') as payment_id,
  coalesce(data->'refund'->>'amount', data->'payment'->>'amount')::bigint as amount,
  coalesce(data->'refund'->>'currency', data->'payment'->>'currency') as currency,
  data->'payment'->>'reason' as reason,
  data->'failure'->>'code' as failure_code,
  scope
from read_model.events
where type in ('payment.succeeded', 'payment.failed', 'payment.refunded');

drop view if exists analytics.cohort_members;
create view analytics.cohort_members as
select split_part(scope, '.', 1) as tenant_id, split_part(scope, '.', 2) as environment,
  cohort_id || ' ' || subscriber_id as id, entered_at as created_at, cohort_id, subscriber_id, scope
from read_model.cohort_members;

drop view if exists analytics.motion_runs;
create view analytics.motion_runs as
select split_part(scope, '.', 1) as tenant_id, split_part(scope, '.', 2) as environment,
  id, created_at, motion_id, subscriber_id, status, presented_at, accepted_at,
  run->'offer'->>'type' as offer_type, run->>'cohort_id' as cohort_id, scope
from read_model.motion_runs;

-- What the metrics are made of: additions by day. A gauge (mrr, active, …) is the sum of all days.
drop view if exists analytics.daily_counts;
create view analytics.daily_counts as
select split_part(scope, '.', 1) as tenant_id, split_part(scope, '.', 2) as environment,
  series || ' ' || day || ' ' || currency || ' ' || part as id,
  day::timestamp at time zone 'UTC' as created_at, series, day, currency, part, value, scope
from read_model.metric_days;

-- Durations of a day: the first bin in use, its count, and those of the bins that follow.
drop view if exists analytics.daily_durations;
create view analytics.daily_durations as
select split_part(scope, '.', 1) as tenant_id, split_part(scope, '.', 2) as environment,
  series || ' ' || day || ' ' || part as id,
  day::timestamp at time zone 'UTC' as created_at, series, day, part, bins, scope
from read_model.metric_histograms;
