import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { resolveReference } from './contract';
import { type RawAnswer, sendRaw } from './raw-request';
import { corrupted } from './schema-faults';
import { createValues } from './schema-values';
import type { RunningService } from './service';
import { createObjectOwner, createObjectMakers, type ObjectOwner } from './object-makers';

type Json = Record<string, unknown>;

/**
 * The reason for a 400 to a request that the document allows: a rule that JSON Schema cannot
 * express.
 */
export interface Reason {
  /** Matches operations such as `POST /v1/replay`. */
  readonly operation: RegExp;
  readonly code: string;
  /** The parameter that the response names. */
  readonly param: RegExp;
  readonly why: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Json;
}

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Json | undefined;
}

interface Request {
  readonly path: Json;
  readonly query: Json;
  readonly headers: Json;
  readonly body: unknown;
}

export interface Run {
  readonly seed: number;
  readonly rounds: number;
}

/** Compares the OpenAPI document with the behaviour of a service. */
export class ContractChecker {
  private readonly ids = new Map<string, Promise<string>>();

  private readonly validators = new Map<Json, ValidateFunction>();
  private readonly operations: readonly Operation[];
  private readonly makerOf: ReturnType<typeof createObjectMakers>;
  private readonly ajv = new Ajv2020({ strict: false, allErrors: false });

  private constructor(
    private readonly owner: ObjectOwner,
    private readonly document: Json,
    leftOut: RegExp,
  ) {
    this.operations = readOperations(document).filter(({ name }) => !leftOut.test(name));
    this.makerOf = createObjectMakers(owner);
    addFormats(this.ajv);
    this.ajv.addSchema(document, 'openapi');
  }

  static async create(service: RunningService, leftOut: RegExp): Promise<ContractChecker> {
    const answer = await fetch(`${service.url}/openapi.json`);
    const document = (await answer.json()) as Json;
    const checker = new ContractChecker(await createObjectOwner(service), document, leftOut);
    await checker.prepare();
    return checker;
  }

  /** Creates the objects of all operations before any operation changes them. */
  private async prepare(): Promise<void> {
    for (const operation of this.operations) {
      for (const name of listFieldNames(this.document, operation))
        await this.createIdFor(operation, name);
    }
  }

  /**
   * Returns the requests that the document allows but the service answers with 400 without a listed
   * reason.
   */
  async listWronglyRefused({ seed, rounds }: Run, reasons: readonly Reason[]): Promise<string[]> {
    const faults: string[] = [];
    for (const [index, operation] of this.operations.entries()) {
      const requests = fc.sample(this.generateRequests(operation), {
        seed: seed + index,
        numRuns: rounds,
      });
      for (const request of requests) {
        const answer = await this.send(operation, request);
        if (answer.status !== 400 && answer.status < 500) continue;
        if (isListed(operation, answer, reasons)) continue;
        faults.push(describeAnswer(operation, request, answer));
      }
    }
    return faults;
  }

  /** Returns the requests that the document forbids but the service answers with 2xx. */
  async listWronglyAccepted({ seed, rounds }: Run): Promise<string[]> {
    const faults: string[] = [];
    for (const [index, operation] of this.operations.entries()) {
      const requests = fc.sample(this.generateForbiddenRequests(operation), {
        seed: seed + index,
        numRuns: rounds,
      });
      for (const request of requests) {
        if (request === null) continue;
        const answer = await this.send(operation, request);
        if (answer.status >= 300 && answer.status < 500) continue;
        faults.push(describeAnswer(operation, request, answer));
      }
    }
    return faults;
  }

