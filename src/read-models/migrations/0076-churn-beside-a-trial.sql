-- Who leaves while another subscription of theirs is on trial is lost as well: counted again, from the log.
insert into service.rebuilds (id, projections, status, created_at)
  select 'rbd_churn_beside_a_trial', '["metrics"]', 'queued', now()
  where exists (select 1 from read_model.metric_days);
