-- An action on the tenant itself is shown in both environments. Its second row is a copy, which the
-- operator's list of all tenants leaves out.
alter table read_model.audit_log add column is_copy boolean not null default false;
