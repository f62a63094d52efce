-- In which trace each attempt was made. A replay is a trace of its own, linked to that of the event.
alter table read_model.delivery_attempts
  add column trace_id text collate "C",
  add column linked_trace_id text collate "C";
