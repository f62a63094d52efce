import { findMeant, suggestNames } from '../../kernel/nearest';

/** The routes of the router by segment. The child `:` is a parameter. */
interface RouteNode {
  readonly children: Map<string, RouteNode>;
  /** The name of the parameter, if this node is one. */
  readonly parameter: string | null;
  isRoute: boolean;
}

const PARAMETER = ':';
/** Many callers leave out the version, write it twice, or write a prefix that other APIs have. */
const PREFIX = '/v1';
const NEEDLESS_PREFIX = /^\/(?:api|rest|v1(?=\/v1\/))(?=\/)/i;

/** A route, by its method and its path with parameters such as `:planId`. */
interface Route {
  readonly method: string;
  readonly url: string;
}

const CHANGING = ['POST', 'PUT', 'PATCH', 'DELETE'];
const LISTED_MAX = 8;

/** How objects come about that no request creates by itself. */
const CREATED_OTHERWISE: Readonly<Record<string, string>> = {
  'POST /v1/payments':
    ' The service makes the payment when a subscription starts, renews or changes its plan: see POST /v1/subscriptions.',
  'POST /v1/events':
    ' The service records an event when something happens. In a test environment, POST /v1/test_helpers/events makes one of any type.',
};

/**
 * Finds where a method works that a path does not allow: at a path of the same name or directly
 * below with this method, else where the object can be changed. Returns the end of the message.
 */
export const suggestMethods = (routes: readonly Route[], { method, url }: Route): string => {
  const otherwise = CREATED_OTHERWISE[`${method} ${url}`];
  if (otherwise !== undefined) return otherwise;
  const isBelow = (other: Route): boolean => other.url.replace(/\/[^/]+$/, '') === url;
  const name = readName(url);
  const hasName = (other: Route): boolean => name !== null && readName(other.url) === name;
  const near = routes.filter((other) => splitPath(other.url)[0] === splitPath(url)[0]);
  const same = near.filter(
    (other) => other.method === method && (isBelow(other) || hasName(other)),
  );
  const changes = CHANGING.includes(method)
    ? near.filter((other) => CHANGING.includes(other.method) && isBelow(other))
    : [];
  const found = (same.length > 0 ? same : changes).slice(0, LISTED_MAX);
  return found.length === 0 ? '' : ` See also ${found.map(printRoute).join(', ')}.`;
};

/** Returns the last segment of a path; null if it is a parameter. */
const readName = (url: string): string | null => /\/([^/:*]+)$/.exec(url)?.[1] ?? null;

const printRoute = ({ method, url }: Route): string =>
  `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`;

/** Finds the route that a wrong path probably means. */
export class NearRoutes {
  private readonly root = createNode(null);

  /** Adds a route. The start page and routes with a wildcard, which serve files, are left out. */
  add(url: string): void {
    if (url === '/' || url.includes('*')) return;
    let node = this.root;
    for (const segment of splitPath(url)) {
      const isParameter = segment.startsWith(PARAMETER);
      const key = isParameter ? PARAMETER : segment;
      const child = node.children.get(key) ?? createNode(isParameter ? segment.slice(1) : null);
      node.children.set(key, child);
      node = child;
    }
    node.isRoute = true;
  }

  /** Returns the end of the message about an unknown path; empty if it resembles no route. */
  suggest(path: string): string {
    const bare = path.replace(NEEDLESS_PREFIX, '');
    const meant = this.findRoute(bare) ?? this.findRoute(`${PREFIX}${bare}`);
    return meant === null ? this.listNext(bare) : ` Did you mean ${meant}?`;
  }

  private findRoute(path: string): string | null {
    const found = walk(this.root, splitPath(path));
    return found === null ? null : `/${found.join('/')}`;
  }

  /** Lists the segments that may follow the known part of the path, if they are few. */
  private listNext(path: string): string {
    const known: string[] = [];
    let node = this.root;
    for (const segment of splitPath(path)) {
      const child = node.children.get(segment) ?? node.children.get(PARAMETER);
      if (child === undefined) break;
      known.push(child.parameter === null ? segment : `{${child.parameter}}`);
      node = child;
    }
    if (known.length === 0) return '';
    const names = listNames(node);
    const listed = suggestNames('', names, { kind: 'path', parent: `/${known.join('/')}` });
    return listed === '' ? ' The paths are listed at /docs.' : listed;
  }
}

const createNode = (parameter: string | null): RouteNode => ({
  children: new Map(),
  parameter,
  isRoute: false,
});

const splitPath = (path: string): string[] => path.split('/').slice(1);

const listNames = ({ children }: RouteNode): string[] =>
  [...children.keys()].filter((name) => name !== PARAMETER);

/** Returns the segments of the route that the segments mean; null if there is none. */
const walk = (node: RouteNode, segments: readonly string[]): string[] | null => {
  const [segment, ...rest] = segments;
  if (segment === undefined) return node.isRoute ? [] : null;
  const name = node.children.has(segment) ? segment : findMeant(segment, listNames(node));
  // Both children are tried: the text may be a mistyped static segment or the value of a parameter.
  for (const key of name === undefined ? [PARAMETER] : [name, PARAMETER]) {
    const child = node.children.get(key);
    const tail = child === undefined ? null : walk(child, rest);
    if (tail !== null) return [key === PARAMETER ? segment : key, ...tail];
  }
  return null;
};
