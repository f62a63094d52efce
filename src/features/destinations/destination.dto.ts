import { type Static, Type } from '@sinclair/typebox';
import type { Instant } from '../../kernel/time';
import { findSecret } from '../../http/pipeline/presentation';
import { Choice, Email, Flag, Id, Int, Num, QueryFlag, Text } from '../../http/fields/fields';
import { EVENT_FILTER_FORMAT, TextList } from '../../http/fields/list-fields';
import { SchemaRules, createVariants } from '../../http/fields/schema-rules';
import { PageParameters } from '../../http/lists/list-query';
import { SCHEMA_VERSIONS } from '../../delivery/model/schema-versions';
import { type Environment, ENVIRONMENTS } from '../../kernel/scope';
import { PLAIN_URL } from '../../kernel/url';
import { Moment, nullable, oneOf } from '../../domain/schema/fields';
import {
  DESTINATION_TYPES,
  type DestinationType,
  isRequired,
  type KindSetting,
  readKindSettings,
} from '../../domain/destinations/destination-kinds';
import {
  DESTINATION_STATUSES,
  type DestinationStatus,
  type KnownDestination,
  SECRET_OVERLAP_HOURS,
  getStatus,
} from '../../domain/destinations/destination.decider';
import {
  DISABLED_REASONS,
  ORDERINGS,
  PII_MODES,
  TRACE_HEADERS,
} from '../../domain/destinations/destination.events';

const URL_CHARS_MAX = 2_048;
const TEMPLATE_CHARS_MAX = 500;
const EVENT_TYPES_MAX = 100;
const RATE_MAX = 10_000;
const VERSION_NAME = new RegExp(`^(${SCHEMA_VERSIONS.names().join('|')})$`);

/** The fields that registering and changing a destination have in common. */
class SettingsBody {
  @Text({
    max: URL_CHARS_MAX,
    optional: true,
    format: 'uri',
    shownPattern: PLAIN_URL,
    example: 'https://example.com/webhooks',
    description:
      'Where events are POSTed: an `https://` URL at a public address. Required for `https_webhook`, and only for it. White space and control characters must be encoded.',
  })
  readonly url?: string;

  @TextList({
    itemsMin: 1,
    itemsMax: EVENT_TYPES_MAX,
    itemFormat: EVENT_FILTER_FORMAT,
    optional: true,
    nullable: true,
    example: ['payment.*', 'ticket.submitted'],
    description:
      'Types, families such as `payment.*`, or `*`. Default: every type. An e-mail destination takes `ticket.submitted` only.',
  })
  readonly event_types?: string[] | null;

  @Choice(PII_MODES, { optional: true, default: 'full' })
  readonly pii_mode?: (typeof PII_MODES)[number];

  @Text({
    optional: true,
    nullable: true,
    max: 16,
    shownPattern: VERSION_NAME,
    description: 'The version of the catalogue in which events are sent. Default: the newest.',
  })
  readonly schema_version?: string | null;

  @Text({ optional: true, nullable: true, max: 500 })
  readonly description?: string | null;

  @Int({
    min: 1,
    max: 500,
    optional: true,
    default: 50,
    description: 'How many deliveries may be in progress at a time.',
  })
  readonly max_in_flight?: number;

  @Num({ min: 0.01, max: RATE_MAX, optional: true, nullable: true })
  readonly rate_limit_per_second?: number | null;

  @Choice(ORDERINGS, {
    optional: true,
    default: 'relaxed',
    description:
      'How long a failing delivery delays newer events of its subscriber: 5 minutes, or (`strict`) until it succeeds or is given up.',
  })
  readonly ordering?: (typeof ORDERINGS)[number];

  @Choice(TRACE_HEADERS, {
    optional: true,
    default: 'on',
    description:
      'With `off` webhooks have no header `traceparent`. The delivery log still shows the trace id.',
  })
  readonly trace_headers?: (typeof TRACE_HEADERS)[number];

  @Email({
    optional: true,
    description:
      'The address to which e-mails are sent. Required for `email_fallback`, and only for it.',
  })
  readonly email?: string;

  @Flag({
    optional: true,
    default: false,
    description: 'For `email_fallback`: whether Reply-To is the address of the subscriber.',
  })
  readonly reply_to_subscriber?: boolean;

  @Text({
    max: TEMPLATE_CHARS_MAX,
    optional: true,
    nullable: true,
    description:
      'For `email_fallback`: the subject, a text with placeholders such as `[{{data.topic}}] {{data.subject}}`.',
  })
  readonly subject_template?: string | null;
}

export type SettingsFields = Readonly<SettingsBody>;
/**
 * The fields that only some types of destination have. This type does not compile if a setting of a
 * type is missing in the body above.
 */
export type KindFields = Pick<SettingsFields, KindSetting>;

/** The fields of each type of destination, in addition to the common ones. */
const FIELDS_BY_TYPE = Object.fromEntries(
  DESTINATION_TYPES.map((type) => [
    type,
    readKindSettings(type).map((name) => (isRequired(type, name) ? name : `${name}?`)),
  ]),
);

/** An e-mail destination delivers one event type only. */
const FIELD_RULES = {
  email_fallback: { event_types: { items: { const: 'ticket.submitted' } } },
};

@SchemaRules(createVariants(FIELDS_BY_TYPE, FIELD_RULES))
export class RegisterDestinationBody extends SettingsBody {
  @Choice(DESTINATION_TYPES)
  readonly type!: DestinationType;
}

@SchemaRules(createVariants(FIELDS_BY_TYPE, FIELD_RULES))
export class RegisterDestinationAsOperatorBody extends RegisterDestinationBody {
  @Choice(ENVIRONMENTS, { example: 'test' })
  readonly environment!: Environment;
}

