import { createExample } from './openapi-examples';
import { isNode, type Node, resolveReference } from './openapi-node';
import { STORY } from './story';
import { STORY_VALUES } from './story-values';

/** An operation of the document and its path. */
interface Place {
  readonly path: string;
  readonly operation: Node;
}

/**
 * Writes the call of the TypeScript client for an operation: the ids of the path, the body, and the
 * required parameters of the query. The values are the examples of the document.
 */
export const createSdkSample = (document: Node, place: Place): string => {
  const { operation } = place;
  const values = [
    ...listPathValues(document, place),
    ...listBodies(document, operation),
    ...listQueries(document, operation),
  ];
  const call = `service.${String(operation['operationId'])}(${values.map((value) => printValue(value)).join(', ')})`;
  const schema = findResponseSchema(document, operation);
  if (schema === null) return `await ${call};`;
  return isList(schema)
    ? `for await (const item of ${call}) {\n  console.log(item);\n}`
    : `const response = await ${call};`;
};

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Node;
}

const listParameters = (document: Node, operation: Node): Parameter[] =>
  ((operation['parameters'] ?? []) as Node[]).map(
    (each) => follow(document, each) as unknown as Parameter,
  );

const listPathValues = (document: Node, { path, operation }: Place): unknown[] => {
  const parameters = listParameters(document, operation);
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    findPathValue(document, name, parameters.find((each) => each.name === name)?.schema ?? {}),
  );
};

/** Returns the id of the story, or the first choice of the schema. */
const findPathValue = (document: Node, name: string, schema: Node): unknown => {
  const noun = name.replace(/_?id$/i, '');
  const known: Readonly<Record<string, string>> = { ...STORY.ids, plan: STORY.plan };
  const { enum: choices } = follow(document, schema) as { enum?: readonly unknown[] };
  return known[noun] ?? choices?.[0] ?? STORY_VALUES[toSnakeCase(name)] ?? `<${name}>`;
};

const toSnakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const listBodies = (document: Node, { requestBody }: Node): unknown[] => {
  const media = isNode(requestBody)
    ? (requestBody['content'] as Record<string, Node>)['application/json']
    : undefined;
  return media === undefined ? [] : [media['example'] ?? createExample(document, media)];
};

const listQueries = (document: Node, operation: Node): unknown[] => {
  const required = listParameters(document, operation).filter(
    (each) => each.in === 'query' && each.required === true,
  );
  if (required.length === 0) return [];
  return [
    Object.fromEntries(required.map(({ name, schema }) => [name, createExample(document, schema)])),
  ];
};

/** Returns the schema of the successful response; null if there is no content. */
const findResponseSchema = (document: Node, operation: Node): Node | null => {
  const responses = operation['responses'] as Record<string, Node>;
  const [, response = {}] =
    Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const { content } = follow(document, response) as { content?: Record<string, Node> };
  const schema = content?.['application/json']?.['schema'];
  return isNode(schema) ? follow(document, schema) : null;
};

const isList = ({ properties }: Node): boolean => isNode(properties) && 'has_more' in properties;

const follow = (document: Node, node: Node): Node =>
  typeof node['$ref'] === 'string' ? resolveReference(document, node['$ref']) : node;

const LINE_CHARS_MAX = 40;

/** Prints a JSON value as TypeScript: on one line if it is short. */
const printValue = (value: unknown, indent = ''): string => {
  if (typeof value === 'string')
    return `'${value.replaceAll(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const print = (deeper: string): string[] =>
    Object.entries(value).map(([key, inner]) => {
      const name = Array.isArray(value) ? '' : `${printKey(key)}: `;
      return `${name}${printValue(inner, deeper)}`;
    });
  const space = Array.isArray(value) ? '' : ' ';
  const line = `${open}${space}${print(indent).join(', ')}${space}${close}`;
  if (print(indent).length === 0) return `${open}${close}`;
  if (line.length <= LINE_CHARS_MAX && !line.includes('\n')) return line;
  const deeper = `${indent}  `;
  return `${open}\n${print(deeper)
    .map((item) => `${deeper}${item},\n`)
    .join('')}${indent}${close}`;
};

const printKey = (key: string): string => (/^[A-Za-z_]\w*$/.test(key) ? key : printValue(key));
