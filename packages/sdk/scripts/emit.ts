import openapiTypescript from 'openapi-typescript';
import { format } from 'prettier';
import ts from 'typescript';
import { inlineSimpleSchemas } from './simple-schemas';

/** The parts of an OpenAPI document that the client is made from. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, unknown>>;
  readonly components: Components;
}

interface Components {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Answer {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { schema: Schema }>>;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

/** The generated files, by their name. */
export type Files = Readonly<Record<'schema.ts' | 'operations.ts' | 'routes.ts', string>>;

const NOTE = '// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.\n';

/** Makes the generated files of the client from a document. */
export const emitFiles = async (original: Document): Promise<Files> => {
  const document = inlineSimpleSchemas(original);
  const methods = readMethods(document);
  const files = {
    'schema.ts': `${await emitSchema(document, methods)}\n${emitEventTypes(Object.keys(document.webhooks))}`,
    'operations.ts': emitOperations(methods),
    'routes.ts': emitRoutes(methods),
  };
  const formatted = Object.entries(files).map(async ([name, text]) => [
    name,
    await format(NOTE + text, { parser: 'typescript', singleQuote: true, printWidth: 100 }),
  ]);
  return Object.fromEntries(await Promise.all(formatted)) as Files;
};

/** A method of the client. */
interface Method {
  readonly group: string;
  readonly name: string;
  readonly verb: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly pathParameters: readonly string[];
  readonly query: {
    readonly schemaName: string;
    readonly schema: Schema;
    readonly isRequired: boolean;
  } | null;
  readonly body: {
    readonly type: string;
    readonly isRequired: boolean;
    /** The media type of a body that is sent as text or bytes; null where only JSON is taken. */
    readonly linesType: string | null;
  } | null;
  /** The component of a list's items; null where the response is no list. */
  readonly itemType: string | null;
  readonly answerType: string;
}

const readMethods = (document: Document): Method[] =>
  Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([verb, operation]) =>
        readMethod(document, operation, { verb: verb.toUpperCase(), path }),
      ),
    );

const readMethod = (
  document: Document,
  operation: Operation,
  { verb, path }: { readonly verb: string; readonly path: string },
): Method => {
  const [group = '', name = ''] = operation.operationId.split('.');
  const responseTypes = listResponseTypes(document, operation);
  const itemType =
    responseTypes.length === 1 ? findItemType(document, responseTypes[0] ?? '') : null;
  return {
    group,
    name,
    verb,
    path,
    summary: operation.summary,
    description: operation.description ?? '',
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter ?? ''),
    query: readQuery(document, operation),
    body: readBody(document, operation),
    itemType,
    answerType: responseTypes.map(nameAnswerType).join(' | ') || 'void',
  };
};

const getComponentName = ({ $ref }: Schema): string | null => $ref?.split('/').at(-1) ?? null;

/** Lists the types of the successful responses. */
const listResponseTypes = ({ components }: Document, { responses }: Operation): string[] =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, response]) => {
      const { content } = components.responses[response.$ref?.split('/').at(-1) ?? ''] ?? response;
      const schema = content?.['application/json']?.schema;
      const component = schema === undefined ? 'void' : getComponentName(schema);
      return [component ?? 'unknown'];
    });

const findItemType = ({ components }: Document, component: string): string | null => {
  const { properties = {} } = components.schemas[component] ?? {};
  const item = properties['data']?.items;
  const isList = 'has_more' in properties && item !== undefined;
  return isList ? nameAnswerType(getComponentName(item) ?? 'unknown') : null;
};

/** Names the type of a response. An event has the union of all event types. */
const nameAnswerType = (component: string): string =>
  component === 'Event' ? 'ServiceEvent' : component;

const readQuery = (
  { components }: Document,
  { operationId, parameters = [] }: Operation,
): Method['query'] => {
  const inQuery = parameters
    .map((each) => components.parameters[each.$ref?.split('/').at(-1) ?? ''] ?? each)
    .filter((each) => each.in === 'query');
  if (inQuery.length === 0) return null;
  const required = inQuery.filter((each) => each.required === true).map((each) => each.name);
  return {
    schemaName: `${toPascalCase(operationId)}Query`,
    isRequired: required.length > 0,
    schema: {
      type: 'object',
      required,
      properties: Object.fromEntries(
        inQuery.map(({ name, description, schema }) => [
          name,
          { ...schema, ...(description === undefined ? {} : { description }) },
        ]),
      ),
    },
  };
};

const toPascalCase = (id: string): string =>
  id
    .split('.')
    .map((word) => `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`)
    .join('');

const NDJSON = 'application/x-ndjson';

const readBody = ({ components }: Document, { requestBody }: Operation): Method['body'] => {
  if (requestBody === undefined) return null;
  const schema = requestBody.content['application/json']?.schema ?? {};
  const type = getComponentName(schema) ?? 'unknown';
  const { required = [], properties } = components.schemas[type] ?? {};
  const isRequired = properties === undefined || required.length > 0;
  return { type, isRequired, linesType: NDJSON in requestBody.content ? NDJSON : null };
};

const printBodyType = ({ type, linesType }: NonNullable<Method['body']>): string =>
  linesType === null ? type : `${type} | string | Uint8Array | Blob`;

const printParameters = ({ pathParameters, body, query }: Method): string =>
  [
    ...pathParameters.map((name) => `${toCamelCase(name)}: string`),
    ...(body === null ? [] : [`body${body.isRequired ? '' : '?'}: ${printBodyType(body)}`]),
    ...(query === null ? [] : [`query${query.isRequired ? '' : '?'}: ${query.schemaName}`]),
    'options?: CallOptions',
  ].join(', ');

