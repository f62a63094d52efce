-- The fields that cohort definitions use: one row for each subscriber.
create table read_model.cohort_subjects (
  scope text collate "C" not null,
  subscriber_id text collate "C" not null,
  created_at timestamptz not null,
  status text collate "C",
  plan text collate "C",
  tags text[] not null default '{}',
  engagement_score double precision,
  erased boolean not null default false,
  -- Test clock of the subscriber; null if real time counts.
  test_clock text collate "C",
  -- Log position of the last event that may have changed a membership.
  changed_position bigint not null,
  primary key (scope, subscriber_id)
);
create index cohort_subjects_changed on read_model.cohort_subjects (changed_position);
create index cohort_subjects_clock on read_model.cohort_subjects (test_clock) where test_clock is not null;
create index cohort_subjects_created on read_model.cohort_subjects (scope, created_at);

create table read_model.cohort_members (
  cohort_id text collate "C" not null,
  subscriber_id text collate "C" not null,
  scope text collate "C" not null,
  entered_at timestamptz not null,
  primary key (cohort_id, subscriber_id)
);
create index cohort_members_subscriber on read_model.cohort_members (subscriber_id, cohort_id);
create index cohort_members_newest on read_model.cohort_members (cohort_id, entered_at desc, subscriber_id desc);

create table read_model.cohort_counts (
  cohort_id text collate "C" not null,
  members bigint not null,
  primary key (cohort_id)
);

-- Progress of evaluating memberships. This is not a projection: if it is lost, everything is
-- evaluated again, and existing memberships are not stored twice.
create table service.cohort_evaluations (
  cohort_id text primary key,
  definition_version integer not null,
  -- Instant up to which tenure boundaries are checked.
  checked_until timestamptz not null
);
create table service.watermarks (
  name text primary key,
  position bigint not null
);