  private generateRequests({ parameters, body }: Operation): fc.Arbitrary<Request> {
    const generatePart = (place: string): fc.Arbitrary<Json> => {
      const found = parameters.filter((each) => each.in === place);
      return fc.record(
        Object.fromEntries(found.map(({ name, schema }) => [name, this.generateValues(schema)])),
        { requiredKeys: found.filter(({ required }) => required).map(({ name }) => name) },
      );
    };
    return fc.record({
      path: generatePart('path'),
      query: generatePart('query').map(keepOneCursor),
      headers: fc.oneof(
        { weight: 3, arbitrary: fc.constant({}) },
        generatePart('header').map(removeLogPosition),
      ),
      body: body === undefined ? fc.constant(undefined) : this.generateValues(body),
    });
  }

  private generateValues(schema: Json): fc.Arbitrary<unknown> {
    const validate = this.getValidator(schema);
    let misses = 0;
    return createValues(this.document, schema).filter((value) => {
      misses = validate(value) ? 0 : misses + 1;
      if (misses < MISSES_MAX) return misses === 0;
      throw new Error(`no value is made that this schema admits: ${JSON.stringify(schema)}`);
    });
  }

  /** Generates a request that is valid except for one part; null if no part can be made invalid. */
  private generateForbiddenRequests(operation: Operation): fc.Arbitrary<Request | null> {
    const { parameters, body } = operation;
    const changes: fc.Arbitrary<(request: Request) => Request | null>[] = [];
    if (body !== undefined) {
      const validate = this.getValidator(body);
      changes.push(
        corrupted.map((corrupt) => (request: Request) => {
          const changed = corrupt(request.body);
          return validate(changed) ? null : { ...request, body: changed };
        }),
      );
    }
    for (const { name, in: place, schema } of parameters) {
      if (place === 'path') continue;
      const part = place === 'query' ? 'query' : 'headers';
      changes.push(
        fc.constantFrom(...WRONG_TEXTS).map((text) => (request: Request) => {
          const isAllowed = this.isAllowedText(schema, text);
          return isAllowed ? null : { ...request, [part]: { ...request[part], [name]: text } };
        }),
      );
    }
    const unknown = { unknown_parameter: 'x' };
    changes.push(
      fc.constant((request: Request) => ({ ...request, query: { ...request.query, ...unknown } })),
    );
    if (parameters.some(({ name }) => name === 'starting_after')) {
      const both = { starting_after: 'a', ending_before: 'b' };
      changes.push(
        fc.constant((request: Request) => ({ ...request, query: { ...request.query, ...both } })),
      );
    }
    return fc
      .tuple(this.generateRequests(operation), fc.oneof(...changes))
      .map(([request, change]) => change({ ...request, headers: {} }));
  }

  /** Checks a text of the query or a header, parsed as the type of its schema. */
  private isAllowedText(schema: Json, text: string): boolean {
    const { type } = resolveReference(this.document, schema) as { type?: string };
    const validate = this.getValidator(schema);
    if (type === 'array') return validate(text.split(',').map((item) => item.trim()));
    if (type === 'boolean') return text === 'true' || text === 'false';
    if (type === 'integer' || type === 'number')
      return /^-?\d+$/.test(text) && validate(Number(text));
    return validate(text);
  }

  private getValidator(schema: Json): ValidateFunction {
    const known =
      this.validators.get(schema) ?? this.ajv.compile(makeReferencesAbsolute(schema) as Json);
    this.validators.set(schema, known);
    return known;
  }

