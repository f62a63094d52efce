-- Lists of subscribers who are past due. Few are, so the index is small, and the writes of all other
-- subscriptions do not touch it.
alter table read_model.subscriptions add column payment_state text collate "C";
create index subscriptions_past_due on read_model.subscriptions (scope, subscriber_id)
  where payment_state = 'past_due';
