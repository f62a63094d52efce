import { type Static, Type } from '@sinclair/typebox';
import { findSecret } from '../../http/pipeline/presentation';
import { DifferenceResource } from '../../projections/difference';
import { Choice, Id, Int, QueryInt, Text } from '../../http/fields/fields';
import { ENVIRONMENTS } from '../../kernel/scope';

/** Views that can be exported row by row. Each has the columns `id` and `created_at`. */
export const ANALYTICS_VIEWS = [
  'subscribers',
  'subscriptions',
  'tickets',
  'events',
  'payments',
  'payment_events',
  'cohort_members',
  'motion_runs',
  'daily_counts',
  'daily_durations',
] as const;
export type AnalyticsView = (typeof ANALYTICS_VIEWS)[number];

const ROWS_MAX = 5_000;

export class CreateAnalystBody {
  @Text({
    max: 63,
    // PostgreSQL reserves the names `public` and `none` and all names that begin with `pg_`.
    pattern: /^(?!pg_|public$|none$)[a-z][a-z0-9_]*$/,
    patternText:
      'must begin with a letter and have lower-case letters, digits and _ only; public, none and pg_… are taken',
    example: 'analyst',
    description: 'Name of the database role; not `public`, `none` or `pg_…`.',
  })
  readonly name!: string;

  @Id({
    optional: true,
    description: 'The only tenant that the analyst may see. Default: all tenants.',
  })
  readonly tenant_id?: string;
}

export const AnalystResource = Type.Object(
  {
    name: Type.String(),
    password: findSecret(Type.String({ description: 'The password. It is shown this once.' })),
    host: Type.String(),
    port: Type.Integer(),
    database: Type.String(),
  },
  { title: 'Analyst' },
);

/** An analyst in a list. It has no password, because the service does not store it. */
export const KnownAnalyst = Type.Object(
  {
    name: Type.String(),
    tenant_id: Type.Union([Type.String(), Type.Null()], {
      description: 'The one tenant that the analyst may see; null for all.',
    }),
  },
  { title: 'KnownAnalyst' },
);
export type KnownAnalyst = Static<typeof KnownAnalyst>;

export class ExportQuery {
  @Choice(ANALYTICS_VIEWS, { example: 'subscribers' })
  readonly view!: AnalyticsView;

  @Id()
  readonly tenant_id!: string;

  @Choice(ENVIRONMENTS, { example: 'live' })
  readonly environment!: 'live' | 'test';

  @QueryInt({ min: 1, max: ROWS_MAX, optional: true, default: 1_000 })
  readonly rows?: number;

  @Text({ max: 400, optional: true, description: 'The field `next` of the previous response.' })
  readonly after?: string;
}

export const ExportChunk = Type.Object(
  {
    data: Type.Array(Type.Object({}, { additionalProperties: true })),
    next: Type.Union([Type.String(), Type.Null()]),
  },
  { title: 'ExportChunk' },
);
export type ExportChunk = Static<typeof ExportChunk>;

export class VerifyBody {
  @Text({
    optional: true,
    max: 64,
    description: 'Compares only this subscriber. Default: a random sample.',
  })
  readonly subscriber_id?: string;

  @Int({
    min: 1,
    max: 10_000,
    optional: true,
    default: 100,
    example: 100,
    description: 'How many subscribers to compare.',
  })
  readonly sample?: number;
}

export const Verification = Type.Object(
  {
    subscribers: Type.Integer(),
    events: Type.Integer(),
    rows: Type.Integer(),
    differences: Type.Array(DifferenceResource),
  },
  { title: 'Verification' },
);
export type Verification = Static<typeof Verification>;
