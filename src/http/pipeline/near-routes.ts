import { findMeant, suggestNames } from '../../kernel/nearest';

/** The routes of the router by segment. The child `:` is a parameter. */
interface RouteNode {
  readonly children: Map<string, RouteNode>;
  /** The name of the parameter, if this node is one. */
  readonly parameter: string | null;
  isRoute: boolean;
}

const PARAMETER = ':';
/** Many callers leave out the version, or write a prefix that other APIs have. */
const PREFIX = '/v1';
const FOREIGN_PREFIX = /^\/(?:api|rest)(?=\/)/i;

/** Finds the route that a wrong path probably means. */
export class NearRoutes {
  private readonly root = createNode(null);

  /** Adds a route. A route with a wildcard serves files and is never suggested. */
  add(url: string): void {
    if (url.includes('*')) return;
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
    const bare = path.replace(FOREIGN_PREFIX, '');
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
  const steps: [string, RouteNode | undefined][] = [
    [name ?? '', node.children.get(name ?? '')],
    [segment, node.children.get(PARAMETER)],
  ];
  for (const [step, child] of steps) {
    const tail = child === undefined ? null : walk(child, rest);
    if (tail !== null) return [step, ...tail];
  }
  return null;
};
