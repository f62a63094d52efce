-- What the 30 days' retention looks for, oldest first, in batches. By ranges of pages it could not be
-- found for long: new rows take the room of those that are gone. After a rebuild of the deliveries these
-- indexes have names of PostgreSQL's choice.
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
