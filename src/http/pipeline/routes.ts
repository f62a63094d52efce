import { NearRoutes } from './near-routes';
import { readPath } from './request-target';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../../kernel/errors';
import type { RouteFacts } from './route-facts';

/** A route of the running router. */
export interface DeclaredRoute {
  readonly method: string;
  readonly url: string;
  readonly facts: RouteFacts;
}

/**
 * Collects all routes of the router. It refuses routes without an audience, and tells the methods
 * of a path.
 */
export class Routes {
  readonly all: DeclaredRoute[] = [];
  private readonly near = new NearRoutes();
  private readonly methods = new Map<
    string,
    { readonly pattern: RegExp; readonly methods: Set<string> }
  >();

  /** Must be called before routes are added. */
  constructor(server: FastifyInstance) {
    server.addHook('onRoute', ({ url, method, config }) => {
      const facts: RouteFacts = config ?? {};
      const entry = this.methods.get(url) ?? { pattern: toPattern(url), methods: new Set() };
      for (const each of [method].flat()) {
        requireAudience(each, url, facts);
        this.all.push({ method: each, url, facts });
        entry.methods.add(each);
      }
      this.methods.set(url, entry);
      if (isSuggested(facts)) this.near.add(url);
    });
  }

  /** Returns the methods of a request path; empty if the path does not exist. */
  listAllowed(path: string): string[] {
    const found = [...this.methods.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(found.flatMap(({ methods }) => [...methods]))].sort();
  }

  /** Returns the error of a request without an operation: its path or its method is unknown. */
  createRefusal({ method, url }: FastifyRequest): DomainError {
    const path = readPath(url);
    const allowed = this.listAllowed(path);
    return allowed.length === 0
      ? new DomainError(
          'route_not_found',
          `There is no ${method} ${path}.${this.near.suggest(path)}`,
        )
      : new DomainError('method_not_allowed', `${path} allows only ${allowed.join(', ')}.`, {
          details: { allowed_methods: allowed },
        });
  }
}

/** Callers of the API do not look for the routes of monitoring. */
const isSuggested = ({ audience }: RouteFacts): boolean =>
  audience?.kind !== 'monitoring' && audience?.kind !== 'metrics';

/** Refuses to start with a route that declares no audience (deny by default). */
const requireAudience = (method: string, url: string, { audience }: RouteFacts): void => {
  const isDeclared =
    audience !== undefined && (audience.kind !== 'tenant' || audience.scopes.length > 0);
  if (isDeclared) return;
  throw new Error(
    `The route ${method} ${url} does not declare its audience: add @Requires(scopes), @ForOperator() or @ForMonitoring(), or an audience in the route's config.`,
  );
};

const toPattern = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:[^/]+/g, '[^/]+')}$`);
