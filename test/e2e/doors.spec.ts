import type { DeclaredRoute } from '../../src/http/pipeline/routes';
import type { ScopeName } from '../../src/http/pipeline/scopes';
import { type RawAnswer, sendRaw } from '../support/raw-request';
import { listRoutes } from '../support/router';
import { RunningService, type TestTenant } from '../support/service';

/**
 * A kind of credential and the expected response of a route of each audience: a status or a code.
 */
interface Credential {
  readonly name: string;
  readonly token: (route: DeclaredRoute) => string | null;
  readonly tenantRoutes: string;
  readonly operatorRoutes: string;
}

/** Another spelling of a path, and the only allowed response to it. */
interface Spelling {
  readonly name: string;
  readonly of: (path: string) => string[];
  readonly answer: string;
}

const PARAMETER = 'x1';
const FILES = new Set(['/console', '/console/', '/console/assets/:name']);

const createPath = ({ url }: DeclaredRoute): string => url.replaceAll(/:[^/]+|\*/g, PARAMETER);

/** Returns one path per segment, in which that segment is spelled differently. */
const createSpellings =
  (rewrite: (segment: string) => string) =>
  (path: string): string[] => {
    const segments = path.slice(1).split('/');
    return segments.map((segment, at) => `/${segments.with(at, rewrite(segment)).join('/')}`);
  };

const encodeChar = (char: string): string => `%${char.charCodeAt(0).toString(16)}`;

const SPELLINGS: readonly Spelling[] = [
  {
    name: 'percent-encoded in one segment',
    of: createSpellings((segment) => `${encodeChar(segment[0] ?? '')}${segment.slice(1)}`),
    answer: 'parameter_invalid',
  },
  {
    name: 'percent-encoded throughout, in upper case',
    of: (path) => [path.replaceAll(/[^/]/g, (char) => encodeChar(char).toUpperCase())],
    answer: 'parameter_invalid',
  },
  {
    name: 'with encoded slashes',
    of: (path) => [`/%2f${path.slice(1).replaceAll('/', '%2f')}`, `${path}%2F`],
    answer: 'parameter_invalid',
  },
  {
    name: 'in the absolute form',
    of: (path) => [`http://x${path}`, `http://${path}`, `https://x:1${path}`],
    answer: 'parameter_invalid',
  },
  {
    name: 'with dot segments',
    of: (path) => [
      `/.${path}`,
      `/v1/..${path}`,
      `${path}/.`,
      ...createSpellings((s) => `./${s}`)(path),
    ],
    answer: 'parameter_invalid',
  },
  {
    name: 'with encoded dot segments',
    of: (path) => [`/%2e${path}`, `/docs/%2E%2E${path}`],
    answer: 'parameter_invalid',
  },
  { name: 'with a fragment', of: (path) => [`${path}#x`], answer: 'parameter_invalid' },
  { name: 'with a trailing slash', of: (path) => [`${path}/`], answer: 'route_not_found' },
  {
    name: 'with a double slash',
    of: createSpellings((segment) => `/${segment}`),
    answer: 'route_not_found',
  },
  { name: 'in upper case', of: (path) => [path.toUpperCase()], answer: 'route_not_found' },
  {
    name: 'with a semicolon',
    of: (path) => [path.replace(/^\/[^/]+/, '$&;x')],
    answer: 'route_not_found',
  },
];

