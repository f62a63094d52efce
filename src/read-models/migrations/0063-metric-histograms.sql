-- Stores the durations of a day in one row instead of one row for each bin. Deliveries are now also
-- counted for all destinations together. Metrics that were counted in the old way are counted again
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
