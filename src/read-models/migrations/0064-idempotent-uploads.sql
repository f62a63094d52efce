-- SHA-256 of a streamed body, which the fingerprint does not include. Null for all other requests,
-- and for uploads that were answered before this column existed.
alter table service.idempotency add column body_digest text;
