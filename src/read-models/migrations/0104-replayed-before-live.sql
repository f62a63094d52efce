-- True if a replay attempted the event before its first live attempt, which is still to come.
alter table read_model.deliveries add column awaits_live boolean not null default false;
create index deliveries_replayed_before_live on read_model.deliveries (destination_id)
  where awaits_live and status = 'failed' and attempt_count = 0;
