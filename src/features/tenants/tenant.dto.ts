import { type Static, Type } from '@sinclair/typebox';
import { Choice, CurrencyField, EmailList, Int, Line, Nested } from '../../http/fields';
import { PageParameters } from '../../http/list-query';
import { Moment } from '../fields.events';
import type { KnownTenant } from './tenant.decider';
import { TenantSettings } from './tenant.events';

const GRACE_DAYS_MAX = 60;
const AUTO_CLOSE_HOURS_MAX = 28 * 24;
const DESTINATIONS_MAX = 1_000;
const ALERT_EMAILS_MAX = 10;

export class TenantSettingsBody implements Partial<TenantSettings> {
  @CurrencyField({ optional: true })
  readonly currency?: TenantSettings['currency'];

  @Int({ min: 0, max: GRACE_DAYS_MAX, optional: true })
  readonly grace_days?: number;

  @Choice(['lapse', 'pause', 'cancel'], { optional: true })
  readonly trial_end_behavior?: TenantSettings['trial_end_behavior'];

  @Int({ min: 1, max: AUTO_CLOSE_HOURS_MAX, optional: true })
  readonly ticket_auto_close_hours?: number;

  @Int({ min: 1, max: DESTINATIONS_MAX, optional: true, description: 'Per environment.' })
  readonly max_destinations?: number;

  @EmailList({
    itemsMax: ALERT_EMAILS_MAX,
    optional: true,
    example: ['developers@example.com'],
    description:
      'Developers who get every operational event by e-mail: destinations that fail, are disabled or enabled, and replays that end. Only what happens after the first address was set.',
  })
  readonly alert_emails?: string[];
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

export class ListTenantsQuery extends PageParameters {}

export const TenantResource = Type.Object(
  { id: Type.String(), name: Type.String(), settings: TenantSettings, created_at: Moment },
  { title: 'Tenant' },
);
export type TenantResource = Static<typeof TenantResource>;

export const viewTenant = ({ id, name, settings, createdAt }: KnownTenant): TenantResource => ({
  id,
  name,
  settings,
  created_at: createdAt,
});
