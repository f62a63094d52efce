-- Time of the last success of each destination. Together with the failed attempts after it, it
-- shows for how long all attempts have failed (D-63).
create table read_model.destination_health (
  destination_id text collate "C" not null,
  last_success_at timestamptz,
  primary key (destination_id)
);
insert into read_model.destination_health (destination_id, last_success_at)
  select destination_id, max(delivered_at) from read_model.deliveries
  where delivered_at is not null group by destination_id;

create index delivery_attempts_failed on read_model.delivery_attempts (destination_id, at)
  where error is not null or status_code is null or status_code not between 200 and 299;
