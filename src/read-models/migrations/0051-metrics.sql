-- Counts of every metric by day. Gauges are stored as changes per day.
create table read_model.metric_days (
  scope text collate "C" not null,
  series text collate "C" not null,
  day date not null,
  currency text collate "C" not null,
  part text collate "C" not null,
  value bigint not null,
  primary key (scope, series, day, currency, part)
);

-- State of each stream that is needed to count its next event.
create table read_model.metric_tallies (
  owner text collate "C" not null,
  tally json not null,
  primary key (owner)
);
