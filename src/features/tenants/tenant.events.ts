import { type Static, Type } from '@sinclair/typebox';
import type { FactOf } from '../../kernel/decider';
import { CurrencyCode, oneOf } from '../fields.events';

const Emails = Type.Array(Type.String());

const settings = {
  currency: CurrencyCode,
  grace_days: Type.Integer(),
  trial_end_behavior: oneOf(['lapse', 'pause', 'cancel']),
  ticket_auto_close_hours: Type.Integer(),
  max_destinations: Type.Integer(),
};

/** What a tenant can set; the operator changes it (decisions, "Paths not named above"). */
export const TenantSettings = Type.Object({
  ...settings,
  /** Who is told by e-mail of operational events, D-63. */
  alert_emails: Emails,
});
export type TenantSettings = Static<typeof TenantSettings>;

/** As stored: what was added later is missing in older events. */
const StoredSettings = Type.Object({ ...settings, alert_emails: Type.Optional(Emails) });

/** Type strings and field names are a storage format: add, never rename. */
export const tenantEvents = {
  'tenant.created': Type.Object({
    id: Type.String(),
    name: Type.String(),
    settings: StoredSettings,
  }),
  'tenant.updated': Type.Object({ name: Type.String(), settings: StoredSettings }),
};

export type TenantFact = FactOf<typeof tenantEvents>;
