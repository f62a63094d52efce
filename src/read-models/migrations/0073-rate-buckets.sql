-- Rate limits that all processes share: the remaining tokens of each, and their time. This is not a
-- projection.
create table service.rate_buckets (
  id text collate "C" primary key,
  tokens double precision not null,
  at timestamptz not null
);
create index rate_buckets_oldest on service.rate_buckets (at);
