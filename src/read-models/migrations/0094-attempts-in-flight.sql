-- The attempts that a process makes now: {"<destination id>": <number>}.
alter table service.dispatchers add column in_flight jsonb not null default '{}';
