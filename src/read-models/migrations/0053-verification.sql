-- A rebuild that is only compared with the live rows, and what it found.
alter table service.rebuilds add column compare boolean not null default false;
alter table service.rebuilds add column differences json;
