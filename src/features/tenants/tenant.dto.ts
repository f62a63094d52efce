import { type Static, Type } from '@sinclair/typebox';
import { Choice, CurrencyField, Int, Line, Nested } from '../../http/fields/fields';
import { EmailList } from '../../http/fields/list-fields';
import { PageParameters } from '../../http/lists/list-query';
import { Moment, nullable, oneOf } from '../../domain/schema/fields';
import { AMOUNT_MAX } from '../../kernel/money';
import type { KnownTenant, TenantChange } from '../../domain/tenants/tenant.decider';
import { TenantSettings } from '../../domain/tenants/tenant.events';

const GRACE_DAYS_MAX = 60;
const AUTO_CLOSE_HOURS_MAX = 28 * 24;
const DESTINATIONS_MAX = 1_000;
const QUOTA_MAX = 100_000;
const IMPORT_LINES_MAX = 1_000_000_000;
const ALERT_EMAILS_MAX = 10;

/** The settings that a tenant changes itself. */
export class OwnSettingsBody implements Partial<TenantSettings> {
  @CurrencyField({ optional: true })
  readonly currency?: TenantSettings['currency'];

  @Int({ min: 0, max: GRACE_DAYS_MAX, optional: true })
  readonly grace_days?: number;

  @Choice(['lapse', 'pause', 'cancel'], { optional: true })
  readonly trial_end_behavior?: TenantSettings['trial_end_behavior'];

  @Int({ min: 1, max: AUTO_CLOSE_HOURS_MAX, optional: true })
  readonly ticket_auto_close_hours?: number;

  @Int({
    min: 0,
    max: AMOUNT_MAX,
    optional: true,
    nullable: true,
    description:
      'The largest refund that the role `support` may make, in minor units; null is no limit.',
  })
  readonly support_refund_limit?: number | null;

  @EmailList({
    itemsMax: ALERT_EMAILS_MAX,
    optional: true,
    example: ['developers@example.com'],
    description:
      'E-mail addresses that receive every operational event: destinations that fail, are disabled or enabled, and replays that end. Events before the first address was set are not sent.',
  })
  readonly alert_emails?: string[];
}

export class TenantSettingsBody extends OwnSettingsBody {
  @Int({
    min: 1,
    max: DESTINATIONS_MAX,
    optional: true,
    description: 'How many destinations each environment may have.',
  })
  readonly max_destinations?: number;

  @Int({
    min: 0,
    max: QUOTA_MAX,
    optional: true,
    description: 'How many cohorts each environment may have.',
  })
  readonly max_cohorts?: number;

  @Int({
    min: 0,
    max: QUOTA_MAX,
    optional: true,
    description: 'How many plans each environment may have.',
  })
  readonly max_plans?: number;

  @Int({
    min: 0,
    max: QUOTA_MAX,
    optional: true,
    description: 'How many test clocks may exist at a time.',
  })
  readonly max_test_clocks?: number;

  @Int({
    min: 0,
    max: IMPORT_LINES_MAX,
    optional: true,
    description: 'How many lines an environment may import within 24 hours, seeds included.',
  })
  readonly max_import_lines_per_day?: number;

  @Int({
    min: 0,
    max: QUOTA_MAX,
    optional: true,
    description: 'How many errors of lines each import keeps; `lines_failed` counts all.',
  })
  readonly max_import_errors?: number;
}

const SETTINGS_EXAMPLE = { currency: 'USD', grace_days: 14 };

export class CreateTenantBody {
  @Line({ max: 200, example: 'Acme Magazine' })
  readonly name!: string;

  @Nested(() => TenantSettingsBody, { optional: true, example: SETTINGS_EXAMPLE })
  readonly settings?: TenantSettingsBody;
}

export class ChangeTenantBody {
  @Line({ max: 200, optional: true, example: 'Acme Magazine' })
  readonly name?: string;

  @Nested(() => TenantSettingsBody, { optional: true, example: SETTINGS_EXAMPLE })
  readonly settings?: TenantSettingsBody;
}

export class ChangeOwnSettingsBody {
  @Line({ max: 200, optional: true, example: 'Acme Magazine' })
  readonly name?: string;

  @Nested(() => OwnSettingsBody, { optional: true, example: { grace_days: 14 } })
  readonly settings?: OwnSettingsBody;
}

/**
 * Returns the settings that the request contains. A setting with the value undefined would
 * overwrite the stored one.
 */
export const selectSettings = (body: TenantSettingsBody | undefined): Partial<TenantSettings> =>
  Object.fromEntries(Object.entries(body ?? {}).filter(([, value]) => value !== undefined));

export const toChanges = ({ name, settings }: ChangeTenantBody): TenantChange => ({
  ...(name === undefined ? {} : { name }),
  settings: selectSettings(settings),
});

export class SuspendTenantBody {
  @Line({
    max: 500,
    optional: true,
    description: 'The reason, for the audit log of the operators. Tenants do not see it.',
  })
  readonly reason?: string;
}

const STATUSES = ['active', 'suspended', 'deleted'] as const;

export class ListTenantsQuery extends PageParameters {
  @Choice(STATUSES, { optional: true, description: 'Without it, all but deleted ones.' })
  readonly status?: (typeof STATUSES)[number];
}

export const TenantResource = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    status: oneOf(STATUSES),
    suspended_at: nullable(
      Type.Unsafe<Static<typeof Moment>>({
        ...Moment,
        description: 'When the tenant was suspended; null if it is not.',
      }),
    ),
    settings: TenantSettings,
    created_at: Moment,
  },
  { title: 'Tenant' },
);
export type TenantResource = Static<typeof TenantResource>;

export const viewTenant = ({
  id,
  name,
  settings,
  createdAt,
  suspendedAt,
  deletedAt,
}: KnownTenant): TenantResource => ({
  id,
  name,
  status: deletedAt !== null ? 'deleted' : suspendedAt === null ? 'active' : 'suspended',
  suspended_at: suspendedAt,
  settings,
  created_at: createdAt,
});
