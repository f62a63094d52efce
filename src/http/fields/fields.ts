import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  type ValidationArguments,
  type ValidationOptions,
} from 'class-validator';
import { isEmailAddress } from './email-address';
import type { ErrorCode } from '../../kernel/errors';
import { CONTROL_CHARACTERS } from '../../kernel/text';
import { parseInstant } from '../../kernel/time';

/**
 * Field decorators for DTOs: each states a field's rule once, for validation and for the API
 * reference. Every text, list and number is bounded.
 */

export interface FieldOptions {
  readonly description?: string;
  readonly example?: unknown;
  readonly optional?: boolean;
  /** Allows null in addition to the field's type. */
  readonly nullable?: boolean;
  readonly default?: unknown;
  /** The error code for a wrong value. The default is `parameter_invalid`. */
  readonly code?: ErrorCode;
}

export const TEXT_CHARS_MAX = 255;

/**
 * Applies the options of a field. Without options a field is required, and null is checked like any
 * other value.
 */
export const createField = (
  options: FieldOptions,
  api: ApiPropertyOptions,
  ...rules: PropertyDecorator[]
): PropertyDecorator => {
  const { optional = false, nullable = false } = options;
  return applyDecorators(
    ValidateIf((_, value) => !(optional && value === undefined) && !(nullable && value === null)),
    ApiProperty({
      required: !optional,
      ...(nullable ? { nullable } : {}),
      ...(options.description === undefined ? {} : { description: options.description }),
      ...(options.example === undefined ? {} : { example: options.example }),
      ...(options.default === undefined ? {} : { default: options.default }),
      ...api,
    } as ApiPropertyOptions),
    ...rules,
  );
};

export const addCode = ({ code }: FieldOptions): ValidationOptions =>
  code === undefined ? {} : { context: { code } };

/** Options of a rule with its message: the rule as the end of a sentence that begins with the field. */
export const describeRule = (
  options: FieldOptions,
  message: string | ((value: unknown) => string),
): ValidationOptions => ({
  ...addCode(options),
  message:
    typeof message === 'string'
      ? `$property ${message}`
      : ({ value }: ValidationArguments) => `$property ${message(value)}`,
});

/** The same for a rule of each item of a list. */
export const describeItemRule = (options: FieldOptions, message: string): ValidationOptions => ({
  ...addCode(options),
  each: true,
  message: `each item of $property ${message}`,
});

/** Lists the values of which a field takes one. */
export const describeChoice = (values: readonly string[]): string =>
  `must be ${values.length === 1 ? '' : 'one of '}${values.join(', ')}`;

/** Describes bounds, such as `must have 1 to 50 items`. */
export const describeSize = ({ min, max }: Size, unit: string): string =>
  `must have ${min === 0 ? 'at most' : min === max ? 'exactly' : `${min} to`} ${max} ${unit}`;

interface Size {
  readonly min: number;
  readonly max: number;
}

/** Counts characters as JSON Schema does: an emoji of two code units is one character. */
const countCharacters = (text: string): number => Array.from(text).length;

export const hasSize = (value: unknown, { min, max }: Size): boolean =>
  // A character has one or two code units, so a text with more than `2 * max` of them is too long
  // without counting.
  typeof value === 'string' &&
  value.length >= min &&
  value.length <= 2 * max &&
  countCharacters(value) >= min &&
  countCharacters(value) <= max;

/** Limits the number of characters of a text, or of each text of a list. */
export const Characters = (size: Size, options: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: 'characters',
      constraints: [size],
      validator: { validate: (value) => hasSize(value, size) },
    },
    options,
  );

interface TextOptions extends FieldOptions {
  /** True if the text must be one line (`Line`). */
  readonly oneLine?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
  /**
   * The pattern in words, for the error message. It follows the name of the field, such as `must be
   * an address`.
   */
  readonly patternText?: string;
  readonly format?: string;
  /**
   * A pattern that is shown in the API reference but not checked here: other code checks the text.
   */
  readonly shownPattern?: RegExp;
}

