-- Events that no row can hold: the read models leave them out. For the operator to look at.
create table service.unprojected_events (
  id text collate "C" primary key,
  created_at timestamptz not null,
  type text collate "C" not null,
  stream text collate "C" not null,
  position bigint not null,
  error text not null,
  seen_at timestamptz not null default now()
);
create index unprojected_events_newest on service.unprojected_events (created_at desc, id desc);
