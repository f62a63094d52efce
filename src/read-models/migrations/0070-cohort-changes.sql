-- Changes are paged by their whole key: all subscribers of a test clock change at one position.
create index cohort_subjects_changes
  on read_model.cohort_subjects (changed_position, scope, subscriber_id);
-- As it was created, and as a rebuild named it.
drop index if exists read_model.cohort_subjects_changed;
drop index if exists read_model.cohort_subjects_changed_position_idx;

-- How far within the position. Empty = before its first, where a watermark of a position alone stands.
alter table service.watermarks
  add column scope text collate "C" not null default '',
  add column subscriber_id text collate "C" not null default '';
