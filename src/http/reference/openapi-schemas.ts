import { selectPublishedProperties } from '../../event-store/catalogue';
import { DELIVERY_TEXTS } from './delivery-texts';
import { FIELD_TEXTS } from './field-texts';
import { isNode, mapValues, type Node, createReference } from './openapi-node';

const TEXTS: Readonly<Record<string, string>> = { ...FIELD_TEXTS, ...DELIVERY_TEXTS };

/** The components by name, as the conversion collects them. */
export type Components = Record<string, Node>;

/**
 * Converts a schema for the document: unpublished fields are left out, a schema with a title
 * becomes a component, and null is a type as in JSON Schema 2020-12.
 */
export const convertSchema = (value: unknown, components: Components): unknown => {
  if (Array.isArray(value)) return value.map((item) => convertSchema(item, components));
  if (!isNode(value)) return value;
  const node = selectPublishedProperties<Node>(value);
  const { title } = node;
  const isComponent =
    typeof title === 'string' && (node['type'] === 'object' || 'anyOf' in node || 'enum' in node);
  const converted = simplifySchema(
    mapValues(node, (item, key) =>
      key === 'example' || key === 'default' ? item : convertSchema(item, components),
    ),
  );
  if (!isComponent) return converted;
  const { title: _, ...component } = converted;
  components[title] = component;
  return createReference(title);
};

const ANY_KEY = '^(.*)$';

const simplifySchema = (node: Node): Node =>
  renamePersonalTag(removeNullable(removePatterns(addNullType(node))));

/** Gives the tag of personal fields the name of an extension, because linters refuse other keys. */
const renamePersonalTag = (node: Node): Node => {
  const { pii, ...schema } = node;
  return typeof pii === 'string' ? { ...schema, 'x-pii': pii } : node;
};

/** Replaces `nullable`, which is a keyword of OpenAPI 3.0 only. */
const removeNullable = (node: Node): Node => {
  if (node['nullable'] !== true) return node;
  const { nullable: _, ...schema } = node;
  return addNull(schema);
};

/** Converts `anyOf: [schema, null]` to one schema, so that generators do not make a union of it. */
const addNullType = (node: Node): Node => {
  const variants = node['anyOf'];
  if (!Array.isArray(variants) || variants.length !== 2) return node;
  const [schema, none] = variants as [Node, Node];
  if (none['type'] !== 'null' || Object.keys(none).length > 1) return node;
  const { anyOf: _, ...rest } = node;
  return { ...addNull(schema), ...rest };
};

const addNull = (schema: Node): Node => {
  if (typeof schema['type'] !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const choices = schema['enum'];
  return {
    ...schema,
    type: [schema['type'], 'null'],
    ...(Array.isArray(choices) ? { enum: [...(choices as unknown[]), null] } : {}),
  };
};

/** Replaces a pattern that every key matches by the equivalent `additionalProperties`. */
const removePatterns = (node: Node): Node => {
  const patterns = node['patternProperties'];
  if (!isNode(patterns) || !(ANY_KEY in patterns)) return node;
  const { patternProperties: _, ...rest } = node;
  return { ...rest, additionalProperties: patterns[ANY_KEY] };
};

/** Adds a description to every property: its own, or the one of its name. */
export const describeSchema = (schema: unknown, around: string): unknown => {
  if (Array.isArray(schema)) return schema.map((item) => describeSchema(item, around));
  if (!isNode(schema)) return schema;
  return mapValues(schema, (value, key) => {
    if (key === 'properties' && isNode(value)) {
      return mapValues(value, (field, name) => describeField(field, name, around));
    }
    return isSchemaKey(key) ? describeSchema(value, around) : value;
  });
};

const isSchemaKey = (key: string): boolean =>
  ['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'].includes(key);

const describeField = (field: unknown, name: string, around: string): unknown => {
  const inner = describeSchema(field, name);
  if (!isNode(inner) || findText(inner) !== undefined) return inner;
  const text = TEXTS[`${around}.${name}`] ?? TEXTS[name];
  return text === undefined ? inner : { ...inner, description: text };
};

const findText = ({ description }: Node): string | undefined =>
  typeof description === 'string' && description !== '' ? description : undefined;
