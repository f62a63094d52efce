-- Tries of passwords of the last fifteen minutes, over all processes. This is not a projection:
-- dropping the table only forgets tries.
create table service.sign_in_tries (
  id bigint generated always as identity primary key,
  -- The person whose password was tried. The id is derived from the e-mail address.
  account text collate "C" not null,
  -- The address of the client, or its network.
  address text collate "C" not null,
  at timestamptz not null default clock_timestamp()
);
create index sign_in_tries_account on service.sign_in_tries (account, at);
create index sign_in_tries_address on service.sign_in_tries (address, at);
create index sign_in_tries_oldest on service.sign_in_tries (at);
