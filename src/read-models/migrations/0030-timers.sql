-- When something happens next to a subscriber by time alone; one row for each that has a timer.
create table read_model.timers (
  scope text collate "C" not null,
  subscriber_id text collate "C" not null,
  due_at timestamptz not null,
  test_clock text collate "C",
  -- A process is at it until then; the next event of the subscriber ends the lease.
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
  -- Set when the clock is created; later events leave it alone.
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
