-- When the event store was last asked to remove what erasures left behind, over all processes.
create table service.store_scavenges (
  only_row boolean primary key default true check (only_row),
  last_erasure_at timestamptz,
  scavenged_at timestamptz,
  claimed_until timestamptz
);