export const Text = (options: TextOptions = {}): PropertyDecorator => {
  const { min = 1, max = TEXT_CHARS_MAX, oneLine = false } = options;
  const pattern = oneLine ? ONE_LINE : options.pattern;
  const patternText = oneLine
    ? 'must be one line that is not blank, without control characters'
    : options.patternText;
  return createField(
    options,
    {
      type: String,
      minLength: min,
      maxLength: max,
      ...createForm(options),
    },
    IsString(describeRule(options, 'must be a string')),
    Characters({ min, max }, describeRule(options, describeSize({ min, max }, 'characters'))),
    ...(pattern === undefined
      ? []
      : [Matches(pattern, describeRule(options, patternText ?? `must match ${pattern.source}`))]),
  );
};

const ONE_LINE = new RegExp(`^(?=.*\\S)[^${CONTROL_CHARACTERS}]*$`);

/** Surrogate code units without their partner. JSON Schema applies patterns to whole characters. */
const LONE_SURROGATES = '\\uD800-\\uDFFF';
const LINE_BREAKERS = `${CONTROL_CHARACTERS}${LONE_SURROGATES}`;
const SHOWN_LINE = `^[^${LINE_BREAKERS}]*[^\\s${LINE_BREAKERS}][^${LINE_BREAKERS}]*$`;
/** The pattern of every text: well-formed Unicode without NUL (`findFlaw`). */
export const SHOWN_TEXT = `^[^\\u0000${LONE_SURROGATES}]*$`;

/**
 * Returns the format and the pattern of a text for the API reference. A text without a pattern of
 * its own gets the one that every text must match.
 */
export const createForm = ({
  oneLine = false,
  format,
  pattern,
  shownPattern,
}: TextOptions): object => {
  const own = oneLine ? SHOWN_LINE : (shownPattern ?? pattern)?.source;
  if (format === undefined) return { pattern: own ?? SHOWN_TEXT };
  return { format, ...(own === undefined ? {} : { pattern: own }) };
};

/**
 * A name that people read and that e-mails and logs show: one line of text that is not blank,
 * without characters that end a line or hide in it. Descriptions, comments and texts of subscribers
 * may have several lines (`Text`).
 */
export const Line = (options: Omit<TextOptions, 'pattern' | 'oneLine'> = {}): PropertyDecorator =>
  Text({ ...options, oneLine: true });

export const EMAIL_CHARS_MAX = 254;
export const EMAIL_RULE = 'must be an e-mail address, such as ada@example.com';

export const trimText = (value: unknown): unknown =>
  typeof value === 'string' ? value.trim() : value;

/** An e-mail address. White space around it is dropped; its case is kept. */
export const Email = (options: FieldOptions = {}): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => trimText(value)),
    Text({ ...options, max: EMAIL_CHARS_MAX, format: 'email' }),
    ValidateBy(
      {
        name: 'isEmail',
        validator: { validate: isEmailAddress },
      },
      describeRule(options, EMAIL_RULE),
    ),
  );

export const ID_CHARS_MAX = 64;

/** An object's id. Its form is not checked here: an id that does not exist is a 404, not a 400. */
export const Id = (options: FieldOptions = {}): PropertyDecorator =>
  Text({ ...options, max: ID_CHARS_MAX });

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));
export const CURRENCY_RULE = 'must be an ISO 4217 code in upper case, such as USD';
export const CURRENCY_PATTERN = `^(${[...CURRENCIES].join('|')})$`;

/** An ISO 4217 currency code in upper case. */
export const CurrencyField = (options: FieldOptions = {}): PropertyDecorator =>
  createField(
    options,
    { type: 'string', pattern: CURRENCY_PATTERN },
    ValidateBy(
      {
        name: 'isCurrency',
        validator: { validate: (value) => typeof value === 'string' && CURRENCIES.has(value) },
      },
      describeRule(options, CURRENCY_RULE),
    ),
  );

interface NumberOptions extends FieldOptions {
  readonly min: number;
  readonly max: number;
}

