-- Replay jobs. The columns of a job come from several events, so all but the key may be missing.
create table read_model.replays (
  id text collate "C" primary key,
  scope text collate "C",
  created_at timestamptz,
  destination_id text collate "C",
  status text collate "C",
  request json,
  started_at timestamptz,
  finished_at timestamptz,
  failure_reason text,
  events_matched bigint,
  events_delivered bigint not null default 0,
  events_failed bigint not null default 0,
  events_skipped bigint not null default 0,
  progressed_at timestamptz
);
create index replays_newest on read_model.replays (scope, created_at desc, id desc);
create index replays_destination on read_model.replays (destination_id, created_at desc);
create index replays_unfinished on read_model.replays (created_at)
  where status in ('queued', 'in_progress');

-- Events that a replay could not deliver, in the order of the list; `id` is the event's id.
create table read_model.replay_failures (
  scope text collate "C" not null,
  replay_id text collate "C" not null,
  id text collate "C" not null,
  created_at timestamptz not null,
  event_type text collate "C" not null,
  attempts integer not null,
  last_status_code integer,
  last_error text,
  last_attempt_at timestamptz not null,
  primary key (replay_id, id)
);
create index replay_failures_newest
  on read_model.replay_failures (scope, replay_id, created_at desc, id desc);

-- Leases of replay jobs by processes. This is short-lived data and not a projection.
create table service.replay_leases (
  replay_id text collate "C" primary key,
  owner text not null,
  seen_at timestamptz not null
);

-- Index by which the events of a replay's window are counted.
drop index read_model.events_newest;
create index events_newest on read_model.events (scope, created_at desc, id desc)
  include (position, type, subscriber_id);
