import { type Static, Type } from '@sinclair/typebox';
import type { FactOf } from '../../kernel/decider';
import { CurrencyCode, nullable, oneOf } from '../schema/fields';

const Emails = Type.Array(Type.String());

/** Settings that were added later and are absent in older events. */
const laterSettings = {
  support_refund_limit: nullable(
    Type.Integer({
      description:
        'The largest refund that the role `support` may make, in minor units; null is no limit.',
    }),
  ),
};

const settings = {
  currency: CurrencyCode,
  grace_days: Type.Integer(),
  trial_end_behavior: oneOf(['lapse', 'pause', 'cancel']),
  ticket_auto_close_hours: Type.Integer(),
  max_destinations: Type.Integer(),
};

/** Quotas of a tenant. Each is counted separately for each environment. */
const quotas = {
  max_cohorts: Type.Integer({ description: 'How many cohorts each environment may have.' }),
  max_plans: Type.Integer({ description: 'How many plans each environment may have.' }),
  max_test_clocks: Type.Integer({ description: 'How many test clocks may exist at a time.' }),
  max_import_lines_per_day: Type.Integer({
    description: 'How many lines an environment may import within 24 hours, seeds included.',
  }),
  max_import_errors: Type.Integer({
    description: 'How many errors of lines each import keeps; `lines_failed` counts all.',
  }),
};

/** The settings of a tenant, which the operator changes (decisions, "Paths not named above"). */
export const TenantSettings = Type.Object({
  ...settings,
  /** Addresses that get operational events by e-mail (D-63). */
  alert_emails: Emails,
  ...laterSettings,
  ...quotas,
});
export type TenantSettings = Static<typeof TenantSettings>;

/** Settings as stored. Fields that were added later are absent in older events. */
const StoredSettings = Type.Object({
  ...settings,
  alert_emails: Type.Optional(Emails),
  ...Type.Partial(Type.Object({ ...laterSettings, ...quotas })).properties,
});

/** The type strings and field names are a storage format: add, never rename. */
export const tenantEvents = {
  'tenant.created': Type.Object({
    id: Type.String(),
    name: Type.String(),
    settings: StoredSettings,
  }),
  'tenant.suspended': Type.Object({ reason: nullable(Type.String()) }),
  'tenant.resumed': Type.Object({}),
  'tenant.deleted': Type.Object({}),
  'tenant.updated': Type.Object({ name: Type.String(), settings: StoredSettings }),
};

export type TenantFact = FactOf<typeof tenantEvents>;
