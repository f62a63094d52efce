-- Cohorts that were deleted: a move that was under way then makes nobody a member any more.
create table read_model.deleted_cohorts (
  cohort_id text collate "C" not null,
  primary key (cohort_id)
);
