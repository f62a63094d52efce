-- SHA-256 of a body that was streamed, and so is no part of the fingerprint. Null for all others, and
-- for uploads that were answered before there was this column.
alter table service.idempotency add column body_digest text;
