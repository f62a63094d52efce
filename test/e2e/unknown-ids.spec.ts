import type { Answer } from '../support/api';
import { resolveReference } from '../support/contract';
import { createObjectMakers, createObjectOwner } from '../support/object-makers';
import { RunningService } from '../support/service';

type Json = Record<string, unknown>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly example?: string;
}

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The example of the body. */
  readonly body: Json | undefined;
  /** The names of the body's fields. */
  readonly fields: readonly string[];
}

/** The only operation that takes an id that nothing has: it creates the plan. */
const CREATES = 'PUT /v1/plans/{planId}';
/** The names of query parameters and fields that hold the id of an object, or several ids. */
const HOLDS_ID = /^(?!external_)(?:\w+_ids?|plan|to_plan|test_clock|retry_of|follow_up_of)$/;
/** An id of the right length but of no kind, which no object can have. */
const UNKNOWN = 'nothing_has_this_id';

/**
 * The operations come from the OpenAPI document, so a new one needs no new test. Every 404 must
 * name the parameter or the field at fault as the document writes it.
 */
describe('an id that nothing has', () => {
  let service: RunningService;
  let operations: Operation[];
  let makerOf: ReturnType<typeof createObjectMakers>;
  let send: (operation: Operation, url: string, body?: unknown) => Promise<Answer>;

  beforeAll(async () => {
    service = await RunningService.shared();
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Json;
    operations = listOperations(document);
    const owner = await createObjectOwner(service);
    makerOf = createObjectMakers(owner);
    const browser = await service.signedIn({ tenant_id: owner.tenant.id, role: 'owner' });
    send = ({ method, path }, url, body) => {
      if (path.startsWith('/console/')) return browser.send(method, url, body);
      const api = path.startsWith('/operator/') ? service.operator : owner.tenant.api;
      return api.send(method, url, { body });
    };
  });

  /** Fills in the path. Ids that are not in `known` are those of existing objects. */
  const createUrl = async (
    { name, path }: Operation,
    known: Readonly<Record<string, string>> = {},
  ): Promise<string> => {
    let url = path;
    for (const id of listIds(path)) {
      url = url.replace(`{${id}}`, known[id] ?? (await makerOf(name, id)?.()) ?? UNKNOWN);
    }
    return url;
  };

  /** Returns the example of the body with existing objects, except one field. */
  const createBody = async ({ name, body }: Operation, field: string): Promise<Json> => {
    const unknown = { [field]: field.endsWith('_ids') ? [UNKNOWN] : UNKNOWN };
    // A replay of what failed has no other fields.
    if (field === 'retry_of') return unknown;
    const given: Json = { ...body };
    for (const key of Object.keys(given).filter((each) => HOLDS_ID.test(each))) {
      const make = makerOf(name, key.endsWith('plan') ? 'planId' : key);
      given[key] = await make?.();
    }
    return { ...given, ...unknown };
  };

  it('is refused by the name of its parameter by every operation with ids in its path', async () => {
    const surprises: string[] = [];
    const chosen = operations.filter(({ name, path }) => name !== CREATES && path.includes('{'));
    for (const operation of chosen) {
      for (const { name, example = UNKNOWN } of operation.parameters) {
        if (!operation.path.includes(`{${name}}`)) continue;
        // The example has the form of an id, except where every tenant has the same names.
        const ids = /[a-z]_[\da-z]{20}/i.test(example) ? [UNKNOWN, example] : [UNKNOWN];
        for (const id of ids) {
          const url = await createUrl(operation, { [name]: id });
          const { refusal } = await send(operation, url, operation.body);
          if (refusal.join() === `404,resource_not_found,${name}`) continue;
          surprises.push(`${operation.name} with ${name} ${id}: ${refusal.join(' ')}`);
        }
      }
    }
    expect(surprises).toEqual([]);
    expect(chosen.length).toBeGreaterThan(90);
  });

  it('is refused by the name of its field by every operation with ids in its body', async () => {
    const surprises: string[] = [];
    let calls = 0;
    for (const operation of operations) {
      for (const field of operation.fields.filter((name) => HOLDS_ID.test(name))) {
        const body = await createBody(operation, field);
        const { refusal } = await send(operation, await createUrl(operation), body);
        calls += 1;
        if (refusal.join() === `404,resource_not_found,${field}`) continue;
        surprises.push(`${operation.name} with ${field}: ${refusal.join(' ')}`);
      }
    }
    expect(surprises).toEqual([]);
    expect(calls).toBeGreaterThan(20);
  });

  it('is refused by the name of its query parameter, or finds nothing', async () => {
    const surprises: string[] = [];
    let refused = 0;
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      for (const { name } of operation.parameters.filter((each) => isIdInQuery(each))) {
        const metric = name === 'destination_id' ? 'delivery_success' : 'mrr';
        const url = `${await createUrl(operation, { metric })}?${name}=${UNKNOWN}${OTHERS[operation.path] ?? ''}`;
        const { status, refusal } = await send(operation, url);
        if (refusal.join() === `404,resource_not_found,${name}`) refused += 1;
        else if (status !== 200) surprises.push(`${operation.name}, ${name}: ${refusal.join(' ')}`);
      }
    }
    expect(surprises).toEqual([]);
    expect(refused).toBeGreaterThan(5);
  });

  it('is refused by the path of its field in an offer', async () => {
    const offer = { type: 'plan_switch', to_plan: UNKNOWN };
    const terms = { name: 'Switch', kind: 'cancel_save', offer };
    const create = operations.find(({ name }) => name === 'POST /v1/motions')!;
    expect((await send(create, create.path, terms)).refusal).toEqual([
      404,
      'resource_not_found',
      'offer.to_plan',
    ]);
    const trigger = operations.find(({ path }) => path.endsWith('/trigger'))!;
    const subscriber = await makerOf(trigger.name, 'subscriber_id')!();
    const body = { subscriber_id: subscriber, offer_override: offer };
    expect((await send(trigger, await createUrl(trigger), body)).refusal).toEqual([
      404,
      'resource_not_found',
      'offer_override.to_plan',
    ]);
  });
});

/** Other parameters that an operation needs. */
const OTHERS: Readonly<Record<string, string>> = {
  '/operator/v1/exports': '&view=subscribers&environment=test',
};

const isIdInQuery = ({ name, in: place }: Parameter): boolean =>
  place === 'query' && HOLDS_ID.test(name);

const listIds = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => id ?? '');

const listOperations = (document: Json): Operation[] =>
  Object.entries(document['paths'] as Record<string, Record<string, Json>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([verb, { parameters, requestBody }]) => {
        const { content } = (requestBody ?? {}) as { content?: Record<string, Json> };
        const { schema, example } = content?.['application/json'] ?? {};
        const { properties = {} } = resolveReference(document, (schema ?? {}) as Json) as {
          properties?: Json;
        };
        return {
          name: `${verb.toUpperCase()} ${path}`,
          method: verb.toUpperCase(),
          path,
          parameters: ((parameters ?? []) as Json[]).map(
            (each) => resolveReference(document, each) as unknown as Parameter,
          ),
          body: example as Json | undefined,
          fields: Object.keys(properties),
        };
      }),
  );
