-- The columns of the list of test clocks. Clocks that were created before are read again from the
-- log.
alter table read_model.test_clocks
  add column name text,
  add column frozen_time timestamptz,
  add column created_at timestamptz;
create index test_clocks_newest on read_model.test_clocks (scope, created_at desc, id desc);

insert into service.rebuilds (id, projections, status, created_at)
  select 'rbd_test_clocks', '["test_clocks"]', 'queued', now()
  where exists (select 1 from read_model.test_clocks);
