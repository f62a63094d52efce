import { isNode, mapValues, type Node, resolveReference } from './openapi-node';
import { TENANT_PREFIX } from './openapi-operations';
import { createSdkSample } from './sdk-samples';

const PREPARATION = `import { Service } from '@subscription-event-service/sdk';

const service = new Service({ baseUrl, apiKey });
`;

/**
 * Changes the OpenAPI document for readers of the page: adds the method of the TypeScript client and
 * a call of it to each operation, and defaults in words, because the page shows them only on hovering.
 */
export const createPageDocument = (document: Node): Node => {
  const paths = document['paths'] as Record<string, Record<string, Node>>;
  const withSamples = mapValues(paths, (methods, path) =>
    path.startsWith(TENANT_PREFIX)
      ? mapValues(methods, (operation) => ({
          ...operation,
          description: nameClientMethod(operation),
          'x-codeSamples': [
            {
              lang: 'typescript',
              label: 'SDK',
              source: `${PREPARATION}\n${createSdkSample(document, { path, operation })}`,
            },
          ],
        }))
      : methods,
  );
  const page = omitCombinationRules({ ...document, paths: withSamples });
  return describeDefaults(omitFilterExamples(page, document)) as Node;
};

/** Adds the method of the client, because the page shows the sample only after a choice. */
const nameClientMethod = ({ description, operationId }: Node): string =>
  `${String(description)}\n\nIn the TypeScript client: \`${String(operationId)}\`.`;

/**
 * Leaves out the examples of optional query parameters, because the page would send them as filters
 * with every call that is tried out. Date-times become texts, because the page marks an empty one as
 * wrong.
 */
const omitFilterExamples = (value: unknown, document: Node): unknown => {
  if (Array.isArray(value)) return value.map((item) => omitFilterExamples(item, document));
  if (!isNode(value)) return value;
  const node = mapValues(value, (item) => omitFilterExamples(item, document));
  if (node['in'] !== 'query' || node['required'] === true) return node;
  const { example: _, schema, ...parameter } = node;
  if (!isNode(schema)) return { ...parameter, schema };
  const { $ref: ref, ...own } = schema;
  const resolved = typeof ref === 'string' ? resolveReference(document, ref) : {};
  const { example: __, ...type }: Node = { ...resolved, ...own };
  if (type['format'] !== 'date-time') return { ...parameter, schema: type };
  const { format: ___, ...text } = type;
  const description = [parameter['description'], DATE_TIME_FORM].join(' ').trim();
  return { ...parameter, description, schema: text };
};

const DATE_TIME_FORM = 'A date-time such as `2026-03-10T12:00:00Z`.';

const COMBINATION_RULES = new Set(['oneOf', 'anyOf', 'not', 'if', 'then', 'else']);

/**
 * Leaves out the rules about which properties go together, because the page would show them instead
 * of the properties. The descriptions of the properties say the same.
 */
const omitCombinationRules = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(omitCombinationRules);
  if (!isNode(value)) return value;
  const isObject = value['type'] === 'object' && isNode(value['properties']);
  const kept = Object.entries(value).filter(([key]) => !isObject || !COMBINATION_RULES.has(key));
  return mapValues(Object.fromEntries(kept), omitCombinationRules);
};

/** Adds the default to the description of each property and parameter that does not name it. */
const describeDefaults = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(describeDefaults);
  if (!isNode(value)) return value;
  const described = mapValues(value, describeDefaults);
  const fallback = findDefault(value);
  const { description = '' } = value;
  if (fallback === undefined || typeof description !== 'string' || /\bdefault\b/i.test(description))
    return described;
  return { ...described, description: `${description} Default: \`${fallback}\`.`.trim() };
};

/**
 * Returns the default of a schema, or of a parameter, whose schema has it. A property may have the
 * name `default`; its schema is an object.
 */
const findDefault = ({ default: own, in: place, schema }: Node): string | undefined => {
  const value = typeof place === 'string' && isNode(schema) ? schema['default'] : own;
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
};