describe('every route of the running service', () => {
  let service: RunningService;
  let routes: readonly DeclaredRoute[];
  let live: TestTenant;
  let credentials: readonly Credential[];

  beforeAll(async () => {
    // The console's first page is the only path that ends with a slash. Its files are tested
    // elsewhere.
    routes = (await listRoutes()).filter(({ url }) => !FILES.has(url));
    service = await RunningService.shared();
    live = await service.tenant('live');
    const narrow = await narrowKeys();
    const { operatorToken } = service;
    credentials = [
      {
        name: 'no credential',
        token: () => null,
        tenantRoutes: 'api_key_missing',
        operatorRoutes: 'api_key_missing',
      },
      {
        name: 'the credential of the other kind',
        token: ({ facts }) => (facts.audience?.kind === 'tenant' ? operatorToken : live.key),
        tenantRoutes: 'api_key_invalid',
        operatorRoutes: 'api_key_invalid',
      },
      {
        name: 'a key without the scopes',
        token: narrow,
        tenantRoutes: 'insufficient_scope',
        operatorRoutes: 'api_key_invalid',
      },
    ];
  });

  /** Returns, of two keys, the one that lacks every scope of the route. */
  const narrowKeys = async (): Promise<(route: DeclaredRoute) => string> => {
    const issue = async (scopes: ScopeName[]): Promise<string> => {
      const body = { environment: 'test', name: 'narrow', scopes };
      const path = `/operator/v1/tenants/${live.id}/api-keys`;
      return (await service.operator.post(path, body)).created['key'] as string;
    };
    const metrics = await issue(['metrics:read']);
    const tickets = await issue(['tickets:read']);
    return ({ facts: { audience } }) =>
      audience?.kind === 'tenant' && audience.scopes.includes('metrics:read') ? tickets : metrics;
  };

  /**
   * Returns a line for each unexpected response. `expected` gives the expected one; null accepts
   * any.
   */
  const listSurprises = async (
    targetsOf: (route: DeclaredRoute) => readonly string[],
    expected: (route: DeclaredRoute, credential: Credential) => string | null,
  ): Promise<string[]> => {
    const found = routes.flatMap((route) =>
      credentials.flatMap((credential) =>
        targetsOf(route).map(async (target) => {
          const { method } = route;
          const token = credential.token(route);
          const answer = await sendRaw(service.url, { method, target, credential: token });
          const wanted = expected(route, credential);
          const got = readOutcome(method, answer);
          const ok = method === 'HEAD' ? STATUS_OF[wanted ?? ''] === answer.status : got === wanted;
          return wanted === null || ok
            ? null
            : `${method} ${target} with ${credential.name}: ${got} instead of ${wanted}`;
        }),
      ),
    );
    return (await Promise.all(found)).filter((line) => line !== null);
  };

  const getExpected = ({ facts, method, url }: DeclaredRoute, credential: Credential): string => {
    switch (facts.audience?.kind) {
      case 'tenant':
        return credential.tenantRoutes;
      case 'operator':
        return credential.operatorRoutes;
      // A session is a cookie, so no bearer credential is one. Changes from another site are
      // refused first.
      case 'member':
        return 'session_invalid';
      case 'visitor':
        if (method !== 'GET' && method !== 'HEAD') return 'cross_site_request';
        // A browser is sent to the provider, or back to the sign-in page.
        return url.startsWith('/console/v1/oidc/') ? 'redirect' : 'ok';
      default:
        return 'ok';
    }
  };

  it('declares an audience that matches the prefix of its path', () => {
    const listKinds = (url: string): readonly string[] => {
      if (url.startsWith('/v1/')) return ['tenant'];
      if (url.startsWith('/operator/')) return ['operator'];
      if (url.startsWith('/console/v1/')) return ['member', 'visitor'];
      return ['public', 'monitoring', 'metrics'];
    };
    const undeclared = routes.filter(
      ({ url, facts }) => !listKinds(url).includes(facts.audience?.kind ?? ''),
    );
    expect(undeclared).toEqual([]);
    expect(routes.length).toBeGreaterThan(150);
  });

  it('is described in the OpenAPI document, and no other route is', async () => {
    const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const registered = routes
      .filter(({ method, url }) => method !== 'HEAD' && /^\/((operator|console)\/)?v1\//.test(url))
      .map(({ method, url }) => `${method} ${url.replaceAll(/:([^/]+)/g, '{$1}')}`);
    expect(described.sort()).toEqual(registered.sort());
  });

  it('refuses callers outside its audience', async () => {
    expect(await listSurprises((route) => [createPath(route)], getExpected)).toEqual([]);
  });

  it.each(SPELLINGS)(
    'answers $answer to every caller if its path is spelled $name',
    async (way) => {
      expect(
        await listSurprises(
          (route) => (createPath(route) === '/' ? [] : way.of(createPath(route))),
          () => way.answer,
        ),
      ).toEqual([]);
    },
  );

  it('reveals no more by HEAD than by GET', async () => {
    const gets = routes.filter(({ method }) => method === 'GET');
    const heads = routes.filter(({ method }) => method === 'HEAD');
    expect(heads.map(({ url, facts }) => [url, facts])).toEqual(
      gets.map(({ url, facts }) => [url, facts]),
    );
    for (const route of heads) {
      const { body, status } = await sendRaw(service.url, {
        method: 'HEAD',
        target: createPath(route),
      });
      expect([route.url, body]).toEqual([route.url, '']);
      expect(status).toBe(STATUS_OF[getExpected(route, credentials[0]!)]);
    }
  });

  it('refuses a live key if it is for tests', async () => {
    const testRoutes = routes.filter(({ facts }) => facts.testOnly === true);
    expect(testRoutes.length).toBeGreaterThan(5);
    for (const route of testRoutes.filter(({ method }) => method !== 'HEAD')) {
      const request = { method: route.method, target: createPath(route), credential: live.key };
      expect([route.url, (await sendRaw(service.url, request)).code]).toEqual([
        route.url,
        'test_helpers_live_forbidden',
      ]);
    }
  });
});

const STATUS_OF: Readonly<Record<string, number>> = {
  session_invalid: 401,
  cross_site_request: 403,
  ok: 200,
  parameter_invalid: 400,
  api_key_missing: 401,
  api_key_invalid: 401,
  insufficient_scope: 403,
  redirect: 302,
  route_not_found: 404,
};

/** Returns the code of the documented error body, otherwise the status. */
const readOutcome = (method: string, { status, code, body }: RawAnswer): string => {
  if (status === 200) return 'ok';
  if (status === 302) return 'redirect';
  if (method === 'HEAD' || code === null) return `${status} ${body.slice(0, 200)}`;
  return STATUS_OF[code] === status ? code : `${status} ${code}`;
};
