-- Movements of MRR and open credits are counted, for the sample size of their metrics. The metrics are
-- counted again from the log.
insert into service.rebuilds (id, projections, status, created_at)
  select 'rbd_counted_samples', '["metrics"]', 'queued', now()
  where exists (select 1 from read_model.metric_days);
