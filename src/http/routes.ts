import type { FastifyInstance } from 'fastify';

/** Which methods each path has: what tells a wrong method (405) from a wrong path (404). */
export class Routes {
  private readonly methods = new Map<
    string,
    { readonly pattern: RegExp; readonly methods: Set<string> }
  >();

  /** Must be called before routes are added. */
  constructor(server: FastifyInstance) {
    server.addHook('onRoute', ({ url, method }) => {
      const entry = this.methods.get(url) ?? { pattern: toPattern(url), methods: new Set() };
      for (const each of [method].flat()) entry.methods.add(each);
      this.methods.set(url, entry);
    });
  }

  /** Methods a request path could have been called with; empty where there is no such path. */
  allowed(path: string): string[] {
    const found = [...this.methods.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(found.flatMap(({ methods }) => [...methods]))].sort();
  }
}

const toPattern = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:[^/]+/g, '[^/]+')}$`);
