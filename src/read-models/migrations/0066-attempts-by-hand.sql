-- How many of a delivery's attempts somebody asked for: they are beside the schedule.
alter table read_model.deliveries add column by_hand integer not null default 0;
