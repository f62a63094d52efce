-- Durations of a day in one row; they were a row for each bin. What is counted of deliveries is now also
-- counted for all destinations together. Where something was counted the other way, it is counted again,
-- from the log.
create table read_model.metric_histograms (
  scope text collate "C" not null,
  series text collate "C" not null,
  day date not null,
  part text collate "C" not null,
  bins json not null,
  primary key (scope, series, day, part)
);

insert into service.rebuilds (id, projections, status, created_at)
  select 'rbd_metric_histograms', '["metrics"]', 'queued', now()
  where exists (select 1 from read_model.metric_days);