  private async send(operation: Operation, request: Request): Promise<RawAnswer> {
    const { method, path } = operation;
    let target = path;
    for (const [whole, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
      const id = (await this.createIdFor(operation, name)) ?? String(request.path[name]);
      target = target.replace(whole, encodeURIComponent(id) || 'x');
    }
    const search = new URLSearchParams(
      Object.entries(request.query).map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
    const body = await this.withIds(operation, request.body);
    const { service, tenant } = this.owner;
    return sendRaw(service.url, {
      method,
      target: search === '' ? target : `${target}?${search}`,
      credential: path.startsWith('/operator/') ? service.operatorToken : tenant.key,
      headers: {
        ...Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        ),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /**
   * Replaces ids of a body by ids of existing objects, so that the rules behind the ids are
   * reached.
   */
  private async withIds(operation: Operation, body: unknown): Promise<unknown> {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
    const filled: Json = { ...(body as Json) };
    for (const [name, value] of Object.entries(filled)) {
      if (typeof value !== 'string' || value.length > ID_CHARS_MAX) continue;
      if (PLAN_FIELDS.has(name) && value !== '') filled[name] = 'pro';
      else if (name.endsWith('_id') && value !== '')
        filled[name] = (await this.createIdFor(operation, name)) ?? value;
    }
    // A body that is wrong only because of an id must stay wrong.
    const validate = this.getValidator(operation.body ?? {});
    return validate(filled) && !validate(body) ? body : filled;
  }

  private createIdFor(operation: Operation, name: string): Promise<string> | undefined {
    const make = this.makerOf(operation.name, name);
    if (make === undefined) return undefined;
    const place = `${operation.name} ${name}`;
    const known = this.ids.get(place) ?? make();
    this.ids.set(place, known);
    return known;
  }
}

/**
 * The number of generated values in a row that a schema may reject. More mean that the generator
 * does not support one of its keywords.
 */
const MISSES_MAX = 2_000;
const ID_CHARS_MAX = 64;
const PLAN_FIELDS = new Set(['plan', 'to_plan']);

const WRONG_TEXTS = [
  '',
  'nonsense',
  '-1',
  '0',
  '101',
  '1e3',
  '1.5',
  'TRUE',
  '2026-01-01',
  '2026-02-30T00:00:00Z',
  'x'.repeat(600),
  'a,,b',
  '"12',
];

/**
 * Removes the log position, because a read would wait for a position that no write has reached yet.
 */
const removeLogPosition = (headers: Json): Json =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      name === 'X-Service-Log-Position' ? '1' : value,
    ]),
  );

/** Keeps the first of two cursors that exclude each other. */
const keepOneCursor = (query: Json): Json => {
  if (!('starting_after' in query)) return query;
  const { ending_before: _, ...rest } = query;
  return rest;
};

const isListed = (
  operation: Operation,
  { status, body, code }: RawAnswer,
  reasons: readonly Reason[],
): boolean => {
  if (status !== 400) return false;
  const { param } = (JSON.parse(body) as { error: { param: string | null } }).error;
  return reasons.some(
    (reason) =>
      reason.operation.test(operation.name) &&
      reason.code === code &&
      reason.param.test(param ?? ''),
  );
};

const SHOWN_CHARS = 400;

const describeAnswer = (
  { name }: Operation,
  request: Request,
  { status, body }: RawAnswer,
): string =>
  `${name} ${JSON.stringify({ ...request, path: undefined }).slice(0, SHOWN_CHARS)}: ${status} ${body.slice(0, SHOWN_CHARS)}`;

const readOperations = (document: Json): Operation[] =>
  Object.entries(document['paths'] as Record<string, Record<string, Json>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const { content } = (operation['requestBody'] ?? {}) as { content?: Record<string, Json> };
        return {
          name: `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase(),
          path,
          parameters: ((operation['parameters'] ?? []) as Json[]).map(
            (parameter) => resolveReference(document, parameter) as unknown as Parameter,
          ),
          body: content?.['application/json']?.['schema'] as Json | undefined,
        };
      }),
  );

/** Returns the parameters of the path and the fields of the body. */
const listFieldNames = (document: Json, { path, body }: Operation): string[] => {
  const { properties = {} } = resolveReference(document, body ?? {}) as { properties?: Json };
  return [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, name = '']) => name)
    .concat(Object.keys(properties));
};

/** Makes references relative to the whole document. */
const makeReferencesAbsolute = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(makeReferencesAbsolute);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string'
        ? `openapi${value}`
        : makeReferencesAbsolute(value),
    ]),
  );
};
