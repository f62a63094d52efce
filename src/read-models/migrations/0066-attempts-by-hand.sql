-- Number of a delivery's manual attempts, which do not count in the schedule.
alter table read_model.deliveries add column by_hand integer not null default 0;