const toCamelCase = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const emitOperations = (methods: readonly Method[]): string => {
  const types = new Set(
    methods.flatMap(({ answerType, itemType, body, query }) => [
      ...answerType.split(' | '),
      ...(itemType === null ? [] : [itemType]),
      ...(body === null ? [] : [body.type]),
      ...(query === null ? [] : [query.schemaName]),
    ]),
  );
  const lists = new Set(methods.flatMap((m) => (m.itemType === null ? [] : [m.answerType])));
  const imported = [...types]
    .filter((type) => !['void', 'unknown', 'ServiceEvent'].includes(type) && !lists.has(type))
    .sort();
  const groups = groupMethods(methods).map(
    ([group, members]) => `  readonly ${group}: {\n${members.map(emitMethod).join('\n')}\n  };`,
  );
  return [
    "import type { CallOptions } from '../options';",
    "import type { List } from '../page';",
    "import type { ServiceEvent } from '../events';",
    `import type { ${imported.join(', ')} } from './schema';`,
    '',
    '/** Every operation of the API, as a method. */',
    `export interface Operations {\n${groups.join('\n')}\n}`,
  ].join('\n');
};

const emitMethod = (method: Method): string => {
  const { name, summary, description, itemType, answerType } = method;
  const text = `${summary}. ${description}`.replaceAll('*/', '* /').split('\n');
  const response = itemType === null ? `Promise<${answerType}>` : `List<${itemType}>`;
  return [
    '    /**',
    ...text.map((line) => `     * ${line}`.trimEnd()),
    '     */',
    `    ${name}(${printParameters(method)}): ${response};`,
  ].join('\n');
};

const groupMethods = (methods: readonly Method[]): [string, Method[]][] => {
  const groups = new Map<string, Method[]>();
  for (const method of methods) {
    groups.set(method.group, [...(groups.get(method.group) ?? []), method]);
  }
  return [...groups].sort(([a], [b]) => a.localeCompare(b));
};

const emitRoutes = (methods: readonly Method[]): string => {
  const groups = groupMethods(methods).map(([group, members]) => {
    const routes = members.map(
      (method) => `    ${method.name}: ${JSON.stringify(toRoute(method))},`,
    );
    return `  ${group}: {\n${routes.join('\n')}\n  },`;
  });
  return [
    '/**',
    ' * The call of each operation, as words: method, path below `/v1/`, what it takes (`b` a body,',
    ' * `q` a query, `l` it answers a list), and the media type of a body that is text or bytes.',
    ' */',
    `export const ROUTES: Readonly<Record<string, Readonly<Record<string, string>>>> = {\n${groups.join('\n')}\n};`,
  ].join('\n');
};

const toRoute = ({ verb, path, body, query, itemType }: Method): string => {
  const takes = `${body === null ? '' : 'b'}${query === null ? '' : 'q'}${itemType === null ? '' : 'l'}`;
  const route = [`${verb} ${path.replace('/v1/', '')}`];
  if (takes !== '') route.push(takes);
  if (body?.linesType != null) route.push(body.linesType);
  return route.join(' ');
};

/** The table of the event types. `src/events.ts` builds the unions from it. */
const emitEventTypes = (types: readonly string[]): string => {
  const lines = types.map((type) => {
    const component = `${toPascalCase(type.replaceAll('_', '.'))}Event`;
    return `  '${type}': ${component};`;
  });
  return [
    '/** The shape of each event type. */',
    `export interface EventTypes {\n${lines.join('\n')}\n}`,
  ].join('\n');
};

/** Types of the schemas that tenants meet, and of the queries. */
const emitSchema = async (document: Document, methods: readonly Method[]): Promise<string> => {
  const queries = methods.flatMap(({ query }) => (query === null ? [] : [query]));
  const schemas = {
    ...selectUsedSchemas(document, methods),
    ...Object.fromEntries(queries.map(({ schemaName, schema }) => [schemaName, schema])),
  };
  const reduced = {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: {},
    components: { schemas },
  };
  const nodes = await openapiTypescript(reduced as Parameters<typeof openapiTypescript>[0], {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    alphabetize: true,
    defaultNonNullable: false,
    silent: true,
  });
  return printNodes(nodes).replaceAll(
    /^export type (paths|webhooks|operations|\$defs) = .*;\n/gm,
    '',
  );
};

const printNodes = (nodes: readonly ts.Node[]): string => {
  const file = ts.createSourceFile('schema.ts', '', ts.ScriptTarget.ES2022);
  const printer = ts.createPrinter();
  return nodes
    .map((node) => `${printer.printNode(ts.EmitHint.Unspecified, node, file)}\n`)
    .join('');
};

/**
 * Selects the schemas that methods, queries, events and errors refer to, directly or through
 * others.
 */
const selectUsedSchemas = (
  document: Document,
  methods: readonly Method[],
): Record<string, Schema> => {
  const { schemas } = document.components;
  const used = new Set<string>();
  const visit = (name: string): void => {
    if (used.has(name) || schemas[name] === undefined) return;
    used.add(name);
    visitReferences(schemas[name]);
  };
  const visitReferences = (schema: unknown): void => {
    for (const [, inner] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      visit(inner ?? '');
    }
  };
  for (const { body, answerType, itemType, query } of methods) {
    visitReferences(query?.schema ?? {});
    for (const name of [...answerType.split(' | '), itemType ?? '', body?.type ?? '']) visit(name);
  }
  for (const name of Object.keys(schemas).filter((each) => each.endsWith('Event'))) visit(name);
  visit('FieldError');
  return Object.fromEntries([...used].sort().map((name) => [name, schemas[name] ?? {}]));
};
