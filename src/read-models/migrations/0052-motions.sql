-- One row for each motion run. Its personal data stays sealed.
create table read_model.motion_runs (
  scope text collate "C" not null,
  id text collate "C" not null,
  motion_id text collate "C" not null,
  subscriber_id text collate "C" not null,
  created_at timestamptz not null,
  status text collate "C" not null,
  presented_at timestamptz,
  accepted_at timestamptz,
  run json not null,
  sealed text,
  primary key (scope, id)
);
create index motion_runs_newest on read_model.motion_runs (motion_id, created_at desc, id desc);
create index motion_runs_subscriber on read_model.motion_runs (subscriber_id);
