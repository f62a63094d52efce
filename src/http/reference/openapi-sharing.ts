import { getComponentName, isNode, mapValues, type Node, toComponentName } from './openapi-node';

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
  const parameters = new SharedParts('parameters', components.parameters);
  const responses = new SharedParts('responses', components.responses);
  for (const operation of operations) {
    for (const parameter of listParameters(operation)) {
      parameters.add(parameter, nameParameter(parameter, operation, components.schemas));
    }
    for (const [status, response] of Object.entries(listResponses(operation))) {
      responses.add(response, [nameResponse(response, status)]);
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
    if ('example' in media) examples.add({ value: media['example'] }, [createExampleName(media)]);
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
  getComponentName(schema as Node | undefined) ?? 'Example';

const listParameters = (operation: Node): Node[] => (operation['parameters'] ?? []) as Node[];

const listResponses = (operation: Node): Parts => operation['responses'] as Parts;

/**
 * Returns the possible component names of a parameter, the best one first. Parameters and schemas
 * must not share a name, because generators for Go declare both in one name space.
 */
const nameParameter = (parameter: Node, operation: Node, schemas: Parts): string[] => {
  const field = String(parameter['name']);
  const short = toComponentName(field);
  const [resource = ''] = String(operation['operationId']).split('.').slice(-2);
  const long = field.endsWith('_id') ? `${short}Filter` : `${toComponentName(resource)}${short}`;
  return [short, long].map((name) => (name in schemas ? `${name}Parameter` : name));
};

/**
 * Returns the component name of a response: that to a read of a plan is `PlanRead`, that to a change
 * `PlanChanged`. A response without a body has the name of its description.
 */
const nameResponse = (response: Node, status: string): string => {
  const schema = getComponentName(getJson(response)?.['schema'] as Node | undefined);
  if (schema !== undefined) return `${schema}${nameOutcome(response, status)}`;
  const [text = ''] = String(response['description']).split(/[.(]/);
  return toComponentName(text.trim().replaceAll(' ', '_'));
};

const nameOutcome = ({ headers }: Node, status: string): string => {
  if (status === '201') return 'Created';
  if (status === '202') return 'Accepted';
  return isNode(headers) && 'X-Service-Log-Position' in headers ? 'Changed' : 'Read';
};

/** Parts of the document of one kind, such as parameters, by their JSON text. */
class SharedParts {
  private readonly found = new Map<string, { count: number; readonly names: readonly string[] }>();
  private names: Map<string, string> | undefined;

  constructor(
    private readonly kind: string,
    private readonly existing: Parts,
  ) {}

  /** Counts a part. `names` are the possible names of its component, the best one first. */
  add(part: Node, names: readonly string[]): void {
    if ('$ref' in part) return;
    const text = JSON.stringify(part);
    const known = this.found.get(text);
    if (known === undefined) this.found.set(text, { count: 1, names });
    else known.count += 1;
  }

  referTo(part: Node): Node {
    const name = this.listNames().get(JSON.stringify(part));
    return name === undefined ? part : { $ref: `#/components/${this.kind}/${name}` };
  }

  listAll(): Parts {
    const shared = [...this.listNames()].map(([text, name]) => [name, JSON.parse(text) as Node]);
    return { ...this.existing, ...(Object.fromEntries(shared) as Parts) };
  }

  /** Returns the names of the parts that are shared, by their JSON text. */
  private listNames(): ReadonlyMap<string, string> {
    if (this.names !== undefined) return this.names;
    const used = new Set(Object.keys(this.existing));
    this.names = new Map();
    for (const [text, { count, names }] of this.found) {
      if (count < 2) continue;
      const name = findUnused(names, used);
      used.add(name);
      this.names.set(text, name);
    }
    return this.names;
  }
}

/** Returns the first unused name. If all of them are used, the last one gets a number. */
const findUnused = (names: readonly string[], used: ReadonlySet<string>): string => {
  const unused = names.find((name) => !used.has(name));
  if (unused !== undefined) return unused;
  for (let number = 2; ; number += 1) {
    const name = `${names.at(-1) ?? ''}${number}`;
    if (!used.has(name)) return name;
  }
};
