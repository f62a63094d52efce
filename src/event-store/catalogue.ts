import { parseEventTypes } from '../kernel/event-filter';
import type { Json, JsonObject } from '../kernel/json';

/**
 * The kind of a personal field in an event's `data` (D-64). An `email` is left out for receivers
 * that may not see it. A `text` (subject, note, name, metadata value) becomes null.
 */
export type PersonalKind = 'email' | 'text';

/** A JSON Schema as TypeBox builds it. The keyword `pii` is specific to this service. */
export interface EventSchema {
  readonly pii?: PersonalKind;
  /** True for a field that is stored for the fold and never shown. */
  readonly unpublished?: boolean;
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, EventSchema>>;
  readonly patternProperties?: Readonly<Record<string, EventSchema>>;
  readonly items?: EventSchema | readonly EventSchema[];
  readonly anyOf?: readonly EventSchema[];
}

export type Path = readonly (string | number)[];

/** A personal value and its path in `data`. */
export type PersonalField = readonly [Path, Json];

/**
 * All event types that the service stores, with their schemas. The domain contributes them and the
 * infrastructure reads them.
 */
export class EventCatalogue {
  private readonly schemas: ReadonlyMap<string, EventSchema>;
  private readonly personalTypes: ReadonlySet<string>;
  /** Types with unpublished fields. */
  private readonly typesWithUnpublished: ReadonlySet<string>;

  /** The parts are TypeBox schemas by event type. */
  constructor(parts: readonly Readonly<Record<string, object>>[]) {
    const entries = parts.flatMap((part) => Object.entries(part)) as [string, EventSchema][];
    this.schemas = new Map(entries);
    if (this.schemas.size !== entries.length)
      throw new Error('two parts of the catalogue define the same event type');
    this.personalTypes = new Set(entries.filter(([, s]) => hasPersonal(s)).map(([type]) => type));
    this.typesWithUnpublished = new Set(
      entries.filter(([, s]) => hasUnpublished(s)).map(([type]) => type),
    );
  }

  /** Returns the event types in alphabetical order. */
  listTypes(): string[] {
    return [...this.schemas.keys()].sort();
  }

  /** Expands the patterns of a filter to event types, so that an index on the type serves them. */
  expandPatterns(patterns: readonly string[], param?: string): string[] {
    const { matches } = parseEventTypes(patterns, this.listTypes(), param);
    return this.listTypes().filter(matches);
  }

  findSchema(type: string): EventSchema | undefined {
    return this.schemas.get(type);
  }

  /** Returns an event's `data` without its unpublished fields. */
  removeUnpublished(type: string, data: JsonObject): JsonObject {
    const schema = this.schemas.get(type);
    if (schema === undefined || !this.typesWithUnpublished.has(type)) return data;
    return removeUnpublished(schema, data) as JsonObject;
  }

  /** Returns `data` with null in the place of personal fields, and those fields. */
  splitPersonal(type: string, data: JsonObject): { data: JsonObject; personal: PersonalField[] } {
    const schema = this.schemas.get(type);
    if (schema === undefined || !this.personalTypes.has(type)) return { data, personal: [] };
    const personal: PersonalField[] = [];
    return { data: stripPersonal(schema, data, [], personal) as JsonObject, personal };
  }
}

/** Returns a value without its unpublished fields. */
export const removeUnpublished = (schema: EventSchema, value: Json): Json =>
  removeFields(schema, value, (inner) => inner.unpublished === true);

/** Returns a value without its personal fields. Metadata keeps its keys, with null (D-92, D-64). */
export const removePersonal = (schema: EventSchema, value: Json): Json =>
  hasPersonal(schema)
    ? removeFields(schema, stripPersonal(schema, value, [], []), (inner) => inner.pii !== undefined)
    : value;

/** Removes properties at any depth whose schema fulfils a condition. */
const removeFields = (
  schema: EventSchema,
  value: Json,
  leavesOut: (inner: EventSchema) => boolean,
): Json => {
  if (isList(value)) {
    const items = readVariants(schema).find((each) => each.items !== undefined)?.items;
    return items === undefined
      ? value
      : value.map((item) => removeFields(items as EventSchema, item, leavesOut));
  }
  if (typeof value !== 'object' || value === null) return value;
  const shapes = readVariants(schema);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      if (shapes.some(({ properties }) => properties?.[key] && leavesOut(properties[key])))
        return [];
      const inner = shapes.map((shape) => findField(shape, key)).find((s) => s !== undefined);
      return [[key, inner === undefined ? item : removeFields(inner, item, leavesOut)]];
    }),
  );
};

