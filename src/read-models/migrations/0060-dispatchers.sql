-- Which processes deliver. Not a projection: short-lived by nature.
create table service.dispatchers (
  instance_id text collate "C" primary key,
  seen_at timestamptz not null
);
