-- The minute of the last use of each key (D-90). This is not a projection, because a request causes
-- no event.
create table service.api_key_uses (
  key_id text collate "C" primary key,
  last_used_at timestamptz not null
);
