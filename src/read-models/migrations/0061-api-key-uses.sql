-- When a key was used last, to the minute (D-90). Not a projection: no event is worth a request.
create table service.api_key_uses (
  key_id text collate "C" primary key,
  last_used_at timestamptz not null
);
