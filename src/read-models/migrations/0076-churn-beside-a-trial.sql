-- A subscriber that leaves while another subscription is on trial counts as lost too. The metric is
-- counted again from the log.
insert into service.rebuilds (id, projections, status, created_at)
  select 'rbd_churn_beside_a_trial', '["metrics"]', 'queued', now()
  where exists (select 1 from read_model.metric_days);
