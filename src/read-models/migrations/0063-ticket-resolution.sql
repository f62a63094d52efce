-- Times to resolution are counted second by second: what was counted in bins becomes their middles.
create temporary table resolved on commit drop as
  select scope, day, currency,
    lpad(round(exp((part::int - 0.5) * ln(1.05)) / 1000)::text, 10, '0') as part,
    sum(value) as value
  from read_model.metric_days where series = 'ticket_resolution' and length(part) = 4
  group by 1, 2, 3, 4;
delete from read_model.metric_days where series = 'ticket_resolution' and length(part) = 4;
insert into read_model.metric_days (scope, series, day, currency, part, value)
  select scope, 'ticket_resolution', day, currency, part, value from resolved;
