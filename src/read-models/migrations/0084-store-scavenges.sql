-- Time at which any process last started a scavenge of the event store, which removes the remains
-- of erasures.
create table service.store_scavenges (
  only_row boolean primary key default true check (only_row),
  last_erasure_at timestamptz,
  scavenged_at timestamptz,
  claimed_until timestamptz
);
