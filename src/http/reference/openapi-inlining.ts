import { getComponentName, isNode, mapValues, type Node } from './openapi-node';

type Schemas = Record<string, Node>;

/**
 * Inlines each schema that only one other schema refers to, so that generators create fewer models.
 * Schemas of bodies and responses keep their names, and so do the items of the tenants' lists,
 * because the SDK exports their types.
 */
export const inlineSchemas = (document: Node): Node => {
  const components = document['components'] as Node & { schemas: Schemas };
  const { schemas, ...others } = components;
  const inside = countReferences(schemas);
  const outside = countReferences({ ...document, components: others });
  const kept = listItemsOfTenants(document, schemas);
  const isInlined = (name: string): boolean =>
    inside.get(name) === 1 && !outside.has(name) && !kept.has(name);
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (!isNode(value)) return value;
    const name = getSingleComponent(value);
    if (name === undefined || !isInlined(name)) return mapValues(value, inline);
    const { $ref: _ref, allOf: _allOf, ...own } = value;
    return { ...(inline(schemas[name]) as Node), ...own };
  };
  const left = Object.entries(schemas).filter(([name]) => !isInlined(name));
  return {
    ...document,
    components: {
      ...others,
      schemas: Object.fromEntries(left.map(([name, schema]) => [name, inline(schema)])),
    },
  };
};

/** Returns the component of a reference, or of an `allOf` that has nothing else. */
const getSingleComponent = (schema: Node): string | undefined => {
  const parts = schema['allOf'] as Node[] | undefined;
  return getComponentName(parts?.length === 1 ? parts[0] : schema);
};

const countReferences = (value: unknown, counts = new Map<string, number>()) => {
  if (Array.isArray(value)) for (const item of value) countReferences(item, counts);
  else if (isNode(value)) {
    const name = getComponentName(value);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    for (const item of Object.values(value)) countReferences(item, counts);
  }
  return counts;
};

/** Returns the components of the items of the lists that operations of tenants answer. */
const listItemsOfTenants = (document: Node, schemas: Schemas): Set<string> => {
  const paths = Object.entries(document['paths'] as Record<string, Node>);
  const answers = countReferences(paths.filter(([path]) => path.startsWith('/v1/')));
  const items = [...answers.keys()].map((name) => {
    const { properties } = schemas[name] ?? {};
    const data = isNode(properties) ? properties['data'] : undefined;
    return isNode(data) && isNode(data['items']) ? getComponentName(data['items']) : undefined;
  });
  return new Set(items.filter((name) => name !== undefined));
};
