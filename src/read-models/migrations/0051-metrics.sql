-- Every metric's counts by day; gauges are kept as the day's change.
create table read_model.metric_days (
  scope text collate "C" not null,
  series text collate "C" not null,
  day date not null,
  currency text collate "C" not null,
  part text collate "C" not null,
  value bigint not null,
  primary key (scope, series, day, currency, part)
);

-- What must be remembered of each stream to count its next event.
create table read_model.metric_tallies (
  owner text collate "C" not null,
  tally json not null,
  primary key (owner)
);