/** The rules of a number share one message, which says both bounds. */
const describeNumber = (options: NumberOptions, kind: string): ValidationOptions =>
  describeRule(options, `must be ${kind} from ${options.min} to ${options.max}`);

export const Int = (options: NumberOptions): PropertyDecorator =>
  createField(
    options,
    { type: 'integer', minimum: options.min, maximum: options.max },
    IsInt(describeNumber(options, 'a whole number')),
    Min(options.min, describeNumber(options, 'a whole number')),
    Max(options.max, describeNumber(options, 'a whole number')),
  );

export const Num = (options: NumberOptions): PropertyDecorator =>
  createField(
    options,
    { type: Number, minimum: options.min, maximum: options.max },
    IsNumber({ allowNaN: false, allowInfinity: false }, describeNumber(options, 'a number')),
    Min(options.min, describeNumber(options, 'a number')),
    Max(options.max, describeNumber(options, 'a number')),
  );

export const Flag = (options: FieldOptions = {}): PropertyDecorator =>
  createField(
    options,
    { type: Boolean },
    IsBoolean(describeRule(options, 'must be true or false')),
  );

export const Choice = (values: readonly string[], options: FieldOptions = {}): PropertyDecorator =>
  createField(
    options,
    { enum: [...values] },
    IsIn([...values], describeRule(options, describeChoice(values))),
  );

/** A list of allowed values. */
export const ChoiceList = (
  values: readonly string[],
  { min = 0, ...options }: FieldOptions & { readonly min?: number } = {},
): PropertyDecorator => {
  const sizeRule = describeRule(options, describeSize({ min, max: values.length }, 'items'));
  return createField(
    options,
    {
      type: 'array',
      items: { type: 'string', enum: [...values] },
      ...(min === 0 ? {} : { minItems: min }),
      maxItems: values.length,
    },
    IsArray(describeRule(options, 'must be an array')),
    ArrayMinSize(min, sizeRule),
    ArrayMaxSize(values.length, sizeRule),
    IsIn([...values], describeItemRule(options, describeChoice(values))),
  );
};

export const MOMENT_RULE =
  'must be an ISO 8601 date-time with a time zone, such as 2026-01-31T09:00:00Z';

/** A time zone such as `+02:00` of which a URL has made ` 02:00`. */
const LOST_PLUS = / \d{2}:?\d{2}$/;

const describeMoment = (value: unknown): string =>
  typeof value === 'string' && LOST_PLUS.test(value)
    ? `${MOMENT_RULE}. A + in a URL is read as a space: write it as %2B`
    : MOMENT_RULE;

/** An ISO 8601 date-time with a time zone. It is converted to UTC. */
export const Moment = (options: FieldOptions = {}): PropertyDecorator =>
  createField(
    options,
    { type: String, format: 'date-time' },
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (parseInstant(value) ?? value) : value,
    ),
    ValidateBy(
      {
        name: 'isInstant',
        validator: {
          validate: (value) => typeof value === 'string' && parseInstant(value) !== null,
        },
      },
      describeRule(options, describeMoment),
    ),
  );

/** Any JSON object. The code that uses it checks its content. */
export const FreeObject = (options: FieldOptions = {}): PropertyDecorator =>
  createField(
    options,
    { type: 'object', additionalProperties: true },
    IsObject(describeRule(options, 'must be an object')),
  );

export const Nested = (
  type: () => new () => object,
  options: FieldOptions = {},
): PropertyDecorator =>
  // The library recognises a lazy type by the name of its function, which must be `type`.
  createField(
    options,
    { type: () => type() },
    IsObject(describeRule(options, 'must be an object')),
    ValidateNested(describeRule(options, 'must be an object')),
    Type(type),
  );

/** A whole number in the query, which arrives as text. */
export const QueryInt = (options: NumberOptions): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value,
    ),
    Int(options),
  );

/** A query parameter that is `true` or `false`. */
export const QueryFlag = (options: FieldOptions = {}): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      value === 'true' ? true : value === 'false' ? false : value,
    ),
    Flag(options),
  );
