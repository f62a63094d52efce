import type { ConsoleBrowser } from '../support/console-browser';
import { RunningService } from '../support/service';

type Json = Record<string, unknown>;
type Environment = 'live' | 'test';

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** The scopes of the tenant's API; null for other operations. */
  readonly scopes: readonly string[] | null;
  readonly testOnly: boolean;
  readonly right: string | undefined;
}

/** The matrix of D-94. It is repeated here so that a change of the service is noticed. */
const READ = [
  ...['subscribers', 'subscriptions', 'cohorts', 'motions', 'payments', 'credits', 'tickets'],
  ...['replay', 'destinations', 'events', 'metrics', 'audit_log'],
].map((resource) => `${resource}:read`);
const ALL = 'all';
const ROLES: Readonly<Record<string, Readonly<Record<Environment, readonly string[] | 'all'>>>> = {
  owner: { live: ALL, test: ALL },
  admin: { live: ALL, test: ALL },
  developer: { live: [...READ, 'destinations:write', 'replay:write'], test: ALL },
  support: allowInBoth([
    ...['subscribers', 'subscriptions', 'payments', 'credits', 'tickets'].flatMap((resource) => [
      `${resource}:read`,
      `${resource}:write`,
    ]),
    ...['refunds:write', 'cohorts:read', 'motions:read', 'motions:trigger', 'events:read'],
    'pii:read',
  ]),
  analyst: allowInBoth(['metrics:read', 'cohorts:read', 'motions:read']),
  viewer: allowInBoth(READ),
};
const RIGHTS: Readonly<Record<string, readonly string[]>> = {
  session: Object.keys(ROLES),
  tenant: Object.keys(ROLES),
  keys: ['owner', 'admin', 'developer'],
  members: ['owner', 'admin'],
  settings: ['owner', 'admin'],
};

function allowInBoth(scopes: readonly string[]): Record<Environment, readonly string[]> {
  return { live: scopes, test: scopes };
}

const AT_ONCE = 8;
const SIGN_OUT = 'DELETE /console/v1/session';

let service: RunningService;
let tenantId: string;
let operations: Operation[];

beforeAll(async () => {
  service = await RunningService.shared();
  tenantId = (await service.tenant()).id;
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Json>>;
  };
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => readOperation(method, path, operation)),
  );
}, 60_000);

const readOperation = (verb: string, path: string, operation: Json): Operation => {
  const method = verb.toUpperCase();
  const security = operation['security'] as Record<string, string[]>[];
  return {
    name: `${method} ${path}`,
    method,
    path,
    scopes: path.startsWith('/v1/') ? (security[0]?.['apiKey'] ?? []) : null,
    testOnly: operation['x-test-only'] === true,
    right: operation['x-member-right'] as string | undefined,
  };
};

/**
 * Calls an operation without valid ids and with a body that is not JSON, so that an allowed call
 * changes nothing.
 */
const isRefused = async (browser: ConsoleBrowser, operation: Operation): Promise<boolean> => {
  const path = operation.path.replaceAll(/\{\w+\}/g, 'unknown');
  const response = await fetch(`${service.url}${path}`, {
    method: operation.method,
    headers: { ...browser.headers, 'content-type': 'application/json' },
    redirect: 'manual',
    ...(operation.method === 'GET' ? {} : { body: '{' }),
  });
  const text = await response.text();
  if (response.status === 401) throw new Error(`${operation.name}: ${text}`);
  return response.status === 403;
};

const listRefused = async (
  browser: ConsoleBrowser,
  asked: readonly Operation[],
): Promise<string[]> => {
  const refused: string[] = [];
  const left = [...asked];
  const runWorker = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      if (await isRefused(browser, next)) refused.push(next.name);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runWorker));
  return refused.sort();
};

const listOperations = (): Operation[] => operations.filter(({ name }) => name !== SIGN_OUT);

/** True if the role may call the operation. Operations for visitors are independent of roles. */
const mayMember = (role: string, environment: Environment, operation: Operation): boolean => {
  const { path, right, scopes, testOnly } = operation;
  if (scopes !== null) {
    const own = ROLES[role]?.[environment] ?? [];
    if (environment === 'live' && (testOnly || scopes.includes('test_helpers:write'))) return false;
    return own === ALL || scopes.every((scope) => own.includes(scope));
  }
  if (path.startsWith('/operator/')) return false;
  return right === undefined || RIGHTS[right]?.includes(role) === true;
};

const CELLS = Object.keys(ROLES).flatMap((role) =>
  (['live', 'test'] as const).map((environment) => [role, environment] as const),
);

describe('each operation', () => {
  it.each(CELLS)(
    'is allowed for the role %s in %s as D-94 says',
    async (role, environment) => {
      const browser = (await service.signedIn({ tenant_id: tenantId, role })).openTenant(
        tenantId,
        environment,
      );
      const expected = listOperations().filter((each) => !mayMember(role, environment, each));
      expect(await listRefused(browser, listOperations())).toEqual(
        expected.map(({ name }) => name).sort(),
      );
    },
    60_000,
  );

  it.each(['operator', 'operator_viewer'])(
    'is allowed for an %s as D-94 says',
    async (role) => {
      const browser = await service.signedIn({ role });
      // Operators are members of no tenant.
      const named = browser.openTenant(tenantId);
      const expected = listOperations().filter(({ path, method, right, scopes }) => {
        if (path.startsWith('/operator/')) {
          // Tokens of operators are created only with the token with which the service was started.
          const isForRoot = path.startsWith('/operator/v1/operator_tokens');
          return method !== 'GET' && (role === 'operator_viewer' || isForRoot);
        }
        return scopes !== null || (right !== undefined && right !== 'session');
      });
      expect(await listRefused(named, listOperations())).toEqual(
        expected.map(({ name }) => name).sort(),
      );
    },
    60_000,
  );

  it('allows owners and viewers to sign out', async () => {
    for (const role of ['owner', 'viewer']) {
      const browser = await service.signedIn({ tenant_id: tenantId, role });
      expect((await browser.delete('/console/v1/session')).status).toBe(204);
    }
  });
});
