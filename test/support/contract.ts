import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

type Json = Record<string, unknown>;

/** The facts of a response that the check needs. */
interface Answered {
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: unknown;
}

interface Route {
  readonly template: string;
  readonly pattern: RegExp;
}

const DOCUMENT = 'openapi';

/** Checks the service's responses against the OpenAPI document. */
export class Contract {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  private readonly routes: readonly Route[];
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(private readonly document: Json) {
    addFormats(this.ajv);
    this.ajv.addSchema(closeObjects(document) as Json, DOCUMENT);
    this.routes = Object.keys(document['paths'] as Json)
      // Literal segments come before parameters: `/plans/preview` is not a plan.
      .sort((a, b) => (a.match(/\{/g)?.length ?? 0) - (b.match(/\{/g)?.length ?? 0))
      .map((template) => ({
        template,
        pattern: new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
      }));
  }

  /** Returns the violation of a response; null if there is none or the path is not described. */
  findViolation({ method, path, status, contentType, body }: Answered): string | null {
    const operation = method.toLowerCase();
    const route = this.routes.find(
      ({ template, pattern }) => pattern.test(path) && operation in this.readMethods(template),
    );
    if (route === undefined) return null;
    const responses = (this.readMethods(route.template)[operation] as Json)['responses'] as Json;
    const known = String(status) in responses ? String(status) : status >= 400 ? 'default' : null;
    if (known === null) return `answers ${status}, which is not described`;
    const { content } = resolveReference(this.document, responses[known] as Json) as {
      content?: Json;
    };
    if (content === undefined) return isEmpty(body) ? null : 'has a body, which is not described';
    const { $ref } = responses[known] as { $ref?: string };
    const pointer = [
      ...($ref?.slice('#/'.length).split('/') ?? [
        'paths',
        route.template,
        operation,
        'responses',
        known,
      ]),
      'content',
    ];
    const mediaType = Object.keys(content).find((type) => contentType.split(';')[0] === type);
    if (mediaType === undefined) return `answers ${contentType}, which is not described`;
    if (!mediaType.endsWith('json')) return null;
    const validate = this.getValidator([...pointer, mediaType, 'schema']);
    if (!validate(body)) return this.ajv.errorsText(validate.errors, { dataVar: 'body' });
    return status < 400
      ? null
      : this.findUnlistedCode(this.readMethods(route.template)[operation] as Json, body);
  }

  /** Returns the violation by an error code that the operation does not list. */
  private findUnlistedCode(operation: Json, body: unknown): string | null {
    // The document of an early version lists no codes.
    if (!('x-error-families' in this.document)) return null;
    const { code } = ((body as Json)['error'] ?? body) as { code: string };
    return listErrorCodes(this.document, operation).includes(code)
      ? null
      : `answers the code ${code}, which the operation does not list`;
  }

  private readMethods(template: string): Json {
    return (this.document['paths'] as Json)[template] as Json;
  }

  private getValidator(pointer: readonly string[]): ValidateFunction {
    const path = pointer.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'));
    const $ref = `${DOCUMENT}#/${path.map(encodeURIComponent).join('/')}`;
    const known = this.validators.get($ref) ?? this.ajv.compile({ $ref });
    this.validators.set($ref, known);
    return known;
  }
}

/** Returns a part of the document, or the part that its reference names. */
export const resolveReference = (document: Json, part: Json): Json => {
  const { $ref } = part as { $ref?: string };
  if ($ref === undefined) return part;
  return $ref
    .slice('#/'.length)
    .split('/')
    .reduce<Json>((node, key) => node[key] as Json, document);
};

/** Returns every error code that an operation can answer according to the document. */
export const listErrorCodes = (document: Json, operation: Json): string[] => {
  const families = document['x-error-families'] as Record<string, string[]>;
  const names = operation['x-error-codes'] as string[];
  return names.flatMap((name) => families[name] ?? [name]);
};

const isEmpty = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && Object.keys(body).length === 0;

/**
 * Closes the objects of a schema: they have only the properties that the schema names, unless it
 * says otherwise.
 */
const closeObjects = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(closeObjects);
  if (typeof node !== 'object' || node === null) return node;
  const copy: Json = Object.fromEntries(
    Object.entries(node).map(([key, item]) => [key, closeObjects(item)]),
  );
  const isOpen =
    copy['type'] !== 'object' || copy['properties'] === undefined || 'additionalProperties' in copy;
  return isOpen ? copy : { ...copy, additionalProperties: false };
};

/** The contracts of all documents that were loaded. Services of one build have the same document. */
export class Contracts {
  private readonly byDocument = new Map<string, Contract>();

  /** Returns the contract of the document of a service. */
  find(base: string, document: string): Contract {
    const key = document.replaceAll(base, '');
    const known = this.byDocument.get(key) ?? new Contract(JSON.parse(document) as Json);
    this.byDocument.set(key, known);
    return known;
  }
}

/** Jest's environment has contracts that all suites of a worker share. Other programs have none. */
const shared = (globalThis as { contracts?: Contracts }).contracts ?? new Contracts();
const byAddress = new Map<string, Promise<Contract | null>>();

/** Returns the contract of a running service; null while it does not answer. */
export const loadContract = (base: string): Promise<Contract | null> => {
  const known = byAddress.get(base);
  if (known !== undefined) return known;
  const loading = fetch(`${base}/openapi.json`)
    .then(async (response) => shared.find(base, await response.text()))
    .catch(() => {
      byAddress.delete(base);
      return null;
    });
  byAddress.set(base, loading);
  return loading;
};
