-- Limits that all processes share: what is left of each, and since when. Not a projection.
create table service.rate_buckets (
  id text collate "C" primary key,
  tokens double precision not null,
  at timestamptz not null
);
create index rate_buckets_oldest on service.rate_buckets (at);
