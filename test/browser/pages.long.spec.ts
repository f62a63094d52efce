import type { TestTenant } from '../support/service';
import { pathIn, type Visitor } from './support/console';
import { describeConsole } from './support/describe-console';
import { listPages, OPERATOR_PAGES, TENANT_PAGES } from './support/pages';
import { fillTenant, type Stage } from './support/stage';

const SCREENSHOTS = process.env['SCREENSHOTS'];

const LOOKS = [
  ['wide', { width: 1440, scheme: 'light' }],
  ['dark', { width: 1440, scheme: 'dark' }],
  ['phone', { width: 360, scheme: 'light' }],
  ['dark-phone', { width: 360, scheme: 'dark' }],
] as const;

describeConsole('every page of the console', (running) => {
  let tenant: TestTenant;
  let empty: TestTenant;
  let stage: Stage;

  beforeAll(async () => {
    const { service } = running();
    [tenant, empty] = await Promise.all([service.tenant(), service.tenant()]);
    stage = await fillTenant(tenant);
  });

  afterAll(() => stage.receiver.close());

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
      visitor = await running().member(tenant);
    });

    afterAll(() => visitor.close());

    it.each(TENANT_PAGES)('%s has no fault, wide or narrow, light or dark', async (name, path) => {
      await visitor.visit(pathIn(tenant, path(stage)));
      await inspect(visitor, name);
    });
  });

  it('shows the chosen tab on a telephone, also one beyond the edge', async () => {
    const visitor = await running().member(tenant);
    await visitor.look({ width: 360 });
    await visitor.visit(pathIn(tenant, `/subscribers/${stage.subscriberId}?tab=history`));
    const box = await visitor.page.getByRole('link', { name: 'At an instant' }).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
    await visitor.close();
  });

  it.each([
    '/events?event_types=subscription.cancellation_unscheduled',
    '/deliveries?event_type=subscription.cancellation_unscheduled',
  ])('shows whole event types on a telephone in %s', async (path) => {
    const visitor = await running().member(tenant);
    await visitor.look({ width: 360 });
    await visitor.visit(pathIn(tenant, path));
    const row = visitor.page.getByRole('row', { name: 'subscription.cancellation_unscheduled' });
    await row.first().waitFor();
    const cut = `[...document.querySelectorAll('td:first-child > a')]
      .filter(({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>
        scrollHeight > clientHeight + 1 || scrollWidth > clientWidth)
      .map(({ textContent }) => textContent)`;
    expect(await visitor.page.evaluate<string[]>(cut)).toEqual([]);
    const heights = `[...new Set([...document.querySelectorAll('tbody tr:not([aria-hidden])')]
      .map(({ offsetHeight }) => offsetHeight))]`;
    // The list computes the visible rows from this height.
    expect(await visitor.page.evaluate<number[]>(heights)).toEqual([40]);
    await visitor.close();
  });

  describe('of a tenant without any data', () => {
    let visitor: Visitor;

    beforeAll(async () => {
      visitor = await running().member(empty);
    });

    afterAll(() => visitor.close());

    it.each(listPages())(
      '%s has no fault, wide or narrow, light or dark',
      async (name, address) => {
        await visitor.visit(pathIn(empty, address));
        await inspect(visitor, `empty-${name}`);
      },
    );
  });

  describe('of operators', () => {
    let visitor: Visitor;

    beforeAll(async () => {
      visitor = await running().operator();
    });

    afterAll(() => visitor.close());

    it.each(OPERATOR_PAGES)(
      '%s has no fault, wide or narrow, light or dark',
      async (name, path) => {
        await visitor.visit(`/console/operator${path(tenant)}`);
        await inspect(visitor, name);
      },
    );
  });

  it.each([
    ['link', '/console/link#nothing'],
    ['sign-in', '/console/sign-in?error=not_a_member'],
  ])('%s has no fault before somebody signs in', async (name, path) => {
    const visitor = await running().open();
    await visitor.visit(path);
    await inspect(visitor, name);
    await visitor.close();
  });
});
