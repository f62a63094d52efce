-- The delivery log also contains replays and manual retries.
alter table read_model.deliveries
  -- Time of the first live attempt. A later rendering never shows more than this one.
  add column first_sent_at timestamptz,
  -- Time of a request for a manual attempt that has not been made yet.
  add column retry_requested_at timestamptz,
  -- A row that begins with a replay has no live attempt and no schedule.
  alter column status set default 'failed',
  alter column attempt_count set default 0,
  alter column category_revision set default -1;

create index deliveries_requested on read_model.deliveries (destination_id)
  where retry_requested_at is not null;
-- Index for the retention of 30 days. It is small, because rows are added in this order.
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
