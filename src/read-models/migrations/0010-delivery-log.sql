-- Delivery log: replays and manual retries beside the live attempts.
alter table read_model.deliveries
  -- The first live attempt: what was shown then is not shown more freely later.
  add column first_sent_at timestamptz,
  -- Somebody asked for an attempt now, and it has not been made yet.
  add column retry_requested_at timestamptz,
  -- A row that begins with a replay has no live attempt and no schedule.
  alter column status set default 'failed',
  alter column attempt_count set default 0,
  alter column category_revision set default -1;

create index deliveries_requested on read_model.deliveries (destination_id)
  where retry_requested_at is not null;
-- What the 30 days' retention looks for; small, because rows come in this order.
create index deliveries_age on read_model.deliveries using brin (created_at);
create index delivery_attempts_age on read_model.delivery_attempts using brin (at);

create table read_model.operational_events (
  scope text collate "C" not null,
  id text collate "C" not null,
  created_at timestamptz not null,
  type text collate "C" not null,
  data json not null,
  primary key (scope, id)
);
create index operational_events_newest on read_model.operational_events (scope, created_at desc, id desc);
