import { parseEventTypes } from '../kernel/event-filter';
import type { Json, JsonObject } from '../kernel/json';

/**
 * How a field of an event's `data` is personal (D-64): an `email` is left out for receivers that may
 * not see it, a `text` (subject, note, name, metadata value) becomes null.
 */
export type PersonalKind = 'email' | 'text';

/** A JSON Schema as TypeBox builds it; `pii` is our keyword. */
export interface EventSchema {
  readonly pii?: PersonalKind;
  /** Stored for the fold, never shown. */
  readonly unpublished?: boolean;
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, EventSchema>>;
  readonly patternProperties?: Readonly<Record<string, EventSchema>>;
  readonly items?: EventSchema | readonly EventSchema[];
  readonly anyOf?: readonly EventSchema[];
}

export type Path = readonly (string | number)[];

/** A personal value and where it stood in `data`. */
export type PersonalField = readonly [Path, Json];

/** Every event type the service stores, with its schema. Features contribute, machinery reads. */
export class EventCatalogue {
  private readonly schemas: ReadonlyMap<string, EventSchema>;
  private readonly personal: ReadonlySet<string>;
  /** Types of which not all is shown. */
  private readonly veiled: ReadonlySet<string>;

  /** Takes TypeBox schemas by event type. */
  constructor(parts: readonly Readonly<Record<string, object>>[]) {
    const entries = parts.flatMap((part) => Object.entries(part)) as [string, EventSchema][];
    this.schemas = new Map(entries);
    if (this.schemas.size !== entries.length) throw new Error('an event type is defined twice');
    this.personal = new Set(entries.filter(([, s]) => hasPersonal(s)).map(([type]) => type));
    this.veiled = new Set(entries.filter(([, s]) => hasUnpublished(s)).map(([type]) => type));
  }

  /** Event types in alphabetical order. */
  types(): string[] {
    return [...this.schemas.keys()].sort();
  }

  /** The types that a filter names, one by one: an index on the type then serves families too. */
  typesOf(patterns: readonly string[], param?: string): string[] {
    const { matches } = parseEventTypes(patterns, this.types(), param);
    return this.types().filter(matches);
  }

  schema(type: string): EventSchema | undefined {
    return this.schemas.get(type);
  }

  /** An event's `data` without what its schema marks as unpublished. */
  published(type: string, data: JsonObject): JsonObject {
    const schema = this.schemas.get(type);
    if (schema === undefined || !this.veiled.has(type)) return data;
    return published(schema, data) as JsonObject;
  }

  /** `data` with null where personal fields were, and those fields. */
  split(type: string, data: JsonObject): { data: JsonObject; personal: PersonalField[] } {
    const schema = this.schemas.get(type);
    if (schema === undefined || !this.personal.has(type)) return { data, personal: [] };
    const personal: PersonalField[] = [];
    return { data: strip(schema, data, [], personal) as JsonObject, personal };
  }
}

/** The value without what its schema marks as unpublished. */
export const published = (schema: EventSchema, value: Json): Json =>
  without(schema, value, (inner) => inner.unpublished === true);

/** The value without its personal fields; metadata keeps its keys, with null (D-92, D-64). */
export const impersonal = (schema: EventSchema, value: Json): Json =>
  hasPersonal(schema)
    ? without(schema, strip(schema, value, [], []), (inner) => inner.pii !== undefined)
    : value;

/** The value without those named properties, at any depth, whose schema says so. */
const without = (
  schema: EventSchema,
  value: Json,
  leavesOut: (inner: EventSchema) => boolean,
): Json => {
  if (isList(value)) {
    const items = variants(schema).find((each) => each.items !== undefined)?.items;
    return items === undefined
      ? value
      : value.map((item) => without(items as EventSchema, item, leavesOut));
  }
  if (typeof value !== 'object' || value === null) return value;
  const shapes = variants(schema);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      if (shapes.some(({ properties }) => properties?.[key] && leavesOut(properties[key])))
        return [];
      const inner = shapes.map((shape) => field(shape, key)).find((s) => s !== undefined);
      return [[key, inner === undefined ? item : without(inner, item, leavesOut)]];
    }),
  );
};

/** A schema's own properties without those that are not published; personal ones are not required. */
export const publishedProperties = <S extends object>(schema: S): S => {
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

/** The JSON Schema of what is published, `pii` tags included. */
export const publishedSchema = (schema: Json): Json => {
  if (isList(schema)) return schema.map(publishedSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(publishedProperties(schema)).map(([key, inner]) => [
      key,
      publishedSchema(inner),
    ]),
  );
};

/** Puts personal fields back where they stood. */
export const join = (data: JsonObject, personal: readonly PersonalField[]): JsonObject =>
  personal.reduce<Json>((into, [path, value]) => put(into, path, value), data) as JsonObject;

/** Puts back the personal fields of one part of `data`; `at` is where the part stood. */
export const joinPart = (
  part: JsonObject,
  at: Path,
  personal: readonly PersonalField[],
): JsonObject =>
  join(
    part,
    personal
      .filter(([path]) => at.every((step, i) => path[i] === step))
      .map(([path, value]) => [path.slice(at.length), value] as const),
  );

const put = (into: Json, [head, ...rest]: Path, value: Json): Json => {
  if (head === undefined) return value;
  if (isList(into)) {
    return into.map((item, i) => (i === head ? put(item, rest, value) : item));
  }
  const object = into as JsonObject;
  return { ...object, [head]: put(object[head] ?? null, rest, value) };
};

const strip = (schema: EventSchema, value: Json, path: Path, found: PersonalField[]): Json => {
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
  const items = variants(schema).find((each) => each.items !== undefined)?.items;
  return items === undefined ? item : strip(items as EventSchema, item, path, found);
};

const stripObject = (
  schema: EventSchema,
  value: JsonObject,
  path: Path,
  found: PersonalField[],
): JsonObject => {
  const shapes = variants(schema);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const inner = shapes
        .map((shape) => field(shape, key))
        .find((s) => s !== undefined && hasPersonal(s));
      return [key, inner === undefined ? item : strip(inner, item, [...path, key], found)];
    }),
  );
};

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

const variants = (schema: EventSchema): readonly EventSchema[] => schema.anyOf ?? [schema];

const field = (schema: EventSchema, key: string): EventSchema | undefined =>
  schema.properties?.[key] ?? Object.values(schema.patternProperties ?? {})[0];

/** Asked of every field of every event, and the schemas never change. */
const personalSchemas = new WeakMap<EventSchema, boolean>();

const hasPersonal = (schema: EventSchema): boolean => {
  const known = personalSchemas.get(schema);
  if (known !== undefined) return known;
  const found = schema.pii !== undefined || children(schema).some(hasPersonal);
  personalSchemas.set(schema, found);
  return found;
};

const hasUnpublished = (schema: EventSchema): boolean =>
  schema.unpublished === true || children(schema).some(hasUnpublished);

const children = (schema: EventSchema): readonly EventSchema[] => [
  ...Object.values(schema.properties ?? {}),
  ...Object.values(schema.patternProperties ?? {}),
  ...(schema.anyOf ?? []),
  ...(schema.items === undefined ? [] : [schema.items].flat()),
];
