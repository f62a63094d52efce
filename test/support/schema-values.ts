import fc from 'fast-check';
import { resolveReference } from './contract';

type Json = Record<string, unknown>;

/**
 * The number of characters beyond the minimum. Longer texts and lists test nothing more and slow
 * the run down; a boundary is reached only if it is near.
 */
const EXTRA_CHARS_MAX = 12;
const BOUNDARY_CHARS_MAX = 300;
const ITEMS_MAX = 3;
const DEPTH_MAX = 6;

/** Generates values that a schema of the document admits. */
export const createValues = (document: Json, schema: Json, depth = 0): fc.Arbitrary<unknown> => {
  if (typeof schema['$ref'] === 'string')
    return createValues(document, resolveReference(document, schema), depth);
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  const parts = schema['allOf'] as Json[] | undefined;
  if (parts !== undefined) {
    const { allOf: _, ...around } = schema;
    const whole = parts
      .map((part) => resolveReference(document, part))
      .reduce(mergeSchemas, around);
    return createValues(document, whole, depth);
  }
  const variants = (schema['oneOf'] ?? schema['anyOf']) as Json[] | undefined;
  if (variants !== undefined) {
    const { oneOf: _one, anyOf: _any, ...around } = schema;
    return fc.oneof(
      ...variants.map((variant) =>
        createValues(document, mergeSchemas(around, resolveReference(document, variant)), depth),
      ),
    );
  }
  const types = [schema['type'] ?? 'any'].flat() as string[];
  return fc.oneof(...types.map((type) => createValuesOfType(document, { ...schema, type }, depth)));
};

/**
 * Merges a schema with one of its variants. The surrounding rules hold for each variant, except for
 * the fields that it excludes.
 */
const mergeSchemas = (around: Json, variant: Json): Json => ({
  ...around,
  ...variant,
  ...('properties' in around || 'properties' in variant
    ? {
        properties: omitKeys(
          mergeFields(around['properties'] as Fields, variant['properties'] as Fields),
          listExcluded(variant),
        ),
      }
    : {}),
  ...('required' in around || 'required' in variant
    ? {
        required: [
          ...((around['required'] ?? []) as string[]),
          ...((variant['required'] ?? []) as string[]),
        ],
      }
    : {}),
});

type Fields = Readonly<Record<string, Json | boolean>> | undefined;

/** Merges the rules of each field. A field that a variant forbids stays forbidden. */
const mergeFields = (around: Fields = {}, variant: Fields = {}): Json => ({
  ...around,
  ...Object.fromEntries(
    Object.entries(variant).map(([name, rules]) => [
      name,
      typeof rules === 'boolean' ? rules : { ...(around[name] as Json | undefined), ...rules },
    ]),
  ),
});

const omitKeys = (fields: Json, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** Returns the fields that `not` excludes. A single one of several is allowed. */
const listExcluded = ({ not }: Json): string[] => {
  const { required = [], anyOf = [] } = (not ?? {}) as { required?: string[]; anyOf?: Json[] };
  const each = anyOf.flatMap((inner) => (inner['required'] ?? []) as string[]);
  return required.length === 1 ? [...required, ...each] : each;
};

const createValuesOfType = (document: Json, schema: Json, depth: number): fc.Arbitrary<unknown> => {
  switch (schema['type']) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return createIntegers(schema);
    case 'number':
      return createNumbers(schema);
    case 'string':
      return createTexts(schema);
    case 'array':
      return createLists(document, schema, depth);
    case 'object':
      return createObjects(document, schema, depth);
    default:
      return fc.constantFrom(true, 1, 'a', null);
  }
};

const readLimit = (schema: Json, name: string, otherwise: number): number =>
  (schema[name] as number | undefined) ?? otherwise;

const createIntegers = (schema: Json): fc.Arbitrary<number> => {
  const min = readLimit(schema, 'minimum', Number.MIN_SAFE_INTEGER);
  const max = readLimit(schema, 'maximum', Number.MAX_SAFE_INTEGER);
  return fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max: Math.min(max, min + 100) }));
};

const createNumbers = (schema: Json): fc.Arbitrary<number> => {
  const min = readLimit(schema, 'minimum', -1e9);
  const max = readLimit(schema, 'maximum', 1e9);
  return fc.oneof(
    fc.constantFrom(min, max),
    fc.integer({ min: 0, max: 1_000 }).map((part) => min + ((max - min) * part) / 1_000),
  );
};

