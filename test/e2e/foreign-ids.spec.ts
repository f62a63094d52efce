import type { Answer } from '../support/api';
import type { ConsoleBrowser } from '../support/console-browser';
import { RunningService, type TestTenant } from '../support/service';
import {
  readId,
  createObjectOwner,
  createObjectMakers,
  type ObjectOwner,
} from '../support/object-makers';
import { until } from '../support/until';

type Json = Record<string, unknown>;
type FindId = (name: string) => Promise<string>;
type Send = (method: string, url: string, body: unknown) => Promise<Answer>;

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** The names of the path's parameters. */
  readonly ids: readonly string[];
  readonly body: unknown;
  readonly testOnly: boolean;
}

/** Parameters of the same meaning for every tenant. */
const COMMON = new Set(['metric', 'eventType', 'name']);
/** The tenants choose the ids of their plans themselves, so each has its own plan of the id. */
const CHOSEN_ID = 'PUT /v1/plans/{planId}';
/** Actions that are recorded before they are tried, so also if they are refused. */
const TRIED = new Set(['destination.tested', 'destination.previewed']);
/** Objects that only the live environment has in the state that their operations need. */
const MADE_IN_LIVE = new Set(['refundId']);

/**
 * Every operation with an id in its path is called with a valid request by a caller to whom the id
 * does not belong. The operations come from the OpenAPI document, so a new one needs no new test.
 */
