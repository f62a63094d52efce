import { type Dated, type Decider, unreachable } from '../../kernel/decider';
import { notFound } from '../../kernel/errors';
import type { Currency } from '../../kernel/money';
import type { Instant } from '../../kernel/time';
import type { TenantFact, TenantSettings } from './tenant.events';

export type Tenant =
  | { readonly status: 'absent' }
  | {
      readonly status: 'known';
      readonly id: string;
      readonly name: string;
      readonly settings: TenantSettings;
      /** The time since which alert addresses have existed. Null means there are none. */
      readonly alertsSince: Instant | null;
      readonly createdAt: Instant;
      /**
       * The time since which keys and members are refused. Null means the tenant is not suspended.
       */
      readonly suspendedAt: Instant | null;
      readonly suspensionReason: string | null;
      /** The time since which the tenant is deleted. Null means it is not. */
      readonly deletedAt: Instant | null;
    };

export type KnownTenant = Extract<Tenant, { status: 'known' }>;

export const DEFAULT_SETTINGS: TenantSettings = {
  currency: 'USD' as Currency,
  grace_days: 14,
  trial_end_behavior: 'lapse',
  ticket_auto_close_hours: 96,
  max_destinations: 10,
  alert_emails: [],
  support_refund_limit: 10_000,
  max_cohorts: 200,
  max_plans: 1_000,
  max_test_clocks: 1_000,
  max_import_lines_per_day: 5_000_000,
  max_import_errors: 1_000,
};

type SettingFact = Extract<TenantFact, { type: 'tenant.created' | 'tenant.updated' }>;

/** Returns the settings with defaults for those that older events do not have. */
const applySettings = ({ data, at }: Dated<SettingFact>, since: Instant | null) => {
  const settings: TenantSettings = { ...DEFAULT_SETTINGS, ...data.settings };
  return { settings, alertsSince: settings.alert_emails.length === 0 ? null : (since ?? at) };
};

export const tenantAggregate: Decider<Tenant, TenantFact> = {
  initialState: () => ({ status: 'absent' }),
  evolve: (tenant, fact) => {
    switch (fact.type) {
      case 'tenant.created':
        return {
          status: 'known',
          createdAt: fact.at,
          suspendedAt: null,
          suspensionReason: null,
          deletedAt: null,
          ...fact.data,
          ...applySettings(fact, null),
        };
      case 'tenant.updated':
        return tenant.status === 'known'
          ? { ...tenant, ...fact.data, ...applySettings(fact, tenant.alertsSince) }
          : tenant;
      case 'tenant.suspended':
        return tenant.status === 'known'
          ? {
              ...tenant,
              suspendedAt: tenant.suspendedAt ?? fact.at,
              suspensionReason: fact.data.reason,
            }
          : tenant;
      case 'tenant.resumed':
        return tenant.status === 'known'
          ? { ...tenant, suspendedAt: null, suspensionReason: null }
          : tenant;
      case 'tenant.deleted':
        return tenant.status === 'known'
          ? {
              ...tenant,
              suspendedAt: tenant.suspendedAt ?? fact.at,
              deletedAt: tenant.deletedAt ?? fact.at,
            }
          : tenant;
      default:
        return unreachable(fact);
    }
  },
};

export interface TenantDraft {
  readonly id: string;
  readonly name: string;
  readonly settings: Partial<TenantSettings>;
}

export const createTenant =
  ({ id, name, settings }: TenantDraft) =>
  (tenant: Tenant): TenantFact[] =>
    tenant.status === 'known'
      ? []
      : [
          {
            type: 'tenant.created',
            data: { id, name, settings: { ...DEFAULT_SETTINGS, ...settings } },
          },
        ];

export interface TenantChange {
  readonly name?: string;
  readonly settings: Partial<TenantSettings>;
}

export const changeTenant =
  ({ name, settings }: TenantChange) =>
  (tenant: Tenant): TenantFact[] => {
    const known = requireUndeleted(tenant);
    const next = { name: name ?? known.name, settings: { ...known.settings, ...settings } };
    const same =
      next.name === known.name && JSON.stringify(next.settings) === JSON.stringify(known.settings);
    return same ? [] : [{ type: 'tenant.updated', data: next }];
  };

/** Suspends the tenant. A repeat keeps the first time and takes the new reason. */
export const suspendTenant =
  (reason: string | null) =>
  (tenant: Tenant): TenantFact[] => {
    const { suspendedAt, suspensionReason } = requireUndeleted(tenant);
    if (suspendedAt !== null && suspensionReason === reason) return [];
    return [{ type: 'tenant.suspended', data: { reason } }];
  };

export const resumeTenant = (tenant: Tenant): TenantFact[] =>
  requireUndeleted(tenant).suspendedAt === null ? [] : [{ type: 'tenant.resumed', data: {} }];

/** Deletes the tenant for good. Its keys and members are refused from then on. */
export const deleteTenant = (tenant: Tenant): TenantFact[] =>
  requireTenant(tenant).deletedAt === null ? [{ type: 'tenant.deleted', data: {} }] : [];

/** Returns the tenant, or throws `resource_not_found` with the parameter that named it. */
export const requireTenant = (tenant: Tenant | undefined, param = 'tenantId'): KnownTenant => {
  if (tenant?.status === 'known') return tenant;
  throw notFound('tenant', param);
};

/** Returns the tenant, or throws `resource_not_found` if there is none or it is deleted. */
export const requireUndeleted = (tenant: Tenant | undefined, param = 'tenantId'): KnownTenant => {
  const known = requireTenant(tenant, param);
  return requireTenant(known.deletedAt === null ? known : undefined, param);
};
