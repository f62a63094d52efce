import { resolveReference } from './contract';

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly $ref?: string;
}

/** An operation of the OpenAPI document, with what a request to it needs. */
export interface DocumentedOperation {
  readonly method: string;
  readonly path: string;
  /** The path with an id for each parameter. */
  readonly url: string;
  /** Schemas of the body's fields; empty for operations without a JSON body. */
  readonly fields: Readonly<Record<string, Schema>>;
  readonly takesBody: boolean;
  readonly takesNoBody: boolean;
  readonly takesLines: boolean;
  readonly query: readonly string[];
}

export const hasBody = ({ takesBody }: DocumentedOperation): boolean => takesBody;
export const takesNoBody = ({ takesNoBody: none }: DocumentedOperation): boolean => none;
/**
 * True for lists of the environment. A list under an object that does not exist is a 404 in any
 * case.
 */
export const isList = ({ method, query, url }: DocumentedOperation): boolean =>
  method === 'GET' && query.includes('starting_after') && !url.includes('some_id');

type Node = Record<string, unknown>;

/** Reads the operations of a document. The URL of each names objects that do not exist, except the tenant. */
export const readDocumentedOperations = (document: Node, tenantId: string): DocumentedOperation[] =>
  Object.entries(document['paths'] as Record<string, Node>).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Node>).map(([method, operation]) => {
      const content = (operation['requestBody'] as { content?: Node } | undefined)?.content;
      const json = content?.['application/json'] as { schema: Schema } | undefined;
      const parameters = ((operation['parameters'] ?? []) as Node[]).map(
        (parameter) => resolveReference(document, parameter) as { name: string; in: string },
      );
      return {
        method: method.toUpperCase(),
        path,
        url: path.replace('{tenantId}', tenantId).replaceAll(/\{[^}]+\}/g, 'some_id'),
        fields: json === undefined ? {} : readFields(document, json.schema),
        takesBody: json !== undefined,
        takesNoBody: method !== 'get' && content === undefined,
        takesLines: content?.['application/x-ndjson'] !== undefined,
        query: parameters.filter((each) => each.in === 'query').map(({ name }) => name),
      };
    }),
  );

const readFields = (document: Node, { $ref }: Schema): Record<string, Schema> => {
  const name = $ref?.split('/').at(-1) ?? '';
  const { schemas } = document['components'] as {
    schemas: Record<string, { properties?: Record<string, Schema> }>;
  };
  return Object.fromEntries(
    Object.entries(schemas[name]?.properties ?? {}).map(([field, schema]) => [
      field,
      resolveSimple(document, schema),
    ]),
  );
};

/** Resolves a reference to a shared text, number or list. One to an object stays, and is an object. */
const resolveSimple = (document: Node, schema: Schema): Schema => {
  if (schema.$ref === undefined) return schema;
  const resolved: Schema = resolveReference(document, { $ref: schema.$ref });
  return resolved.type === 'object' || resolved.type === undefined ? schema : resolved;
};

const readTypes = (schema: Schema): string[] => [
  ...(typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])),
  ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(readTypes),
  ...(schema.$ref === undefined ? [] : ['object']),
];

/** Returns a value of each wrong type, and one that is invalid for another reason. */
export const listWrongValues = (schema: Schema): unknown[] => {
  const types = new Set(readTypes(schema));
  const candidates: [string, unknown][] = [
    ['object', { a: 1 }],
    ['array', [1]],
    ['string', 'text'],
    ['boolean', true],
    ['number', 1.5],
  ];
  const wrong = candidates.filter(([type]) => !types.has(type)).map(([, value]) => value);
  return schema.enum === undefined ? wrong : [...wrong, 'no such value'];
};
