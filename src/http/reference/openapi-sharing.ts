import { getComponentName, mapValues, type Node, toComponentName } from './openapi-node';

type Operations = Record<string, Record<string, Node>>;
type Parts = Record<string, Node>;

/**
 * Moves each parameter and each response that several operations share to a component, so that its
 * text is in the document once.
 */
export const shareParts = (document: Node): Node => {
  const paths = document['paths'] as Operations;
  const components = document['components'] as Record<
    'parameters' | 'responses' | 'schemas',
    Parts
  >;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  // Parameters and schemas must not share a name, because generators for Go declare both in one
  // name space.
  const createParameterName = (parameter: Node): string => {
    const name = toComponentName(String(parameter['name']));
    return name in components.schemas ? `${name}Parameter` : name;
  };
  const parameters = new SharedParts('parameters', components.parameters);
  const responses = new SharedParts('responses', components.responses);
  for (const operation of operations) {
    for (const parameter of listParameters(operation))
      parameters.add(parameter, createParameterName);
    for (const response of Object.values(listResponses(operation))) {
      responses.add(response, createResponseName);
    }
  }
  return {
    ...document,
    paths: mapValues(paths, (methods) =>
      mapValues(methods, (operation) => ({
        ...operation,
        parameters: listParameters(operation).map((part) => parameters.referTo(part)),
        responses: mapValues(listResponses(operation), (part) => responses.referTo(part)),
      })),
    ),
    components: { ...components, parameters: parameters.listAll(), responses: responses.listAll() },
  };
};

/** Moves each example that several responses show to a component. */
export const shareExamples = (document: Node): Node => {
  const paths = document['paths'] as Operations;
  const components = document['components'] as Node;
  const examples = new SharedParts('examples', {});
  for (const media of Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(listAnswers),
  ))
    if ('example' in media)
      examples.add({ value: media['example'] }, () => createExampleName(media));
  const shareExample = (media: Node): Node => {
    const { example, ...rest } = media;
    const part = examples.referTo({ value: example });
    return '$ref' in part ? { ...rest, examples: { story: part } } : media;
  };
  return {
    ...document,
    paths: mapValues(paths, (methods) =>
      mapValues(methods, (operation) => ({
        ...operation,
        responses: mapValues(listResponses(operation), (response) =>
          replaceJson(response, shareExample),
        ),
      })),
    ),
    components: { ...components, examples: examples.listAll() },
  };
};

const JSON_TYPE = 'application/json';

const getJson = ({ content }: Node): Node | undefined =>
  (content as Record<string, Node> | undefined)?.[JSON_TYPE];

const listAnswers = (operation: Node): Node[] =>
  Object.values(listResponses(operation))
    .map(getJson)
    .filter((media) => media !== undefined);

const replaceJson = (response: Node, map: (media: Node) => Node): Node => {
  const media = getJson(response);
  if (media === undefined) return response;
  return { ...response, content: { ...(response['content'] as Node), [JSON_TYPE]: map(media) } };
};

const createExampleName = ({ schema }: Node): string =>
  getComponentName(schema as Node | undefined) ?? 'Answer';

const listParameters = (operation: Node): Node[] => (operation['parameters'] ?? []) as Node[];

const listResponses = (operation: Node): Parts => operation['responses'] as Parts;

/**
 * Returns the component name of a response: an answer with a plan is `PlanAnswer`, one without a
 * body `EmptyAnswer`.
 */
const createResponseName = ({ content }: Node): string => {
  const media = (content as Record<string, { schema?: Node }> | undefined)?.['application/json'];
  return `${getComponentName(media?.schema) ?? 'Empty'}Answer`;
};

/** Parts of the document of one kind, such as parameters, by their JSON text. */
class SharedParts {
  private readonly found = new Map<string, { count: number; readonly name: string }>();
  private readonly names: Set<string>;

  constructor(
    private readonly kind: string,
    private readonly existing: Parts,
  ) {
    this.names = new Set(Object.keys(existing));
  }

  add(part: Node, nameOf: (part: Node) => string): void {
    if ('$ref' in part) return;
    const text = JSON.stringify(part);
    const known = this.found.get(text);
    if (known === undefined)
      this.found.set(text, { count: 1, name: this.findUnused(nameOf(part)) });
    else known.count += 1;
  }

  referTo(part: Node): Node {
    const { count = 0, name = '' } = this.found.get(JSON.stringify(part)) ?? {};
    return count > 1 ? { $ref: `#/components/${this.kind}/${name}` } : part;
  }

  listAll(): Parts {
    const shared = [...this.found]
      .filter(([, { count }]) => count > 1)
      .map(([text, { name }]) => [name, JSON.parse(text) as Node] as const);
    return { ...this.existing, ...Object.fromEntries(shared) };
  }

  /** Returns a name that is not used yet. Different parts with the same name get a number. */
  private findUnused(name: string): string {
    let candidate = name;
    for (let number = 2; this.names.has(candidate); number += 1) candidate = `${name}${number}`;
    this.names.add(candidate);
    return candidate;
  }
}