@SchemaRules({
  dependentSchemas: {
    resume_from: { required: ['status'], properties: { status: { const: 'active' } } },
  },
})
export class ChangeDestinationBody extends SettingsBody {
  @Choice(['active', 'disabled'], {
    optional: true,
    description:
      '`active` continues where the destination stopped and sends waiting retries at once. The 5 days of failure after which it is disabled start again.',
  })
  readonly status?: 'active' | 'disabled';

  @Choice(['now'], {
    optional: true,
    description:
      'With `status: "active"`: whether to skip the events that came while it was disabled. Skipped events can be replayed.',
  })
  readonly resume_from?: 'now';
}

export class DeleteDestinationQuery {
  @QueryFlag({ optional: true, default: false, description: 'Delete for good, at once.' })
  readonly force?: boolean;
}

export class PreviewBody {
  @Id()
  readonly event_id!: string;

  @Choice(PII_MODES, { optional: true })
  readonly pii_mode?: (typeof PII_MODES)[number];

  @Text({ optional: true, max: 16, shownPattern: VERSION_NAME })
  readonly schema_version?: string;
}

export class ListDestinationsQuery extends PageParameters {
  @Choice(DESTINATION_STATUSES, {
    optional: true,
    description: 'Default: active and disabled destinations.',
  })
  readonly status?: DestinationStatus;
}

export class ListDestinationsAsOperatorQuery extends ListDestinationsQuery {
  @Choice(ENVIRONMENTS, { optional: true })
  readonly environment?: Environment;
}

const fields = {
  id: Type.String(),
  type: oneOf(DESTINATION_TYPES),
  environment: oneOf(ENVIRONMENTS),
  url: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  reply_to_subscriber: Type.Optional(Type.Boolean()),
  subject_template: Type.Optional(nullable(Type.String())),
  event_types: nullable(Type.Array(Type.String())),
  pii_mode: oneOf(PII_MODES),
  schema_version: Type.String(),
  description: nullable(Type.String()),
  max_in_flight: Type.Integer(),
  rate_limit_per_second: nullable(Type.Number()),
  ordering: oneOf(ORDERINGS),
  trace_headers: oneOf(TRACE_HEADERS),
  status: oneOf(DESTINATION_STATUSES),
  disabled_reason: nullable(oneOf(DISABLED_REASONS)),
  disabled_at: nullable(Moment),
  deleted_at: nullable(Moment),
  recoverable_until: nullable(Moment),
  previous_secret_expires_at: nullable(Moment),
  created_at: Moment,
};

export const DestinationResource = Type.Object(fields, { title: 'Destination' });
export type DestinationResource = Static<typeof DestinationResource>;

/**
 * A new destination. Only this response contains `signing_secret`; an e-mail destination has none.
 */
export const RegisteredDestinationResource = Type.Object(
  { ...fields, signing_secret: Type.Optional(findSecret(Type.String())) },
  { title: 'RegisteredDestination' },
);
export type RegisteredDestinationResource = Static<typeof RegisteredDestinationResource>;

export class RotateSecretBody {
  @Num({
    min: 0,
    max: SECRET_OVERLAP_HOURS,
    optional: true,
    default: SECRET_OVERLAP_HOURS,
    example: SECRET_OVERLAP_HOURS,
    description:
      'For how many hours the old secret is valid as well. 0 ends it at once, which is right for a secret that has leaked.',
  })
  readonly overlap_hours?: number;
}

export const RotatedSecret = Type.Object(
  {
    id: Type.String(),
    signing_secret: findSecret(Type.String()),
    previous_secret_expires_at: Moment,
  },
  { title: 'RotatedSecret' },
);
export type RotatedSecret = Static<typeof RotatedSecret>;

export const DeletedDestination = Type.Object(
  {
    id: Type.String(),
    status: oneOf(['deleted']),
    deleted_at: Moment,
    recoverable_until: Moment,
  },
  { title: 'DeletedDestination' },
);
export type DeletedDestination = Static<typeof DeletedDestination>;

export const DestinationTest = Type.Object(
  {
    status_code: nullable(Type.Integer()),
    duration_ms: Type.Integer(),
    error: nullable(Type.String()),
  },
  { title: 'DestinationTest' },
);

export const DeliveryPreview = Type.Object(
  { headers: Type.Record(Type.String(), Type.String()), body: Type.String() },
  { title: 'DeliveryPreview' },
);

export const viewDestination = (
  destination: KnownDestination,
  { currentSchema, now }: { readonly currentSchema: string; readonly now: Instant },
): DestinationResource => ({
  id: destination.id,
  ...destination.target,
  environment: destination.scope.environment,
  event_types: destination.event_types,
  pii_mode: destination.pii_mode,
  schema_version: destination.schema_version ?? currentSchema,
  description: destination.description,
  max_in_flight: destination.max_in_flight,
  rate_limit_per_second: destination.rate_limit_per_second,
  ordering: destination.ordering,
  trace_headers: destination.trace_headers,
  status: getStatus(destination),
  disabled_reason: destination.disabled?.reason ?? null,
  disabled_at: destination.disabled?.at ?? null,
  deleted_at: destination.deleted?.at ?? null,
  recoverable_until: destination.deleted?.recoverableUntil ?? null,
  previous_secret_expires_at: findOverlapEnd(destination, now),
  created_at: destination.created_at,
});

/** Returns until when the previous secret signs too; null after that. */
const findOverlapEnd = ({ secrets }: KnownDestination, now: Instant): Instant | null => {
  const end = secrets[1]?.expires_at ?? null;
  return end !== null && end > now ? end : null;
};
