-- What PATCH changes: the address is sealed apart from the metadata, the score is not personal.
alter table read_model.subscribers
  add column sealed_email text,
  add column engagement_score double precision;
create index subscribers_external_id on read_model.subscribers (scope, external_id)
  where external_id is not null;
-- GET /subscribers/{id}/events?after_sequence= reads by sequence.
create index events_sequence on read_model.events (scope, subscriber_id, sequence);
