-- The time of an item of the audit log is the time at which the store stored its event. It was the
-- time of the event, which is simulated under a test clock. The rebuild that this migration causes
-- corrects the rows; no table changes.
select 1;
