-- Messages of test deliveries to e-mail destinations of the test environment. This is not a
-- projection, because a test delivery is no event and no delivery.
create table service.test_mails (
  id text collate "C" primary key,
  created_at timestamptz not null,
  scope text collate "C" not null,
  event_id text not null,
  destination_id text collate "C" not null,
  message json not null
);
create index test_mails_newest on service.test_mails (scope, created_at desc, id desc);
