import type { Browser } from 'playwright-core';
import { hasBrowser, startBrowser } from '../support/browser';
import { Service, type TestTenant } from '../support/service';
import { linkFor, pathIn, Visitor, TASK_PATIENCE_MS } from './support/console';
import { fillTenant, type Stage } from './support/stage';

const SCREENSHOTS = process.env['SCREENSHOTS'];

const describeBrowser = hasBrowser('the pages of the console') ? describe : describe.skip;

/** The pages of a tenant by name; what each shows is looked up by ids of the stage. */
const TENANT_PAGES: readonly (readonly [name: string, path: (stage: Stage) => string])[] = [
  ['home', () => ''],
  ['destinations', () => '/destinations'],
  ['new-destination', () => '/destinations/new'],
  ['destination', ({ destinationId }) => `/destinations/${destinationId}`],
  ['deliveries', ({ failingId }) => `/destinations/${failingId}?tab=deliveries`],
  ['destination-settings', ({ destinationId }) => `/destinations/${destinationId}?tab=settings`],
  ['events', () => '/events'],
  ['event', ({ eventId }) => `/events/${eventId}`],
  ['catalogue', () => '/catalogue'],
  ['replays', () => '/replays'],
  ['new-replay', () => '/replays/new'],
  ['replay', ({ replayId }) => `/replays/${replayId}`],
  ['subscribers', () => '/subscribers'],
  ['subscriber', ({ subscriberId }) => `/subscribers/${subscriberId}`],
  ['tickets', () => '/tickets'],
  ['ticket', ({ ticketId }) => `/tickets/${ticketId}`],
  ['metrics', () => '/metrics'],
  ['metric', () => '/metrics/mrr'],
  ['cohorts', () => '/cohorts'],
  ['new-cohort', () => '/cohorts/new'],
  ['cohort', ({ cohortId }) => `/cohorts/${cohortId}`],
  ['motions', () => '/motions'],
  ['motion', ({ motionId }) => `/motions/${motionId}`],
  ['new-motion', () => '/motions/new'],
  ['api-keys', () => '/api-keys'],
  ['team', () => '/settings'],
  ['sessions', () => '/settings?tab=sessions'],
  ['settings', () => '/settings?tab=settings'],
  ['audit-log', () => '/settings?tab=audit'],
  ['no-such-page', () => '/nothing'],
];

const OPERATOR_PAGES = [
  ['operator', ''],
  ['tenants', '/tenants'],
  ['jobs', '/jobs'],
  ['operator-search', '/search?q=Acme'],
  ['operator-audit-log', '/audit-log'],
] as const;

const LOOKS = [
  ['wide', { width: 1440, scheme: 'light' }],
  ['dark', { width: 1440, scheme: 'dark' }],
  ['phone', { width: 360, scheme: 'light' }],
  ['phone-dark', { width: 360, scheme: 'dark' }],
] as const;

jest.setTimeout(TASK_PATIENCE_MS);

describeBrowser('every page of the console', () => {
  let service: Service;
  let browser: Browser;
  let tenant: TestTenant;
  let empty: TestTenant;
  let stage: Stage;

  beforeAll(async () => {
    [service, browser] = await Promise.all([Service.start(), startBrowser()]);
    [tenant, empty] = await Promise.all([service.tenant(), service.tenant()]);
    stage = await fillTenant(tenant);
  });

  afterAll(async () => {
    await browser.close();
    await stage.receiver.close();
    await service.dispose();
  });

  /** Looks at each page in each of the ways. */
  const inspect = async (
    link: string,
    pages: readonly (readonly [string, string])[],
  ): Promise<void> => {
    const visitor = await Visitor.open(browser, service);
    await visitor.signIn(link);
    const faults: string[] = [];
    for (const [name, path] of pages) {
      await visitor.visit(path);
      for (const [look, as] of LOOKS) {
        await visitor.look(as);
        await visitor.settle();
        for (const fault of await visitor.faults()) faults.push(`${name}, ${look}: ${fault}`);
        if (SCREENSHOTS === undefined) continue;
        await visitor.page.screenshot({ path: `${SCREENSHOTS}/${look}-${name}.png` });
      }
    }
    await visitor.close();
    expect([...faults, ...visitor.complaints]).toEqual([]);
  };

  it('is clean for a tenant with data: axe, no message of the browser, no scroll to the side', async () =>
    inspect(
      await linkFor(service, tenant),
      TENANT_PAGES.map(([name, path]) => [name, pathIn(tenant, path(stage))] as const),
    ));

  it('is clean for a tenant without any data', async () =>
    inspect(
      await linkFor(service, empty),
      TENANT_PAGES.filter(([, path]) => !/undefined|_/.test(path(stage))).map(
        ([name, path]) => [`empty-${name}`, pathIn(empty, path(stage))] as const,
      ),
    ));

  it('is clean for operators', async () =>
    inspect(
      await linkFor(service),
      OPERATOR_PAGES.map(([name, path]) => [name, `/console/operator${path}`] as const),
    ));

  it('is clean before somebody signs in', async () => {
    const visitor = await Visitor.open(browser, service);
    await visitor.page.goto(`${service.url}/console/link#nothing`);
    const faults: string[] = [];
    for (const [, look] of LOOKS) {
      await visitor.look(look);
      faults.push(...(await visitor.faults()));
    }
    await visitor.close();
    expect([...faults, ...visitor.complaints]).toEqual([]);
  });
});
