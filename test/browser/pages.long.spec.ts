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
  ['all-deliveries', () => '/deliveries'],
  ['delivery', (stage) => `/deliveries?delivery=${stage.failedEventId}.${stage.failingId}`],
  ['events', () => '/events'],
  ['event', ({ eventId }) => `/events/${eventId}`],
  ['catalogue', () => '/catalogue'],
  ['replays', () => '/replays'],
  ['new-replay', () => '/replays/new'],
  ['replay', ({ replayId }) => `/replays/${replayId}`],
  ['subscribers', () => '/subscribers'],
  ['subscriber', ({ subscriberId }) => `/subscribers/${subscriberId}`],
  ['subscriber-then', ({ subscriberId }) => `/subscribers/${subscriberId}?tab=history`],
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

const OPERATOR_PAGES: readonly (readonly [name: string, path: (tenant: TestTenant) => string])[] = [
  ['operator', () => ''],
  ['tenants', () => '/tenants'],
  ['tenant', ({ id }) => `/tenants/${id}`],
  ['usage', () => '/usage?environment=test'],
  ['analysts', () => '/analysts'],
  ['jobs', () => '/jobs'],
  ['operator-search', () => '/search?q=Acme'],
  ['operator-audit-log', () => '/audit-log'],
  ['operator-sessions', () => '/sessions'],
];

/** A stage with no object on it: pages of one object are left out. */
const NOTHING = {} as Stage;

/** Dark on a telephone has the colours of the one and the sizes of the other. */
const LOOKS = [
  ['wide', { width: 1440, scheme: 'light' }],
  ['dark', { width: 1440, scheme: 'dark' }],
  ['phone', { width: 360, scheme: 'light' }],
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

  /** Looks at a page in each of the ways. */
  const inspect = async (visitor: Visitor, name: string): Promise<void> => {
    const faults: string[] = [];
    for (const [look, as] of LOOKS) {
      await visitor.look(as);
      await visitor.settle();
      for (const fault of await visitor.faults()) faults.push(`${look}: ${fault}`);
      if (SCREENSHOTS === undefined) continue;
      await visitor.page.screenshot({ path: `${SCREENSHOTS}/${look}-${name}.png` });
    }
    expect([...faults, ...visitor.complaints.splice(0)]).toEqual([]);
  };

  describe('with data', () => {
    let visitor: Visitor;

    beforeAll(async () => {
      visitor = await Visitor.open(browser, service);
      await visitor.signIn(await linkFor(service, tenant));
    });

    afterAll(() => visitor.close());

    it.each(TENANT_PAGES)('%s has no fault in any look', async (name, path) => {
      await visitor.visit(pathIn(tenant, path(stage)));
      await inspect(visitor, name);
    });
  });

  describe('of a tenant without any data', () => {
    let visitor: Visitor;

    beforeAll(async () => {
      visitor = await Visitor.open(browser, service);
      await visitor.signIn(await linkFor(service, empty));
    });

    afterAll(() => visitor.close());

    const pages = TENANT_PAGES.filter(([, path]) => !/undefined|_/.test(path(NOTHING)));
    it.each(pages)('%s has no fault in any look', async (name, path) => {
      await visitor.visit(pathIn(empty, path(NOTHING)));
      await inspect(visitor, `empty-${name}`);
    });
  });

  describe('of operators', () => {
    let visitor: Visitor;

    beforeAll(async () => {
      visitor = await Visitor.open(browser, service);
      await visitor.signIn(await linkFor(service));
    });

    afterAll(() => visitor.close());

    it.each(OPERATOR_PAGES)('%s has no fault in any look', async (name, path) => {
      await visitor.visit(`/console/operator${path(tenant)}`);
      await inspect(visitor, name);
    });
  });

  it.each([
    ['link', '/console/link#nothing'],
    ['sign-in', '/console/sign-in?error=not_a_member'],
  ])('%s has no fault before somebody signs in', async (name, path) => {
    const visitor = await Visitor.open(browser, service);
    await visitor.visit(path);
    await inspect(visitor, name);
    await visitor.close();
  });
});
