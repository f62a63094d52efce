-- The processes that deliver. This is short-lived data and not a projection.
create table service.dispatchers (
  instance_id text collate "C" primary key,
  seen_at timestamptz not null
);
