-- Changes are paged by their whole key, because all subscribers of a test clock change at one
-- position.
create index cohort_subjects_changes
  on read_model.cohort_subjects (changed_position, scope, subscriber_id);
-- The index may have its original name or the one that a rebuild gave it.
drop index if exists read_model.cohort_subjects_changed;
drop index if exists read_model.cohort_subjects_changed_position_idx;

-- Progress within the position. Empty = before its first change, as with an earlier watermark that
-- was only a position.
alter table service.watermarks
  add column scope text collate "C" not null default '',
  add column subscriber_id text collate "C" not null default '';
