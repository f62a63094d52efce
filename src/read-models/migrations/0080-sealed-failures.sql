-- The message of a failed payment is personal and sealed with the subscriber's key.
alter table read_model.payments add column sealed text, add column sealed_at jsonb;
alter table read_model.payment_attempts add column sealed text, add column sealed_at jsonb;

-- Earlier rows are not sealed, so they are projected again from the log.
insert into service.rebuilds (id, projections, status, created_at)
  select 'rbd_sealed_failures', '["payments"]', 'queued', now()
  where exists (select 1 from read_model.payments);
