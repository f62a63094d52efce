-- What trying out an e-mail destination of the test environment would have sent. Not a projection: a
-- trial is no event and no delivery.
create table service.test_mails (
  id text collate "C" primary key,
  created_at timestamptz not null,
  scope text collate "C" not null,
  event_id text not null,
  destination_id text collate "C" not null,
  message json not null
);
create index test_mails_newest on service.test_mails (scope, created_at desc, id desc);
