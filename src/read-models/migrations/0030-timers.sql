-- The next timer of each subscriber that has one.
create table read_model.timers (
  scope text collate "C" not null,
  subscriber_id text collate "C" not null,
  due_at timestamptz not null,
  test_clock text collate "C",
  -- End of the lease of the process that wakes the subscriber. The next event of the subscriber
  -- ends it too.
  leased_until timestamptz,
  primary key (scope, subscriber_id)
);
create index timers_due on read_model.timers (due_at) where test_clock is null;
create index timers_of_clock on read_model.timers (test_clock, due_at) where test_clock is not null;

create table read_model.test_clocks (
  scope text collate "C" not null,
  id text collate "C" not null,
  status text not null,
  target timestamptz,
  -- Set by the event that creates the clock; later events do not change it.
  deletes_after timestamptz,
  leased_until timestamptz,
  primary key (scope, id)
);
create index test_clocks_work on read_model.test_clocks (status, deletes_after);

create table read_model.test_clock_subscribers (
  test_clock text collate "C" not null,
  subscriber_id text collate "C" not null,
  primary key (test_clock, subscriber_id)
);
