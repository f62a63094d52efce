-- Operational events whose alert waits for another attempt. A row is deleted when no recipient
-- remains.
create table read_model.deferred_alerts (
  event_id text collate "C" not null,
  -- Position of the event: its category, stream and revision.
  category text collate "C" not null,
  stream text collate "C" not null,
  revision bigint not null,
  next_attempt_at timestamptz not null,
  primary key (event_id)
);
create index deferred_alerts_due on read_model.deferred_alerts (category, next_attempt_at);
