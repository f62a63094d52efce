import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsObject,
  IsString,
  ValidateBy,
} from 'class-validator';
import { isEmailAddress } from './email-address';
import {
  Characters,
  createField,
  createForm,
  describeItemRule,
  describeRule,
  describeSize,
  EMAIL_CHARS_MAX,
  EMAIL_RULE,
  type FieldOptions,
  hasSize,
  TEXT_CHARS_MAX,
  trimText,
} from './fields';

/** Field decorators for lists. `fields.ts` has those for single values. */

interface ListOptions extends FieldOptions {
  /** The default is 0. */
  readonly itemsMin?: number;
  readonly itemsMax: number;
  readonly itemCharsMax?: number;
  readonly itemFormat?: string;
  /**
   * A pattern that is shown in the API reference but not checked here: other code checks the items.
   */
  readonly itemPattern?: RegExp;
  /** True if no two items may be equal. */
  readonly unique?: boolean;
}

/** The schema of an item of a list of texts. */
const createItemSchema = ({
  itemCharsMax = TEXT_CHARS_MAX,
  itemFormat,
  itemPattern,
}: ListOptions) => ({
  type: 'string',
  minLength: 1,
  maxLength: itemCharsMax,
  ...createForm({
    ...(itemFormat === undefined ? {} : { format: itemFormat }),
    ...(itemPattern === undefined ? {} : { pattern: itemPattern }),
  }),
});

/**
 * The formats of event types and of filters of event types. Their patterns are made from the
 * catalogue of events when the OpenAPI document is built.
 */
export const EVENT_TYPE_FORMAT = 'event-type';
export const EVENT_FILTER_FORMAT = 'event-filter';

export const TextList = (options: ListOptions): PropertyDecorator => {
  const { itemsMin = 0, itemsMax, itemCharsMax = TEXT_CHARS_MAX, unique = false } = options;
  const size = describeSize({ min: itemsMin, max: itemsMax }, 'items');
  const characters = { min: 1, max: itemCharsMax };
  return createField(
    options,
    {
      type: 'array',
      items: createItemSchema(options),
      ...(itemsMin === 0 ? {} : { minItems: itemsMin }),
      maxItems: itemsMax,
      ...(unique ? { uniqueItems: true } : {}),
    },
    IsArray(describeRule(options, 'must be an array')),
    ArrayMinSize(itemsMin, describeRule(options, size)),
    ArrayMaxSize(itemsMax, describeRule(options, size)),
    ...(unique ? [ArrayUnique(describeRule(options, 'must not have the same item twice'))] : []),
    IsString(describeItemRule(options, 'must be a string')),
    Characters(characters, describeItemRule(options, describeSize(characters, 'characters'))),
  );
};

/**
 * A list of e-mail addresses without duplicates. White space around them is dropped; their case is
 * kept.
 */
export const EmailList = (options: ListOptions): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value) ? value.map((item: unknown) => trimText(item)) : value,
    ),
    TextList({ ...options, itemCharsMax: EMAIL_CHARS_MAX, itemFormat: 'email', unique: true }),
    ValidateBy(
      {
        name: 'isEmail',
        validator: { validate: isEmailAddress },
      },
      describeItemRule(options, EMAIL_RULE),
    ),
  );

/** One text, or a list of texts. */
export const TextOrList = (options: ListOptions): PropertyDecorator => {
  const { itemsMin = 0, itemsMax, itemCharsMax = TEXT_CHARS_MAX } = options;
  const text = createItemSchema(options);
  const isText = (value: unknown): boolean => hasSize(value, { min: 1, max: itemCharsMax });
  return createField(
    options,
    {
      oneOf: [text, { type: 'array', items: text, minItems: itemsMin, maxItems: itemsMax }],
    },
    ValidateBy(
      {
        name: 'isTextOrList',
        validator: {
          validate: (value) =>
            isText(value) ||
            (Array.isArray(value) &&
              value.length >= itemsMin &&
              value.length <= itemsMax &&
              value.every(isText)),
        },
      },
      describeRule(
        options,
        `must be a string of 1 to ${itemCharsMax} characters, or an array of ${itemsMin} to ${itemsMax} such strings`,
      ),
    ),
  );
};

/** A list of JSON objects. The code that uses them checks their content. */
export const ObjectList = (options: Omit<ListOptions, 'itemCharsMax'>): PropertyDecorator => {
  const { itemsMin = 0, itemsMax } = options;
  const size = describeSize({ min: itemsMin, max: itemsMax }, 'items');
  return createField(
    options,
    {
      type: 'array',
      items: { type: 'object', additionalProperties: true },
      minItems: itemsMin,
      maxItems: itemsMax,
    },
    IsArray(describeRule(options, 'must be an array')),
    ArrayMinSize(itemsMin, describeRule(options, size)),
    ArrayMaxSize(itemsMax, describeRule(options, size)),
    IsObject(describeItemRule(options, 'must be an object')),
  );
};

/** An item between two commas: it has no comma, and more than white space, which is trimmed. */
const BETWEEN_COMMAS = /^[^,]*[^,\s][^,]*$/;

/** A comma-separated list in one query parameter (form style, not exploded). */
export const QueryList = (options: ListOptions): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value,
    ),
    TextList({ itemPattern: BETWEEN_COMMAS, ...options }),
  );
