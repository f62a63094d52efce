-- Views for analysts: stable names and columns over the read models, in a schema of their own. They
-- contain nothing personal: e-mail addresses and free text are sealed in the tables and not shown.
-- Every view has tenant_id and environment; money is in minor units. The views are replaced at a
-- start if this file has changed, and defined again after a rebuild. New columns must be added at
-- the end of a view, because only then it can be replaced while it is being read.
create schema if not exists analytics;

-- The tenant that the current role may see; null = every tenant. An analyst who has removed the
-- limits of the role (read-only access, time limits) gets an error.
create or replace function analytics.sight() returns text
language plpgsql stable security definer set search_path = pg_catalog as $$
declare mine record;
begin
  select * into mine from service.analysts where role = session_user;
  if not found then return null; end if;
  if current_setting('transaction_read_only') <> 'on' then
    raise insufficient_privilege using message = 'analysts read only: default_transaction_read_only must be on';
  end if;
  if (select setting from pg_settings where name = 'statement_timeout')::bigint
      not between 1 and 60000
    or (select setting from pg_settings where name = 'idle_in_transaction_session_timeout')::bigint
      not between 1 and 60000 then
    raise insufficient_privilege using message =
      'analysts have time limits: statement_timeout and idle_in_transaction_session_timeout must be 1 to 60000 ms';
  end if;
  return mine.tenant_id;
end $$;

create or replace function analytics.shows(scope text, tenant_id text) returns boolean
language sql immutable as $$ select tenant_id is null or split_part(scope, '.', 1) = tenant_id $$;

create or replace view analytics.subscribers with (security_barrier) as
select split_part(scope, '.', 1) as tenant_id, split_part(scope, '.', 2) as environment,
  id, created_at, activated_at, erased_at, external_id, tags, engagement_score,
  primary_subscription_id, status, total_paid, paid_currency, totals_by_currency, last_payment_at,
  scope
from read_model.subscribers
where analytics.shows(scope, (select analytics.sight()));

create or replace view analytics.subscriptions with (security_barrier) as
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
from read_model.subscriptions
where analytics.shows(scope, (select analytics.sight()));

create or replace view analytics.tickets with (security_barrier) as
select split_part(scope, '.', 1) as tenant_id, split_part(scope, '.', 2) as environment,
  id, created_at, subscriber_id, status, topic, priority, source,
  (ticket->>'resolved_at')::timestamptz as resolved_at, scope
from read_model.tickets
where analytics.shows(scope, (select analytics.sight()));

-- Every event without its data.
create or replace view analytics.events with (security_barrier) as
select split_part(scope, '.', 1) as tenant_id, split_part(scope, '.', 2) as environment,
  id, created_at, type, subscriber_id, subscription_id, sequence, scope
from read_model.events
where analytics.shows(scope, (select analytics.sight()));

-- One row for each obligation, as it is now; a payment that failed at first has its recovery.
create or replace view analytics.payments with (security_barrier) as
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
from read_model.payments
where analytics.shows(scope, (select analytics.sight()));

-- Every attempt to collect, and what was given back.
create or replace view analytics.payment_events with (security_barrier) as
select split_part(scope, '.', 1) as tenant_id, split_part(scope, '.', 2) as environment,
  id, created_at, type, subscriber_id, subscription_id,
  coalesce(data->'payment'->>'id', data->'refund'->>'payment_id') as payment_id,
  coalesce(data->'refund'->>'amount', data->'payment'->>'amount')::bigint as amount,
  coalesce(data->'refund'->>'currency', data->'payment'->>'currency') as currency,
  data->'payment'->>'reason' as reason,
  data->'failure'->>'code' as failure_code,
  scope
from read_model.events
where type in ('payment.succeeded', 'payment.failed', 'payment.refunded')
  and analytics.shows(scope, (select analytics.sight()));

create or replace view analytics.cohort_members with (security_barrier) as
select split_part(scope, '.', 1) as tenant_id, split_part(scope, '.', 2) as environment,
  cohort_id || ' ' || subscriber_id as id, entered_at as created_at, cohort_id, subscriber_id, scope
from read_model.cohort_members
where analytics.shows(scope, (select analytics.sight()));

create or replace view analytics.motion_runs with (security_barrier) as
select split_part(scope, '.', 1) as tenant_id, split_part(scope, '.', 2) as environment,
  id, created_at, motion_id, subscriber_id, status, presented_at, accepted_at,
  run->'offer'->>'type' as offer_type, run->>'cohort_id' as cohort_id, scope
from read_model.motion_runs
where analytics.shows(scope, (select analytics.sight()));

-- The source of the metrics: changes by day. A gauge (mrr, active, …) is the sum of all days.
create or replace view analytics.daily_counts with (security_barrier) as
select split_part(scope, '.', 1) as tenant_id, split_part(scope, '.', 2) as environment,
  series || ' ' || day || ' ' || currency || ' ' || part as id,
  day::timestamp at time zone 'UTC' as created_at, series, day, currency, part, value, scope
from read_model.metric_days
where analytics.shows(scope, (select analytics.sight()));

-- Durations of a day as a histogram: the first used bin, its count, and the counts of the bins that
-- follow.
create or replace view analytics.daily_durations with (security_barrier) as
select split_part(scope, '.', 1) as tenant_id, split_part(scope, '.', 2) as environment,
  series || ' ' || day || ' ' || part as id,
  day::timestamp at time zone 'UTC' as created_at, series, day, part, bins, scope
from read_model.metric_histograms
where analytics.shows(scope, (select analytics.sight()));