const createTexts = (schema: Json): fc.Arbitrary<string> => {
  const min = readLimit(schema, 'minLength', 0);
  const max = readLimit(schema, 'maxLength', min + EXTRA_CHARS_MAX);
  const fits = (text: string): boolean => {
    const { length } = Array.from(text);
    return length >= min && length <= max;
  };
  if (schema['format'] === 'date-time') return MOMENTS;
  if (schema['format'] === 'email') return EMAILS.filter(fits);
  if (schema['format'] === 'uri') return URLS.filter(fits);
  const pattern = schema['pattern'];
  const upTo = Math.min(max, min + EXTRA_CHARS_MAX);
  const free = fc.oneof(
    fc.string({ unit: 'grapheme-ascii', minLength: min, maxLength: upTo }),
    fc.string({ unit: 'binary', minLength: min, maxLength: upTo }),
    ...(max <= BOUNDARY_CHARS_MAX
      ? [fc.constantFrom('x', 'é', '🎉').map((character) => character.repeat(max))]
      : []),
  );
  if (typeof pattern !== 'string') return free;
  const expression = new RegExp(pattern, 'u');
  // Most texts match a pattern that only excludes characters.
  const isNarrow = !pattern.startsWith('^[^') && !pattern.includes('(?');
  const matching = isNarrow ? fc.stringMatching(expression) : free;
  return matching.filter((text) => expression.test(text) && fits(text));
};

const pad = (number: number): string => String(number).padStart(2, '0');

/** Date-times of RFC 3339, with the time zones and fractions that it allows. */
const MOMENTS = fc
  .record({
    year: fc.constantFrom(2024, 2025, 2026, 2027),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
    hour: fc.integer({ min: 0, max: 23 }),
    minute: fc.integer({ min: 0, max: 59 }),
    fraction: fc.constantFrom('', '.5', '.123', '.123456', '.123456789'),
    zone: fc.constantFrom('Z', 'z', '+00:00', '-00:00', '+05:30', '-11:00', '+14:00'),
    separator: fc.constantFrom('T', 'T', 't'),
  })
  .map(
    ({ year, month, day, hour, minute, fraction, zone, separator }) =>
      `${year}-${pad(month)}-${pad(day)}${separator}${pad(hour)}:${pad(minute)}:07${fraction}${zone}`,
  );

const EMAILS = fc.oneof(
  fc.integer({ min: 1, max: 1e9 }).map((number) => `reader.${number}+news@example.com`),
  fc.emailAddress(),
);

const URLS = fc.constantFrom(
  'https://example.com/webhooks',
  'https://example.org:8443/a/b?c=d',
  'https://hooks.example.net/ü'.replace('ü', '%C3%BC'),
);

const createLists = (document: Json, schema: Json, depth: number): fc.Arbitrary<unknown[]> => {
  const minLength = readLimit(schema, 'minItems', 0);
  const maxLength = Math.min(readLimit(schema, 'maxItems', ITEMS_MAX), minLength + ITEMS_MAX);
  const items = createValues(document, (schema['items'] ?? {}) as Json, depth + 1);
  const sizes = { minLength, maxLength: depth > DEPTH_MAX ? minLength : maxLength };
  return schema['uniqueItems'] === true
    ? fc.uniqueArray(items, { ...sizes, selector: (item) => JSON.stringify(item) })
    : fc.array(items, sizes);
};

/**
 * Names of keys. Names that every object inherits are refused everywhere, as the chapters of the
 * reference say.
 */
const KEYS = fc
  .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 10 })
  .filter((key) => !(key in {}));

const createObjects = (document: Json, schema: Json, depth: number): fc.Arbitrary<Json> => {
  const properties = (schema['properties'] ?? {}) as Record<string, Json | boolean>;
  const required = (schema['required'] ?? []) as string[];
  const named = Object.entries(properties).filter(([, inner]) => inner !== false);
  const fields = fc.record(
    Object.fromEntries(
      named.map(([name, inner]) => [name, createValues(document, inner as Json, depth + 1)]),
    ),
    { requiredKeys: required.filter((name) => named.some(([each]) => each === name)) },
  );
  const others = schema['additionalProperties'];
  if (typeof others !== 'object' || others === null) return fields;
  const more = fc.dictionary(KEYS, createValues(document, others as Json, depth + 1), {
    maxKeys: Math.min(readLimit(schema, 'maxProperties', ITEMS_MAX), ITEMS_MAX),
  });
  return fc.tuple(more, fields).map(([free, known]) => ({ ...free, ...known }));
};
