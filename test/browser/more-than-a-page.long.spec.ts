import { readFileSync } from 'node:fs';
import type { ConsoleBrowser } from '../support/console-browser';
import type { TestTenant } from '../support/service';
import { pathIn, type Visitor } from './support/console';
import { describeConsole } from './support/describe-console';

/** The number of rows of the longest page of the API, as the console asks for them. */
const PAGE_ROWS = 100;
/** The interval at which a shown list looks for new rows, in ms. */
const POLL_MS = 10_000;

describeConsole('lists with more rows than one page of the API', (running) => {
  let tenant: TestTenant;

  beforeAll(async () => {
    tenant = await running().service.tenant();
  });

  const leave = async (visitor: Visitor): Promise<void> => {
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  };

  /** Creates objects one after the other, so that their order is known. */
  const repeat = async (times: number, create: (index: number) => Promise<unknown>) => {
    for (let index = 1; index <= times; index += 1) await create(index);
  };

  it('show every API key, also the oldest, which can be revoked', async () => {
    const { operator } = running().service;
    const path = `/operator/v1/tenants/${tenant.id}/api-keys`;
    const make = async (name: string): Promise<string> =>
      String((await operator.post(path, { name, environment: 'test' })).created['key']);
    const oldest = [await make('the oldest'), await make('the second')] as const;
    await repeat(PAGE_ROWS, (index) => make(`key ${index}`));
    const revoke = async (visitor: Visitor, name: string, key: string): Promise<void> => {
      await visitor.press(`Revoke ${name}`);
      await visitor.fill(`Type ${name} to confirm`, name);
      await visitor.press('Revoke');
      await visitor.sees('The key is revoked.');
      (await running().service.createApi(key).get('/v1/plans')).expect(401);
      await leave(visitor);
    };
    const ofOperator = await running().operator(`/tenants/${tenant.id}`);
    await revoke(ofOperator, 'the oldest', oldest[0]);
    await revoke(await running().member(tenant, '/api-keys', 'developer'), 'the second', oldest[1]);
  });

  it('leave no gap when more rows arrive than one page has', async () => {
    const { api } = tenant;
    const make = async (index: number): Promise<void> => {
      (await api.post('/v1/subscribers', { email: `${index}@example.com` })).expect(201);
    };
    await make(0);
    const visitor = await running().member(tenant);
    await visitor.page.clock.install();
    await visitor.visit(pathIn(tenant, '/subscribers'));
    await repeat(PAGE_ROWS + 1, make);
    await visitor.page.clock.fastForward(POLL_MS);
    await visitor.press(`${PAGE_ROWS} new`);
    await visitor.page.locator(`table[aria-rowcount="${PAGE_ROWS + 2}"]`).waitFor();
    await leave(visitor);
  });

  it('come back with the same rows at the same position after Back', async () => {
    const { api, id } = await running().service.tenant();
    await repeat(3 * PAGE_ROWS, (index) => {
      return api.post('/v1/subscribers', { email: `person-${index}@example.com` });
    });
    const visitor = await running().member({ ...tenant, id }, '/subscribers');
    const { page } = visitor;
    // The 30th row from the end. The newest subscribers are the first rows.
    const row = page.getByRole('link', { name: 'person-30@example.com' });
    while (!(await row.isVisible())) await page.mouse.wheel(0, 2_000);
    await row.scrollIntoViewIfNeeded();
    const position = await page.evaluate<number>('scrollY');
    const expectSameView = async (): Promise<void> => {
      await row.waitFor();
      await page.locator(`table[aria-rowcount="${3 * PAGE_ROWS}"]`).waitFor();
      await page.waitForFunction(`Math.abs(scrollY - ${position}) < 2`);
    };
    await row.click();
    await page.getByRole('heading', { level: 1, name: 'person-30@example.com' }).waitFor();
    expect(await page.evaluate<number>('scrollY')).toBe(0);
    await page.goBack();
    await expectSameView();
    await row.click();
    await page.reload();
    await visitor.settle();
    await page.goBack();
    await expectSameView();
    await leave(visitor);
  });

  /** Answers a list of the API with invented pages; the cursor is the number of the page. */
  const invent = async (
    { page }: Visitor,
    path: RegExp,
    answer: (pageNumber: number) => Record<string, unknown>,
  ): Promise<void> => {
    await page.route(path, (route) => {
      const query = new URL(route.request().url()).searchParams;
      const cursor = query.get('starting_after') ?? query.get('after') ?? '1';
      return route.fulfill({ json: answer(Number(cursor)) });
    });
  };

  const countLines = async ({ page }: Visitor, button: string): Promise<number> => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button, exact: true }).click(),
    ]);
    return readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n').length;
  };

  it('are complete in the CSV file of the audit log', async () => {
    const pages = 51;
    const visitor = await running().member(tenant);
    await invent(visitor, /\/v1\/audit_log/, (pageNumber) => ({
      data: Array.from({ length: PAGE_ROWS }, (_, index) => ({
        id: `${pageNumber}-${index}`,
        at: '2026-01-01T00:00:00.000Z',
        actor: { type: 'api_key', id: 'key_1', name: 'tests' },
        action: 'plan.saved',
        object: { type: 'plan', id: 'basic' },
        request_id: null,
        address: null,
      })),
      has_more: pageNumber < pages,
      next_cursor: pageNumber < pages ? String(pageNumber + 1) : null,
    }));
    await visitor.visit(pathIn(tenant, '/settings?tab=audit'));
    expect(await countLines(visitor, 'CSV')).toBe(pages * PAGE_ROWS + 1);
    await visitor.sees('Saved 5,100 rows.');
    await leave(visitor);
  });

  it('are complete in the CSV file of a view of the database', async () => {
    const pages = 101;
    const visitor = await running().operator('/jobs');
    await invent(visitor, /\/exports\?/, (pageNumber) => ({
      data: Array.from({ length: 1_000 }, (_, index) => ({ id: `${pageNumber}-${index}` })),
      next: pageNumber < pages ? String(pageNumber + 1) : null,
    }));
    await visitor.fill('Tenant', tenant.id);
    expect(await countLines(visitor, 'Save as CSV')).toBe(pages * 1_000 + 1);
    await visitor.sees('Saved 101,000 rows.');
    await leave(visitor);
  });

  it('are no longer read after the CSV export is stopped', async () => {
    const visitor = await running().operator('/jobs');
    await invent(visitor, /\/exports\?/, (pageNumber) => ({
      data: [{ id: String(pageNumber) }],
      next: String(pageNumber + 1),
    }));
    await visitor.fill('Tenant', tenant.id);
    await visitor.press('Save as CSV');
    await visitor.press('Stop');
    await visitor.page.getByRole('button', { name: 'Save as CSV' }).waitFor();
    await leave(visitor);
  });

  describe('of one row', () => {
    let small: TestTenant;
    let ids: Readonly<Record<'subscriber' | 'event', string>>;

    const create = async (path: string, body: unknown): Promise<string> =>
      String((await small.api.post(path, body)).created['id']);

    /**
     * Makes two objects of each kind. Lists show the newest first, so `old` is on the second page.
     */
    const makeObjects = async (name: 'old' | 'new'): Promise<void> => {
      const plan = { name: `${name} plan`, amount: 900, currency: 'USD', interval: 'month' };
      await small.api.put(`/v1/plans/${name}`, plan);
      await create('/v1/cohorts', { name: `${name} cohort`, definition: { plan_ids: [name] } });
      const motion = await create('/v1/motions', { name: `${name} motion`, kind: 'announcement' });
      (await small.api.post(`/v1/motions/${motion}/activate`)).expect(200);
      const webhook = { type: 'https_webhook', url: running().receiver.url };
      await create('/v1/destinations', { ...webhook, description: `${name} shop` });
    };

    const invite = async (owner: ConsoleBrowser, email: string): Promise<string> => {
      const invitation = { email, role: 'viewer' };
      const { link } = (await owner.post('/console/v1/invitations', invitation)).created;
      return new URL(String(link)).hash.slice(1);
    };

    const makeTeam = async (): Promise<void> => {
      const { service } = running();
      const owner = await service.signedIn({ tenant_id: small.id, role: 'owner' });
      for (const name of ['old', 'new']) {
        await invite(owner, `${name}-invited@example.com`);
        const token = await invite(owner, `${name}@example.com`);
        const joining = { token, name: `${name} member`, password: 'a long enough password' };
        (await service.browser.post('/console/v1/invitations/accept', joining)).expect(200);
      }
    };

    /** Lets the service answer each list with pages of one row. */
    const shortenPages = async (visitor: Visitor): Promise<Visitor> => {
      await visitor.page.route(/[?&]limit=100|\/(members|invitations|sessions)$/, (route) => {
        const url = new URL(route.request().url());
        url.searchParams.set('limit', '1');
        return route.continue({ url: url.href });
      });
      return visitor;
    };

    const expectAll = async ({ page }: Visitor, role: 'row' | 'checkbox', names: RegExp[]) => {
      for (const name of names) await page.getByRole(role, { name }).first().waitFor();
    };

    beforeAll(async () => {
      small = await running().service.tenant();
      await makeObjects('old');
      await makeObjects('new');
      await makeTeam();
      const subscriber = await create('/v1/subscribers', { email: 'ada@example.com' });
      const { data } = await small.api.get(`/v1/subscribers/${subscriber}/events`);
      ids = { subscriber, event: String(data[0]?.['id']) };
      const paid = { subscriber_id: subscriber, plan: 'new', payment_method: 'pm_test_ok' };
      await create('/v1/subscriptions', paid);
    });

    it('are read to the end for every choice and every short list of a tenant', async () => {
      const visitor = await shortenPages(await running().member(small));
      const { page } = visitor;
      await visitor.visit(pathIn(small, '/cohorts/new'));
      await expectAll(visitor, 'checkbox', [/new plan/, /old plan/]);
      await visitor.visit(pathIn(small, '/motions/new'));
      await expectAll(visitor, 'checkbox', [/new cohort/, /old cohort/]);
      await visitor.visit(pathIn(small, '/settings'));
      await expectAll(visitor, 'row', [/new member/, /old member/, /new-invited/, /old-invited/]);
      await visitor.visit(pathIn(small, '/settings?tab=sessions'));
      await expectAll(visitor, 'row', [/new member/, /old member/]);
      await visitor.visit(pathIn(small, `/events/${ids.event}`));
      await expectAll(visitor, 'row', [/new shop/, /old shop/]);
      await visitor.visit(pathIn(small, `/subscribers/${ids.subscriber}`));
      await visitor.press('Actions');
      await visitor.press('Change plan …');
      await page.getByLabel('New plan').selectOption('old');
      page.once('dialog', (question) => void question.accept());
      await visitor.press('Cancel');
      await visitor.press('Actions');
      await visitor.press('Trigger a motion …');
      await page.getByLabel('Motion', { exact: true }).selectOption('old motion');
      await leave(visitor);
    });

    it('are read to the end for every short list of operators', async () => {
      const visitor = await shortenPages(await running().operator());
      await visitor.visit(`/console/operator/tenants/${small.id}`);
      await expectAll(visitor, 'row', [/new shop/, /old shop/]);
      await visitor.visit('/console/operator/jobs');
      await visitor.page.locator('datalist option').nth(1).waitFor({ state: 'attached' });
      const other = await running().operator();
      await visitor.visit('/console/operator/sessions');
      await visitor.page.getByRole('region').getByRole('row').nth(2).waitFor();
      await other.close();
      await leave(visitor);
    });
  });
});
