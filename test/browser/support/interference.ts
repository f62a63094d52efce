import type { Page, Request } from 'playwright-core';

/** Calls of the API by a page. The session is left alone: without it there is no page. */
const isCall = (url: URL): boolean =>
  /^\/(v1|operator\/v1|console\/v1)\//.test(url.pathname) && url.pathname !== '/console/v1/session';

const REFUSAL = {
  error: {
    type: 'api_error',
    code: 'unavailable',
    message: 'The service is out of order for a test.',
    param: null,
    request_id: 'req_of_a_test',
  },
};

/** Stands between a page and the service: holds calls, breaks them, or only notes them. */
export class Interference {
  private release: () => void = () => undefined;
  private readonly released = new Promise<void>((resolve) => {
    this.release = resolve;
  });

  private constructor(private readonly page: Page) {}

  static on(page: Page): Interference {
    return new Interference(page);
  }

  /** Holds each call until `stop`. */
  async hold(): Promise<void> {
    await this.page.route(isCall, async (route) => {
      await this.released;
      // A call of a page that was left meanwhile can no longer be continued.
      await route.continue().catch(() => undefined);
    });
  }

  /** Answers 503 to the calls of a path; without one, to each call. */
  async refuse(pathname?: string): Promise<void> {
    const isMeant = (url: URL): boolean =>
      isCall(url) && (pathname === undefined || url.pathname === pathname);
    await this.page.route(isMeant, (route) =>
      route.fulfill({ status: 503, headers: { 'retry-after': '0' }, json: REFUSAL }),
    );
  }

  /** Lets everything through again, also what is held. */
  async stop(): Promise<void> {
    this.release();
    await this.page.unrouteAll({ behavior: 'wait' });
  }

  /** Returns the paths that the page reads while `work` runs, each once. */
  async noteCalls(work: () => Promise<void>): Promise<readonly string[]> {
    const paths = new Set<string>();
    const note = (request: Request): void => {
      const url = new URL(request.url());
      if (isCall(url) && request.method() === 'GET') paths.add(url.pathname);
    };
    this.page.on('request', note);
    await work();
    this.page.off('request', note);
    return [...paths].sort();
  }
}
