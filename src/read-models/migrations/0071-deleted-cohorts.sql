-- Deleted cohorts. A move that was in progress when its cohort was deleted adds no member.
create table read_model.deleted_cohorts (
  cohort_id text collate "C" not null,
  primary key (cohort_id)
);