describe('an id of another tenant or environment', () => {
  let service: RunningService;
  let operations: Operation[];
  let owner: ObjectOwner;
  let ownersId: FindId;
  let stranger: ObjectOwner;
  let strangersId: FindId;

  beforeAll(async () => {
    service = await RunningService.shared();
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Json;
    operations = listOperations(document).filter(
      ({ ids, name }) => ids.length > 0 && name !== CHOSEN_ID && !ids.some((id) => COMMON.has(id)),
    );
    owner = await createObjectOwner(service);
    stranger = await createObjectOwner(service);
    const plan = { name: 'Own', amount: 1, currency: 'USD', interval: 'month' };
    const planId = 'plan_of_owner';
    (await owner.tenant.api.put(`/v1/plans/${planId}`, plan)).expect(200);
    ownersId = rememberIds(owner, { planId });
    strangersId = rememberIds(stranger);
  });

  const listUnderPath = (prefix: string): Operation[] =>
    operations.filter(({ path }) => path.startsWith(prefix));

  /**
   * Calls an operation and returns a line if the response is not that an id is unknown. The
   * response must name the parameter of that id: `foreign`, or the first one in the path whose id
   * is foreign.
   */
  const findSurprise = async (
    { name, method, path, body, ids }: Operation,
    idFor: FindId,
    send: Send,
    foreign = ids.find((id) => id !== 'tenantId'),
  ): Promise<string | null> => {
    let url = path;
    for (const [whole, id] of path.matchAll(/\{(\w+)\}/g))
      url = url.replace(whole, await idFor(id!));
    const { refusal } = await send(method, url, body);
    const isUnknown = refusal[0] === 404 && refusal[1] === 'resource_not_found';
    return isUnknown && refusal[2] === foreign ? null : `${name}: ${refusal.join(' ')}`;
  };

  const withKey =
    ({ api }: TestTenant): Send =>
    (method, url, body) =>
      api.send(method, url, { body });

  /** Calls each operation with one foreign id; the other ids of the path are the caller's own. */
  const callWithEachIdForeign = async (
    chosen: readonly Operation[],
    send: Send,
  ): Promise<string[]> => {
    const found: (string | null)[] = [];
    for (const operation of chosen) {
      for (const foreign of operation.ids.filter((id) => id !== 'tenantId')) {
        const idFor: FindId = (id) => (id === foreign ? ownersId(id) : strangersId(id));
        found.push(await findSurprise(operation, idFor, send, foreign));
      }
    }
    return found.filter((line) => line !== null);
  };

  /**
   * Expects that the audit log has nothing of an actor except one last action. The log is read in
   * its order, so nothing of what the actor did before is missing.
   */
  const expectOnlyAction = async (actor: string, action: string): Promise<void> => {
    const items = await until(`the last action of ${actor}`, async () => {
      const { data } = await service.operator.get(`/operator/v1/audit_log?actor=${actor}`);
      return data.some((item) => item['action'] === action) ? data : null;
    });
    const actions = items.map((item) => String(item['action']));
    expect(actions.filter((each) => !TRIED.has(each))).toEqual([action]);
  };

  const expectNoChangeBy = async (caller: TestTenant): Promise<void> => {
    (await caller.api.post('/v1/subscribers', { email: 'last@example.com' })).expect(201);
    await expectOnlyAction(`key_${String(caller.key.split('_')[2])}`, 'subscriber.created');
  };

  it('is known to the reads of its owner', async () => {
    const reads = listUnderPath('/v1/').filter(
      ({ method, ids }) => method === 'GET' && ids.length < 2,
    );
    const unknown: string[] = [];
    for (const { name, path, ids } of reads) {
      const [id = ''] = ids;
      const { api } = MADE_IN_LIVE.has(id) ? owner.live : owner.tenant;
      const { status } = await api.get(path.replace(`{${id}}`, await ownersId(id)));
      if (status !== 200) unknown.push(`${name}: ${status}`);
    }
    expect(unknown).toEqual([]);
  });

  it('is unknown to every operation with a key of another tenant, and changes nothing', async () => {
    const caller = await service.createKey(stranger.tenant.id, 'test');
    const chosen = listUnderPath('/v1/');
    expect(chosen.length).toBeGreaterThan(60);
    expect(await callWithEachIdForeign(chosen, withKey(caller))).toEqual([]);
    await expectNoChangeBy(caller);
  });

  it.each(['the same', 'another'])(
    'is unknown to every operation with a key of the other environment of %s tenant, and changes nothing',
    async (whose) => {
      const { tenant } = whose === 'the same' ? owner : stranger;
      const [live, test] = [
        await service.createKey(tenant.id, 'live'),
        await service.createKey(tenant.id, 'test'),
      ];
      const found: (string | null)[] = [];
      for (const operation of listUnderPath('/v1/')) {
        const isOfLive = operation.ids.some((id) => MADE_IN_LIVE.has(id));
        // A live key is refused by test helpers whatever the id is.
        if (operation.testOnly) continue;
        found.push(await findSurprise(operation, ownersId, withKey(isOfLive ? test : live)));
      }
      expect(found.filter((line) => line !== null)).toEqual([]);
      for (const caller of [live, test]) await expectNoChangeBy(caller);
    },
  );

  it('is unknown to every operation of the operator under another tenant, and changes nothing', async () => {
    const made = await service.operator.post('/operator/v1/operator_tokens', { name: 'caller' });
    const { id, token } = made.created;
    const api = service.createApi(String(token));
    const chosen = listUnderPath('/operator/v1/tenants/').filter(({ ids }) => ids.length > 1);
    expect(chosen.length).toBeGreaterThan(8);
    const send: Send = (method, url, body) => api.send(method, url, { body });
    expect(await callWithEachIdForeign(chosen, send)).toEqual([]);
    (await api.post('/operator/v1/tenants', { name: 'Last' })).expect(201);
    await expectOnlyAction(String(id), 'tenant.created');
  });

  it('is unknown to every operation of the console for the owner of another tenant', async () => {
    const ofOwner = await signIn(owner);
    const invitation = { email: 'reader@example.com', role: 'viewer' };
    const invited = await ofOwner.post('/console/v1/invitations', invitation);
    const consoleIds: Readonly<Record<string, string>> = {
      invitationId: readId(invited),
      memberId: String((await ofOwner.get('/console/v1/members')).data[0]?.['id']),
      sessionId: String((await ofOwner.get('/console/v1/sessions')).data[0]?.['id']),
    };
    const browser = await signIn(stranger);
    const found: (string | null)[] = [];
    for (const operation of listUnderPath('/console/v1/')) {
      const idFor = async (id: string): Promise<string> => consoleIds[id] ?? ownersId(id);
      found.push(await findSurprise(operation, idFor, browser.send.bind(browser)));
    }
    expect(found.filter((line) => line !== null)).toEqual([]);
    expect(found.length).toBeGreaterThan(6);
    const left = await ofOwner.get('/console/v1/invitations');
    expect(left.data.map((each) => each['id'])).toEqual([consoleIds['invitationId']]);
  });

  const signIn = ({ tenant }: ObjectOwner): Promise<ConsoleBrowser> =>
    service.signedIn({ tenant_id: tenant.id, role: 'owner' });
});

/** Returns ids of an owner's objects. Each object is created when its id is first needed. */
const rememberIds = (
  objectOwner: ObjectOwner,
  known: Readonly<Record<string, string>> = {},
): FindId => {
  const makerOf = createObjectMakers(objectOwner);
  const made = new Map(Object.entries(known).map(([name, id]) => [name, Promise.resolve(id)]));
  return (name) => {
    const make = makerOf('', name);
    if (make === undefined) throw new Error(`no maker of ${name}`);
    const id = made.get(name) ?? make();
    made.set(name, id);
    return id;
  };
};

const listOperations = (document: Json): Operation[] =>
  Object.entries(document['paths'] as Record<string, Record<string, Json>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([verb, operation]) => ({
        name: `${verb.toUpperCase()} ${path}`,
        method: verb.toUpperCase(),
        path,
        ids: [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => id ?? ''),
        body: readExampleBody(operation),
        testOnly: operation['x-test-only'] === true,
      })),
  );

/** Returns the example of an operation's body. */
const readExampleBody = ({ requestBody }: Json): unknown => {
  const { content } = (requestBody ?? {}) as { content?: Record<string, { example?: unknown }> };
  return content?.['application/json']?.example;
};
