-- Sessions of the console. This is short-lived data: dropping the tables only signs people out.
create table service.console_sessions (
  id text collate "C" primary key,
  token_sha256 text not null unique,
  -- The person; null if a one-time link signed somebody in.
  person_id text collate "C",
  -- Session version of the person at the sign-in. A higher version of the person ends the session.
  generation integer not null,
  -- Rights that a one-time link granted in addition to the memberships of the person.
  granted jsonb,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  ends_at timestamptz not null,
  address text,
  user_agent text
);
create index console_sessions_person on service.console_sessions (person_id);
create index console_sessions_end on service.console_sessions (ends_at);

-- Links that sign in once. The token itself is only in the link.
create table service.console_links (
  token_sha256 text collate "C" primary key,
  granted jsonb not null,
  -- Maximum duration of the session in seconds.
  session_seconds integer not null,
  expires_at timestamptz not null,
  spent_at timestamptz
);
create index console_links_expiry on service.console_links (expires_at);
