-- Fields that PATCH changes. The address is sealed separately from the metadata; the score is not
-- personal.
alter table read_model.subscribers
  add column sealed_email text,
  add column engagement_score double precision;
create index subscribers_external_id on read_model.subscribers (scope, external_id)
  where external_id is not null;
-- Index for GET /subscribers/{id}/events?after_sequence=.
create index events_sequence on read_model.events (scope, subscriber_id, sequence);
