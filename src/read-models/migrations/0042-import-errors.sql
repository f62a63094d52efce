-- Lines of imports that were refused; `scope` is the import's id.
create table read_model.import_errors (
  scope text collate "C" not null,
  id text collate "C" not null,
  created_at timestamptz not null,
  line integer not null,
  code text not null,
  param text,
  message text not null,
  primary key (scope, id)
);
create index import_errors_newest on read_model.import_errors (scope, created_at desc, id desc);
