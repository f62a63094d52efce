-- By which address a subscriber is found: a digest with a key that is not in the database.
create table read_model.subscriber_emails (
  scope text collate "C" not null,
  subscriber_id text collate "C" not null,
  digest text collate "C" not null,
  primary key (scope, subscriber_id)
);
create index subscriber_emails_digest on read_model.subscriber_emails (scope, digest);

-- The addresses of subscribers that are there already come from the log.
insert into service.rebuilds (id, projections, status, created_at)
  select 'rbd_subscriber_emails', '["subscriber_emails"]', 'queued', now()
  where exists (select 1 from read_model.subscribers);
