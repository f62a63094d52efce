-- The audit log: each action with its originator, address and request. `scope` is empty if no
-- tenant is concerned.
create table read_model.audit_log (
  scope text collate "C" not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  created_at timestamptz not null,
  actor_type text not null,
  actor_id text collate "C" not null,
  actor_name text not null,
  action text collate "C" not null,
  object_type text not null,
  object_id text collate "C" not null,
  request_id text,
  address text,
  primary key (scope, id)
);
create index audit_log_newest on read_model.audit_log (scope, created_at desc, id desc);
create index audit_log_everywhere on read_model.audit_log (created_at desc, id desc);
create index audit_log_object on read_model.audit_log (object_id, created_at desc, id desc);
create index audit_log_actor on read_model.audit_log (actor_id, created_at desc, id desc);
