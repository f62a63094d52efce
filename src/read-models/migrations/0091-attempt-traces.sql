-- Trace of each attempt. A replay has a trace of its own, which is linked to the trace of the
-- event.
alter table read_model.delivery_attempts
  add column trace_id text collate "C",
  add column linked_trace_id text collate "C";
