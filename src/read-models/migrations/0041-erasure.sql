-- Stored erasures that the eraser must complete. The table is a projection, so none is lost.
create table read_model.erasures (
  scope text collate "C" not null,
  subscriber_id text collate "C" not null,
  erased_at timestamptz not null,
  primary key (scope, subscriber_id)
);

-- The subscriber whose data a stored response may contain.
alter table service.idempotency add column subscriber_id text collate "C";
create index idempotency_subscriber on service.idempotency (scope, subscriber_id)
  where subscriber_id is not null;

create index tickets_subscriber on read_model.tickets (scope, subscriber_id, created_at desc, id desc);
