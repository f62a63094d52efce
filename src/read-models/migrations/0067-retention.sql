-- Indexes for the retention of 30 days, which deletes the oldest rows in batches. Ranges of pages
-- would not find them for long, because new rows reuse the space of deleted ones. After a rebuild
-- of the deliveries PostgreSQL chooses the names of these indexes.
set local statement_timeout = 0;

do $$
declare
  index_name regclass;
begin
  for index_name in
    select i.indexrelid from pg_index i
      join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where a.amname = 'brin'
      and i.indrelid in ('read_model.deliveries'::regclass, 'read_model.delivery_attempts'::regclass)
  loop
    execute format('drop index %s', index_name);
  end loop;
end $$;

create index deliveries_ended on read_model.deliveries (greatest(created_at, last_attempt_at))
  where status <> 'pending';
create index delivery_attempts_age on read_model.delivery_attempts (at);
