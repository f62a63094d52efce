-- The time of an item of the audit log is a real time also under a test clock: the time at which the
-- store stored its event. The rebuild that this migration causes corrects the rows; no table changes.
select 1;
