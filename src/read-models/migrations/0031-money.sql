create table read_model.payments (
  scope text collate "C" not null,
  id text collate "C" not null,
  subscriber_id text collate "C" not null,
  subscription_id text collate "C" not null,
  created_at timestamptz not null,
  status text collate "C" not null,
  resource json not null,
  primary key (scope, id)
);
create index payments_newest on read_model.payments (scope, created_at desc, id desc);
create index payments_subscriber
  on read_model.payments (scope, subscriber_id, created_at desc, id desc);

create table read_model.payment_attempts (
  scope text collate "C" not null,
  id text collate "C" not null,
  payment_id text collate "C" not null,
  created_at timestamptz not null,
  resource json not null,
  primary key (scope, id)
);
create index payment_attempts_newest
  on read_model.payment_attempts (scope, payment_id, created_at desc, id desc);

create table read_model.refunds (
  scope text collate "C" not null,
  id text collate "C" not null,
  payment_id text collate "C" not null,
  subscriber_id text collate "C" not null,
  created_at timestamptz not null,
  status text collate "C" not null,
  refund json not null,
  sealed text,
  primary key (scope, id)
);
create index refunds_newest on read_model.refunds (scope, created_at desc, id desc);

create table read_model.credits (
  scope text collate "C" not null,
  id text collate "C" not null,
  subscriber_id text collate "C" not null,
  created_at timestamptz not null,
  status text collate "C" not null,
  credit json not null,
  -- Set by the credit's own events; a reversal of a use does not change it.
  sealed text,
  primary key (scope, id)
);
create index credits_subscriber
  on read_model.credits (scope, subscriber_id, created_at desc, id desc);

create table read_model.credit_transactions (
  scope text collate "C" not null,
  id text collate "C" not null,
  credit_id text collate "C" not null,
  created_at timestamptz not null,
  resource json not null,
  primary key (scope, id)
);
create index credit_transactions_newest
  on read_model.credit_transactions (scope, credit_id, created_at desc, id desc);
