-- Columns for a rebuild that is only compared with the live rows, and its result.
alter table service.rebuilds add column compare boolean not null default false;
alter table service.rebuilds add column differences json;
