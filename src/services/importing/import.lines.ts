import { type Static, type TObject, Type } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { FormatRegistry } from '@sinclair/typebox/type';
import { DomainError } from '../../kernel/errors';
import { isEmailAddress } from '../../http/fields/email-address';
import { findJsonFault } from '../../http/fields/json-fault';
import { findFlaw } from '../../http/fields/raw-input';
import { createRefusal, createUnknownField } from '../../http/fields/validation';
import { suggestNames } from '../../kernel/nearest';
import {
  CURRENCY_RULE,
  describeChoice,
  EMAIL_CHARS_MAX,
  EMAIL_RULE,
  MOMENT_RULE,
} from '../../http/fields/fields';
import { METADATA_RULE } from '../../http/fields/metadata-field';
import { AMOUNT_MAX } from '../../kernel/money';
import { parseInstant } from '../../kernel/time';
import { PAYMENT_REASONS } from '../../domain/billing/payment.events';
import { SUBSCRIPTION_STATUSES } from '../../domain/billing/subscription.events';
import { NOT_UTF8, TOO_LONG, type UploadedLine } from './import.upload';

/** The lines of an import file: one JSON object for each line. */

FormatRegistry.Set('instant', (text) => parseInstant(text) !== null);
FormatRegistry.Set('e-mail', isEmailAddress);

/**
 * The schemas of fields. `rule` is what a field must be, as the end of a sentence that begins with
 * the field.
 */
const text = (max: number, min = 1) =>
  Type.String({
    minLength: min,
    maxLength: max,
    rule: `must be a string of ${min} to ${max} characters`,
  });
const choice = <const T extends readonly string[]>(values: T) =>
  Type.Union(
    values.map((value) => Type.Literal(value as T[number])),
    { rule: describeChoice(values) },
  );
const Instant = Type.String({ format: 'instant', rule: MOMENT_RULE });
const ExternalId = text(255);
const NO_OTHER_FIELDS = { additionalProperties: false };

const SubscriberLine = Type.Object(
  {
    kind: Type.Literal('subscriber'),
    external_id: ExternalId,
    email: Type.String({ maxLength: EMAIL_CHARS_MAX, format: 'e-mail', rule: EMAIL_RULE }),
    created_at: Type.Optional(Instant),
    tags: Type.Optional(
      Type.Array(text(64), {
        maxItems: 50,
        rule: 'must be an array of at most 50 strings of 1 to 64 characters',
      }),
    ),
    metadata: Type.Optional(
      Type.Record(text(40), text(500, 0), { maxProperties: 50, rule: METADATA_RULE }),
    ),
  },
  NO_OTHER_FIELDS,
);
export type SubscriberLine = Static<typeof SubscriberLine>;

const SubscriptionLine = Type.Object(
  {
    kind: Type.Literal('subscription'),
    external_id: ExternalId,
    subscriber_external_id: ExternalId,
    plan: text(64),
    status: choice(SUBSCRIPTION_STATUSES),
    current_period_start: Instant,
    current_period_end: Instant,
    trial_end: Type.Optional(Instant),
    cancelled_at: Type.Optional(Instant),
    payment_method: Type.Optional(text(255)),
  },
  NO_OTHER_FIELDS,
);
export type SubscriptionLine = Static<typeof SubscriptionLine>;

const PaymentLine = Type.Object(
  {
    kind: Type.Literal('payment'),
    external_id: ExternalId,
    subscription_external_id: ExternalId,
    amount: Type.Integer({
      minimum: 0,
      maximum: AMOUNT_MAX,
      rule: `must be a whole number from 0 to ${AMOUNT_MAX}`,
    }),
    currency: Type.String({ pattern: '^[A-Z]{3}$', rule: CURRENCY_RULE }),
    status: choice(['succeeded', 'failed', 'refunded']),
    occurred_at: Instant,
    reason: Type.Optional(choice(PAYMENT_REASONS)),
  },
  NO_OTHER_FIELDS,
);
export type PaymentLine = Static<typeof PaymentLine>;

export type ImportLine = SubscriberLine | SubscriptionLine | PaymentLine;

const checks = new Map<unknown, TypeCheck<TObject>>([
  ['subscriber', TypeCompiler.Compile(SubscriberLine)],
  ['subscription', TypeCompiler.Compile(SubscriptionLine)],
  ['payment', TypeCompiler.Compile(PaymentLine)],
]);

/** Kinds of lines, for the API reference. */
export const LINE_KINDS = [...checks.keys()] as readonly string[];

const createLineError = (message: string, param?: string): DomainError =>
  new DomainError('parameter_invalid', message, param === undefined ? {} : { param });

/** Parses a line, or throws a refusal that names the field. */
export const parseLine = (text: UploadedLine): ImportLine => {
  if (text === TOO_LONG) throw new DomainError('payload_too_large', 'The line is too long.');
  if (text === NOT_UTF8) throw new DomainError('invalid_json', 'The line is not valid UTF-8.');
  const value = parseJson(text);
  const flaw = findFlaw(value);
  if (flaw !== null) throw createRefusal([flaw]);
  const check = checks.get(value['kind']);
  if (check === undefined) throw createLineError(`kind ${describeChoice(LINE_KINDS)}.`, 'kind');
  if (check.Check(value)) return value as unknown as ImportLine;
  throw refuseLine(check, value);
};

const parseJson = (text: string): Record<string, unknown> => {
  const value = parseValue(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new DomainError('invalid_json', 'The line is not a JSON object.');
};

const parseValue = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    const fault = findJsonFault(text) ?? 0;
    throw new DomainError('invalid_json', `The line is not valid JSON: column ${fault + 1}.`);
  }
};

const refuseLine = (check: TypeCheck<TObject>, value: Record<string, unknown>): DomainError => {
  const path = check.Errors(value).First()?.path ?? '';
  const [param = ''] = path.split('/').slice(1);
  const { properties } = check.Schema();
  const schema = properties[param];
  if (schema === undefined) {
    const hint = suggestNames(param, Object.keys(properties));
    return createRefusal([createUnknownField(param, hint)]);
  }
  return value[param] === undefined
    ? new DomainError('parameter_missing', `${param} is required.`, { param })
    : createLineError(`${param} ${String(schema['rule'])}.`, param);
};