/**
 * Returns a schema without its unpublished properties. Personal properties are not required,
 * because some receivers do not see them.
 */
export const selectPublishedProperties = <S extends object>(schema: S): S => {
  const { properties, required } = schema as EventSchema;
  if (properties === undefined || properties === null) return schema;
  const kept = Object.entries(properties).filter(([, inner]) => inner.unpublished !== true);
  const always = kept.filter(([, inner]) => inner.pii === undefined).map(([name]) => name);
  return {
    ...schema,
    properties: Object.fromEntries(kept),
    ...(required === undefined
      ? {}
      : { required: required.filter((name) => always.includes(name)) }),
  };
};

/** Returns the JSON Schema of the published fields, including the `pii` tags. */
export const toPublishedSchema = (schema: Json): Json => {
  if (isList(schema)) return schema.map(toPublishedSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(selectPublishedProperties(schema)).map(([key, inner]) => [
      key,
      toPublishedSchema(inner),
    ]),
  );
};

/** Restores personal fields at their paths. */
export const restorePersonal = (data: JsonObject, personal: readonly PersonalField[]): JsonObject =>
  personal.reduce<Json>((into, [path, value]) => putAt(into, path, value), data) as JsonObject;

/** Restores the personal fields of one part of `data`; `at` is the path of the part. */
export const restorePersonalPart = (
  part: JsonObject,
  at: Path,
  personal: readonly PersonalField[],
): JsonObject =>
  restorePersonal(
    part,
    personal
      .filter(([path]) => at.every((step, i) => path[i] === step))
      .map(([path, value]) => [path.slice(at.length), value] as const),
  );

const putAt = (into: Json, [head, ...rest]: Path, value: Json): Json => {
  if (head === undefined) return value;
  if (isList(into)) {
    return into.map((item, i) => (i === head ? putAt(item, rest, value) : item));
  }
  const object = into as JsonObject;
  return { ...object, [head]: putAt(object[head] ?? null, rest, value) };
};

const stripPersonal = (
  schema: EventSchema,
  value: Json,
  path: Path,
  found: PersonalField[],
): Json => {
  if (value === null) return value;
  if (schema.pii !== undefined) {
    found.push([path, value]);
    return null;
  }
  if (isList(value)) {
    return value.map((item, i) => stripItem(schema, item, [...path, i], found));
  }
  if (typeof value === 'object') return stripObject(schema, value, path, found);
  return value;
};

const stripItem = (schema: EventSchema, item: Json, path: Path, found: PersonalField[]): Json => {
  const items = readVariants(schema).find((each) => each.items !== undefined)?.items;
  return items === undefined ? item : stripPersonal(items as EventSchema, item, path, found);
};

const stripObject = (
  schema: EventSchema,
  value: JsonObject,
  path: Path,
  found: PersonalField[],
): JsonObject => {
  const shapes = readVariants(schema);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const inner = shapes
        .map((shape) => findField(shape, key))
        .find((s) => s !== undefined && hasPersonal(s));
      return [key, inner === undefined ? item : stripPersonal(inner, item, [...path, key], found)];
    }),
  );
};

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

const readVariants = (schema: EventSchema): readonly EventSchema[] => schema.anyOf ?? [schema];

const findField = (schema: EventSchema, key: string): EventSchema | undefined =>
  schema.properties?.[key] ?? Object.values(schema.patternProperties ?? {})[0];

/**
 * Cache of the responses, because every field of every event is checked and schemas never change.
 */
const personalSchemas = new WeakMap<EventSchema, boolean>();

const hasPersonal = (schema: EventSchema): boolean => {
  const known = personalSchemas.get(schema);
  if (known !== undefined) return known;
  const found = schema.pii !== undefined || readChildren(schema).some(hasPersonal);
  personalSchemas.set(schema, found);
  return found;
};

const hasUnpublished = (schema: EventSchema): boolean =>
  schema.unpublished === true || readChildren(schema).some(hasUnpublished);

const readChildren = (schema: EventSchema): readonly EventSchema[] => [
  ...Object.values(schema.properties ?? {}),
  ...Object.values(schema.patternProperties ?? {}),
  ...(schema.anyOf ?? []),
  ...(schema.items === undefined ? [] : [schema.items].flat()),
];
