import type { Browser } from 'playwright-core';
import { hasBrowser, startBrowser } from '../../support/browser';
import { Receiver } from '../../support/receiver';
import { Service, type TestTenant } from '../../support/service';
import { linkFor, pathIn, TASK_WAIT_LIMIT_MS, Visitor } from './console';

/**
 * What the tests of a suite share: a service of their own, a browser, and a receiver of webhooks.
 */
export class RunningConsole {
  private constructor(
    readonly service: Service,
    readonly receiver: Receiver,
    private readonly browser: Browser,
  ) {}

  static async start(): Promise<RunningConsole> {
    const [service, receiver, browser] = await Promise.all([
      Service.start(),
      Receiver.start(),
      startBrowser(),
    ]);
    return new RunningConsole(service, receiver, browser);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.receiver.close();
    await this.service.dispose();
  }

  /** A person's browser, without a session. */
  open(): Promise<Visitor> {
    return Visitor.open(this.browser, this.service);
  }

  /** A member of a tenant, signed in with a role and looking at a page. */
  async member(tenant: TestTenant, path = '', role = 'owner'): Promise<Visitor> {
    const visitor = await this.open();
    await visitor.signIn(await linkFor(this.service, tenant, role));
    await visitor.visit(pathIn(tenant, path));
    return visitor;
  }

  /** An operator, signed in with a role and looking at a page. */
  async operator(path = '', role = 'operator'): Promise<Visitor> {
    const visitor = await this.open();
    await visitor.signIn(await linkFor(this.service, null, role));
    await visitor.visit(`/console/operator${path}`);
    return visitor;
  }
}

/**
 * Describes what holds in a real browser. `running` answers once a test or a `beforeAll` of the
 * suite runs. On a machine without a browser the suite is skipped, which one line says.
 */
export const describeConsole = (
  what: string,
  describeTests: (running: () => RunningConsole) => void,
  waitLimitMs = TASK_WAIT_LIMIT_MS,
): void => {
  jest.setTimeout(waitLimitMs);
  (hasBrowser(what) ? describe : describe.skip)(what, () => {
    let started: RunningConsole;

    beforeAll(async () => {
      started = await RunningConsole.start();
    });

    afterAll(() => started.stop());

    describeTests(() => started);
  });
};
