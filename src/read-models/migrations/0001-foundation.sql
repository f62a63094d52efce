-- Read models: every table here is a projection of the log and can be dropped and rebuilt.
-- `scope` is `<tenant>.<environment>`; ids compare byte by byte, so id columns are collated "C".
create schema read_model;

-- The position of the projector, written in the same transaction as the rows.
create table service.checkpoints (
  name text primary key,
  commit_position bigint not null,
  prepare_position bigint not null,
  -- False while the read models are being built from an empty state and so are incomplete.
  complete boolean not null default false,
  owner text,
  seen_at timestamptz not null
);

-- Idempotency-Keys and their answers, kept for 24 hours (D-82). This is short-lived data and not a
-- projection.
create table service.idempotency (
  scope text collate "C" not null,
  key text collate "C" not null,
  fingerprint text not null,
  accepted_at timestamptz not null,
  locked_until timestamptz,
  status integer,
  response text,
  primary key (scope, key)
);
create index idempotency_accepted_at on service.idempotency (accepted_at);

-- Rebuilds of projections that the operator requested.
create table service.rebuilds (
  id text primary key,
  projections jsonb not null,
  status text not null,
  events_projected bigint not null default 0,
  position bigint not null default -1,
  target_position bigint not null default -1,
  failure_reason text,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz
);

create table read_model.events (
  scope text collate "C" not null,
  id text collate "C" not null,
  created_at timestamptz not null,
  type text collate "C" not null,
  subscriber_id text collate "C" not null,
  subscription_id text collate "C",
  sequence integer not null,
  position bigint not null,
  data json not null,
  metadata json not null,
  primary key (scope, id)
);
create index events_newest on read_model.events (scope, created_at desc, id desc);
create index events_type on read_model.events (scope, type, created_at desc, id desc);
create index events_subscriber on read_model.events (scope, subscriber_id, created_at desc, id desc);
create index events_subscription on read_model.events (scope, subscription_id, created_at desc, id desc)
  where subscription_id is not null;

create table read_model.subscribers (
  scope text collate "C" not null,
  id text collate "C" not null,
  created_at timestamptz not null,
  activated_at timestamptz,
  erased_at timestamptz,
  external_id text,
  sequence integer not null,
  tags jsonb not null default '[]',
  metadata jsonb not null default '{}',
  sealed text,
  primary_subscription_id text collate "C",
  status text collate "C",
  total_paid bigint not null default 0,
  paid_currency text,
  totals_by_currency jsonb not null default '{}',
  last_payment_at timestamptz,
  primary key (scope, id)
);
create index subscribers_newest on read_model.subscribers (scope, created_at desc, id desc);
create index subscribers_status on read_model.subscribers (scope, status, created_at desc, id desc);

create table read_model.subscriptions (
  scope text collate "C" not null,
  id text collate "C" not null,
  subscriber_id text collate "C" not null,
  created_at timestamptz not null,
  status text collate "C" not null,
  plan text collate "C" not null,
  resource json not null,
  primary key (scope, id)
);
create index subscriptions_newest on read_model.subscriptions (scope, created_at desc, id desc);
create index subscriptions_subscriber on read_model.subscriptions (scope, subscriber_id);

create table read_model.tickets (
  scope text collate "C" not null,
  id text collate "C" not null,
  subscriber_id text collate "C" not null,
  created_at timestamptz not null,
  status text collate "C" not null,
  topic text collate "C" not null,
  priority text collate "C" not null,
  source text collate "C" not null,
  ticket json not null,
  sealed text,
  primary key (scope, id)
);
create index tickets_newest on read_model.tickets (scope, created_at desc, id desc);

create table read_model.plans (
  scope text collate "C" not null,
  id text collate "C" not null,
  created_at timestamptz not null,
  resource json not null,
  primary key (scope, id)
);
create index plans_newest on read_model.plans (scope, created_at desc, id desc);

-- One row for each delivery that has had an attempt or waits for one. The outcomes come from the
-- journal.
create table read_model.deliveries (
  destination_id text collate "C" not null,
  event_id text collate "C" not null,
  scope text collate "C" not null,
  event_type text collate "C" not null,
  subscriber_id text collate "C" not null,
  sequence integer not null,
  category_revision bigint not null,
  created_at timestamptz not null,
  status text collate "C" not null,
  attempt_count integer not null,
  last_attempt_at timestamptz,
  last_status_code integer,
  last_error text,
  next_attempt_at timestamptz,
  delivered_at timestamptz,
  replay_id text,
  primary key (destination_id, event_id)
);
create index deliveries_newest on read_model.deliveries (destination_id, created_at desc, event_id desc);
create index deliveries_pending on read_model.deliveries (destination_id, next_attempt_at)
  where status = 'pending';
create index deliveries_revision on read_model.deliveries (destination_id, category_revision desc);
create index deliveries_event on read_model.deliveries (event_id);

create table read_model.delivery_attempts (
  destination_id text collate "C" not null,
  event_id text collate "C" not null,
  attempt_id text collate "C" not null,
  attempt integer not null,
  at timestamptz not null,
  duration_ms integer not null,
  status_code integer,
  error text,
  response_body text,
  replay_id text,
  primary key (destination_id, event_id, attempt_id)
);
