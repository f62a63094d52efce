-- An answer may name several subscribers, such as the examples of a cohort's preview. An erasure
-- finds it by each of them, and also finds answers of operators and members, which have another
-- scope.
alter table service.idempotency add column more_subscriber_ids text[] collate "C";
create index idempotency_more_subscribers on service.idempotency using gin (more_subscriber_ids)
  where more_subscriber_ids is not null;
drop index service.idempotency_subscriber;
create index idempotency_subscriber on service.idempotency (subscriber_id)
  where subscriber_id is not null;
