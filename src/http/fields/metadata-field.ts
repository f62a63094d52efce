import { ValidateBy } from 'class-validator';
import { createField, describeRule, type FieldOptions, hasSize, SHOWN_TEXT } from './fields';

const METADATA_KEYS_MAX = 50;
const METADATA_KEY_CHARS_MAX = 40;
const METADATA_VALUE_CHARS_MAX = 500;

const isMetadata = (value: unknown, nullable: boolean): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length <= METADATA_KEYS_MAX &&
  Object.entries(value).every(
    ([key, item]) =>
      hasSize(key, { min: 1, max: METADATA_KEY_CHARS_MAX }) &&
      ((nullable && item === null) || hasSize(item, { min: 0, max: METADATA_VALUE_CHARS_MAX })),
  );

export const METADATA_RULE = `must be an object of at most ${METADATA_KEYS_MAX} keys of 1 to ${METADATA_KEY_CHARS_MAX} characters; each value must be a string of at most ${METADATA_VALUE_CHARS_MAX} characters`;

/** This keyword of JSON Schema is missing in the types of Nest. */
const METADATA_NAMES: object = {
  propertyNames: { minLength: 1, maxLength: METADATA_KEY_CHARS_MAX, pattern: SHOWN_TEXT },
};

/** Free-form key/value pairs (D-50): at most 50 keys of 40 characters, values of 500. */
export const Metadata = (
  options: FieldOptions & { readonly nullDeletes?: boolean } = {},
): PropertyDecorator =>
  createField(
    options,
    {
      type: 'object',
      maxProperties: METADATA_KEYS_MAX,
      ...METADATA_NAMES,
      additionalProperties: {
        type: 'string',
        maxLength: METADATA_VALUE_CHARS_MAX,
        pattern: SHOWN_TEXT,
        ...(options.nullDeletes === true ? { nullable: true } : {}),
      },
    },
    ValidateBy(
      {
        name: 'isMetadata',
        validator: { validate: (value) => isMetadata(value, options.nullDeletes === true) },
      },
      describeRule(
        options,
        options.nullDeletes === true
          ? `${METADATA_RULE}, or null to remove the key`
          : METADATA_RULE,
      ),
    ),
  );
