import { DomainError } from '../../kernel/errors';
import type { DestinationDraft } from './destination.commands';
import type {
  DestinationSettings,
  KnownDestination,
} from '../../domain/destinations/destination.decider';
import type { RegisterDestinationBody, SettingsFields } from './destination.dto';

const WEBHOOK_ONLY = ['url', 'pii_mode', 'schema_version', 'trace_headers'] as const;
const MAIL_ONLY = ['email', 'reply_to_subscriber', 'subject_template'] as const;

/** Returns the settings that a registration asks for, with the defaults filled in. */
export const toDraft = (body: RegisterDestinationBody): DestinationDraft => {
  const { type } = body;
  refuseForeign(type, body);
  return {
    type,
    url: type === 'https_webhook' ? required(body.url, 'url') : null,
    mail:
      type === 'https_webhook'
        ? null
        : {
            email: required(body.email, 'email'),
            reply_to_subscriber: body.reply_to_subscriber ?? false,
            subject_template: body.subject_template ?? null,
          },
    event_types: eventTypesOf(type, body.event_types),
    pii_mode: body.pii_mode ?? 'full',
    schema_version: body.schema_version ?? null,
    description: body.description ?? null,
    max_in_flight: body.max_in_flight ?? 50,
    rate_limit_per_second: body.rate_limit_per_second ?? null,
    ordering: body.ordering ?? 'relaxed',
    trace_headers: body.trace_headers ?? 'on',
  };
};

/** Returns the settings that a change asks for. Missing fields stay unchanged. */
export const toChanges = (
  { type, mail }: KnownDestination,
  body: SettingsFields,
): Partial<DestinationSettings> => {
  refuseForeign(type, body);
  return {
    ...(body.url === undefined ? {} : { url: body.url }),
    ...(mail === null ? {} : { mail: { ...mail, ...mailFields(body) } }),
    ...(body.event_types === undefined
      ? {}
      : { event_types: eventTypesOf(type, body.event_types) }),
    ...(body.pii_mode === undefined ? {} : { pii_mode: body.pii_mode }),
    ...(body.schema_version === undefined ? {} : { schema_version: body.schema_version }),
    ...(body.description === undefined ? {} : { description: body.description }),
    ...(body.max_in_flight === undefined ? {} : { max_in_flight: body.max_in_flight }),
    ...(body.rate_limit_per_second === undefined
      ? {}
      : { rate_limit_per_second: body.rate_limit_per_second }),
    ...(body.ordering === undefined ? {} : { ordering: body.ordering }),
    ...(body.trace_headers === undefined ? {} : { trace_headers: body.trace_headers }),
  };
};

const mailFields = (body: SettingsFields) => ({
  ...(body.email === undefined ? {} : { email: body.email }),
  ...(body.reply_to_subscriber === undefined
    ? {}
    : { reply_to_subscriber: body.reply_to_subscriber }),
  ...(body.subject_template === undefined ? {} : { subject_template: body.subject_template }),
});

/**
 * Removes duplicates. Without a list, an e-mail destination gets the only type that it can deliver
 * (D-42).
 */
const eventTypesOf = (
  type: KnownDestination['type'],
  eventTypes: readonly string[] | null | undefined,
): string[] | null => {
  if (eventTypes == null) return type === 'email_fallback' ? ['ticket.submitted'] : null;
  return [...new Set(eventTypes)];
};

const refuseForeign = (type: KnownDestination['type'], body: SettingsFields): void => {
  const foreign = type === 'https_webhook' ? MAIL_ONLY : WEBHOOK_ONLY;
  const param = foreign.find((name) => body[name] !== undefined);
  if (param === undefined) return;
  throw new DomainError('parameter_invalid', `A destination of type ${type} has no ${param}.`, {
    param,
  });
};

const required = (value: string | undefined, param: string): string => {
  if (value !== undefined) return value;
  throw new DomainError('parameter_missing', `${param} is required.`, { param });
};
