import { getComponentName, isNode, mapValues, type Node } from './openapi-node';

type Schemas = Record<string, Node>;

/**
 * Makes the bodies say what the service does: a body without required fields may be left out, and
 * a field that a PATCH leaves out keeps its value, so it has no default.
 */
export const completeBodies = (document: Node): Node => {
  const components = document['components'] as Node & { schemas: Schemas };
  const paths = document['paths'] as Record<string, Record<string, Node>>;
  const changes = new Set(
    Object.values(paths).flatMap(({ patch }) => {
      const name = patch === undefined ? undefined : getBodyComponent(patch);
      return name === undefined ? [] : [name];
    }),
  );
  return {
    ...document,
    paths: mapValues(paths, (methods) =>
      mapValues(methods, (operation) => relaxBody(operation, components.schemas)),
    ),
    components: {
      ...components,
      schemas: mapValues(components.schemas, (schema, name) =>
        changes.has(name) ? removeDefaults(schema) : schema,
      ),
    },
  };
};

const getBodyComponent = ({ requestBody }: Node): string | undefined => {
  if (!isNode(requestBody)) return undefined;
  const { 'application/json': media } = requestBody['content'] as Record<string, Node | undefined>;
  return getComponentName(media?.['schema'] as Node | undefined);
};

/** Keywords by which a schema may refuse an empty object. */
const DEMANDS = ['required', 'minProperties', 'oneOf', 'anyOf', 'allOf', 'not', 'if'];

const relaxBody = (operation: Node, schemas: Schemas): Node => {
  const name = getBodyComponent(operation);
  const schema = name === undefined ? undefined : schemas[name];
  if (schema === undefined || DEMANDS.some((keyword) => keyword in schema)) return operation;
  const { required: _required, ...body } = operation['requestBody'] as Node;
  return { ...operation, requestBody: body };
};

const removeDefaults = (schema: Node): Node => ({
  ...schema,
  properties: mapValues((schema['properties'] ?? {}) as Schemas, (property) => {
    const { default: _default, ...others } = property;
    return others;
  }),
});
