/** A part of the document: JSON whose shape OpenAPI defines. */
export type Node = Record<string, unknown>;

/** The extension by which an operation describes its body in another media type. */
export const MEDIA = 'x-media';

export const mapValues = <From, To>(
  node: Readonly<Record<string, From>>,
  map: (value: From, key: string) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(node).map(([key, value]) => [key, map(value, key)]));

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the part of a document that a local reference names. */
export const resolveReference = (document: Node, ref: string): Node =>
  ref
    .slice('#/'.length)
    .split('/')
    .reduce<Node>((node, key) => (node[key] ?? {}) as Node, document);

/**
 * Returns the name of the component that a schema refers to; undefined if there is no reference.
 */
export const getComponentName = (schema: Node | undefined): string | undefined => {
  const ref = schema?.['$ref'];
  return typeof ref === 'string' ? ref.replace('#/components/schemas/', '') : undefined;
};

export const createReference = (component: string): Node => ({
  $ref: `#/components/schemas/${component}`,
});

/** Makes the name of a component: `last_error` becomes `LastError`, `tenantId` becomes `TenantId`. */
export const toComponentName = (property: string): string =>
  property.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
