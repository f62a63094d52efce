import { isNode, type Node, resolveReference } from './openapi-node';
import { STORY_VALUES } from './story-values';

const DEPTH_MAX = 8;

/** Returns an example value for a schema, with the values of the example story. */
export const createExample = (document: Node, schema: Node | undefined): unknown =>
  buildExample(document, schema ?? {}, { name: '', around: [], depth: 0, sent: false });

/**
 * Returns a body that can be sent unchanged. It has only those optional fields that have their own
 * example, because not all fields can be combined.
 */
export const createRequestExample = (document: Node, schema: Node | undefined): unknown =>
  buildExample(document, schema ?? {}, { name: '', around: [], depth: 0, sent: true });

/** The position of a value in an example. */
interface Position {
  readonly sent: boolean;
  readonly name: string;
  /** The names of what is around it, the first one first: its schema, then its field. */
  readonly around: readonly string[];
  readonly depth: number;
}

const buildExample = (document: Node, schema: Node, at: Position): unknown => {
  if (at.depth > DEPTH_MAX) return null;
  const ref = schema['$ref'];
  if (typeof ref === 'string') {
    const around = [ref.slice(ref.lastIndexOf('/') + 1), ...at.around];
    return buildExample(document, resolveReference(document, ref), { ...at, around });
  }
  for (const known of ['example', 'const']) if (known in schema) return schema[known];
  const variants = (schema['oneOf'] ?? schema['anyOf'] ?? schema['allOf']) as Node[] | undefined;
  // If a schema has properties, its variants contain only rules about their combination.
  if (variants !== undefined && !('properties' in schema))
    return buildExample(document, variants[0] ?? {}, at);
  if ('default' in schema && schema['default'] !== null) return schema['default'];
  const choices = schema['enum'] as unknown[] | undefined;
  return choices === undefined ? buildByType(document, schema, at) : choices[0];
};

/** Returns the value of a field in the example story; `known: false` if it has none. */
const findStoryValue = (
  schema: Node,
  { name, around, sent }: Position,
): { known: boolean; value?: unknown } => {
  if (sent && 'example' in schema) return { known: false };
  const keys = [...around.map((each) => `${each}.${name}`), name];
  const key = keys.find((each) => Object.hasOwn(STORY_VALUES, each));
  if (key === undefined) return { known: false };
  const value = STORY_VALUES[key];
  return fitsSchema(schema, value) ? { known: true, value } : { known: false };
};

/**
 * True if the schema allows the value. A field such as `status` has different values in different
 * objects.
 */
const fitsSchema = (schema: Node, value: unknown): boolean => {
  if (value === undefined) return true;
  const choices = schema['enum'] as unknown[] | undefined;
  if (choices !== undefined) return choices.includes(value);
  if ('const' in schema) return schema['const'] === value;
  const types = [schema['type']].flat();
  if (types[0] === undefined) {
    const variants = (schema['anyOf'] ?? schema['oneOf'] ?? []) as Node[];
    return variants.length === 0 || value !== null || variants.some((v) => v['type'] === 'null');
  }
  return types.includes(getType(value)) || (types.includes('number') && typeof value === 'number');
};

const getType = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' ? 'integer' : typeof value;
};

const buildByType = (document: Node, schema: Node, at: Position): unknown => {
  const { name, depth } = at;
  switch ([schema['type']].flat()[0]) {
    case 'object':
      return buildObject(document, schema, at);
    case 'array':
      return [buildExample(document, (schema['items'] ?? {}) as Node, { ...at, depth: depth + 1 })];
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 1;
    case 'boolean':
      return true;
    case 'string':
      return schema['format'] === 'date-time' ? STORY_VALUES['created_at'] : name || 'text';
    default:
      return [schema['type']].flat()[0] === 'null' ? null : {};
  }
};

const buildObject = (document: Node, schema: Node, at: Position): Node => {
  const fields = listFields(schema, at).flatMap(([name, inner]): [string, unknown][] => {
    const position = { ...at, name, depth: at.depth + 1 };
    const { known, value } = findStoryValue(inner, position);
    if (known) return value === undefined ? [] : [[name, value]];
    return [[name, buildExample(document, inner, { ...position, around: [name] })]];
  });
  return Object.fromEntries(fields);
};

const listFields = (schema: Node, { sent }: Position): [string, Node][] => {
  const required = (schema['required'] ?? []) as string[];
  const { properties } = schema;
  return Object.entries(isNode(properties) ? (properties as Record<string, Node>) : {}).filter(
    ([name, inner]) => !sent || required.includes(name) || 'example' in inner,
  );
};
