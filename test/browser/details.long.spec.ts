import type { TestTenant } from '../support/service';
import { pathIn } from './support/console';
import { describeConsole } from './support/describe-console';
import { makePaying, makePlans, storyOf } from './support/people';

const EMAIL = 'ada@example.com';
/** An address of this machine at which nothing listens. */
const NOBODY = 'http://127.0.0.1:9/webhooks';

const makeWebhook = async ({ api }: TestTenant, url: string): Promise<string> =>
  String((await api.post('/v1/destinations', { type: 'https_webhook', url })).created['id']);

describeConsole('details of the pages', (running) => {
  it('plots the failures of a destination whose events happened long ago', async () => {
    const tenant = await running().service.tenant();
    const id = await makeWebhook(tenant, NOBODY);
    const visitor = await running().member(tenant, `/destinations/${id}`);
    await visitor.sees('No event was tried yet');
    await storyOf(tenant, 'dunning_lost');
    await visitor.sees(/^Failing since/);
    await visitor.sees('connection refused');
    // Some events of the story are younger than that.
    await visitor.page.route(/metrics\/.*window=last_30d/, async (route) => {
      const series = (await (await route.fetch()).json()) as { points: object[] };
      const points = series.points.map((point) => ({ ...point, sample_size: 0 }));
      await route.fulfill({ json: { ...series, points } });
    });
    await visitor.page.reload();
    await visitor.page.getByRole('img', { name: 'Deliveries' }).waitFor();
    await visitor.sees('Deliveries by month');
    await visitor.sees(/^\d+ events? tried, 0 % delivered within 24 hours$/);
    await visitor.sees('Nothing was delivered.');
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('says since when nothing has been sent to a disabled destination', async () => {
    const tenant = await running().service.tenant();
    const id = await makeWebhook(tenant, running().receiver.url);
    (await tenant.api.patch(`/v1/destinations/${id}`, { status: 'disabled' })).expect(200);
    const visitor = await running().member(tenant, `/destinations/${id}`);
    await visitor.sees(/^Nothing has been sent since .*\d:\d\d:\d\d/);
    await visitor.visit(pathIn(tenant, '/subscribers'));
    await visitor.sees(/registers each subscriber with an e-mail address, and with its own id/);
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('breaks long words of a ticket, of a plan and of a tenant on a telephone', async () => {
    const long = 'x'.repeat(120);
    const { operator } = running().service;
    const { id } = (await operator.post('/operator/v1/tenants', { name: `Northern ${long}` }))
      .created;
    const tenant = await running().service.createKey(String(id), 'test');
    const { api } = tenant;
    await api.put('/v1/plans/basic', { name: long, amount: 9, currency: 'USD', interval: 'month' });
    const { subscriberId } = await makePaying(tenant, EMAIL);
    const asked = { subscriber_id: subscriberId, topic: 'other', subject: 'Help', body: long };
    const ticket = (await api.post('/v1/tickets', asked)).created;
    const owner = await running().service.signedIn({ tenant_id: tenant.id, role: 'owner' });
    const invited = { email: EMAIL, role: 'support' };
    const { link } = (await owner.post('/console/v1/invitations', invited)).created;
    const visitor = await running().member(tenant);
    const expectNoneOutside = async (): Promise<void> => {
      const outside = await visitor.page.evaluate<string[]>(`
        [...document.querySelectorAll('main .card *')]
          .filter((each) => {
            const [box, card] = [each, each.closest('.card')].map((it) => it.getBoundingClientRect());
            return box.width > 0 && (box.left < card.left || box.right > card.right);
          })
          .map((each) => each.outerHTML.slice(0, 80))
      `);
      expect([...outside, ...(await visitor.faults())]).toEqual([]);
    };
    await visitor.look({ width: 360 });
    for (const path of [`/tickets/${String(ticket['id'])}`, `/subscribers/${subscriberId}`]) {
      await visitor.visit(pathIn(tenant, path));
      await visitor.page.locator('main').getByText(long).first().waitFor();
      await expectNoneOutside();
    }
    const { pathname, hash } = new URL(String(link));
    await visitor.visit(pathname + hash);
    await visitor.page.getByRole('button', { name: `Join Northern ${long}` }).waitFor();
    await expectNoneOutside();
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('says in words why the first webhook does not arrive, and leads to the URL', async () => {
    const tenant = await running().service.tenant();
    const visitor = await running().member(tenant);
    await visitor.fill('URL of your receiver', NOBODY);
    await visitor.press('Add destination');
    await visitor.press('Send a test event');
    await visitor.sees(/gave no complete response: connection refused. Check the URL/);
    await visitor.press('Copy the signing secret');
    await visitor.press(NOBODY, 'link');
    await visitor.page.getByRole('textbox', { name: 'URL' }).waitFor();
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('names the step of a new destination in the address, and goes back past its form', async () => {
    const tenant = await running().service.tenant();
    const visitor = await running().member(tenant, '/destinations');
    const { page } = visitor;
    const expectStep = async (step: number): Promise<void> => {
      await visitor.sees(`Step ${step} of 3`);
      await page.waitForURL(step === 1 ? /new$/ : new RegExp(`step=${step}$`));
    };
    await page.getByRole('link', { name: 'New destination' }).first().click();
    await visitor.fill('URL', running().receiver.url);
    await visitor.press('Next');
    await expectStep(2);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await expectStep(1);
    await visitor.fill('URL', running().receiver.url);
    await visitor.press('Next');
    await expectStep(2);
    await visitor.press('Create');
    await expectStep(3);
    await visitor.press('Copy the signing secret');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Destinations' }).waitFor();
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('shows the button that delivers an event again without scrolling', async () => {
    const tenant = await running().service.tenant();
    for (const path of ['a', 'b', 'c']) await makeWebhook(tenant, `${NOBODY}/${path}`);
    await makeWebhook(tenant, running().receiver.url);
    await tenant.api.post('/v1/subscribers', { email: EMAIL });
    const [event] = (await tenant.api.get('/v1/events')).data;
    const visitor = await running().member(tenant, `/events/${String(event?.['id'])}`);
    const table = visitor.card('At each destination').getByRole('region');
    await table.getByText('delivered', { exact: true }).waitFor();
    await table.getByText('connection refused').first().waitFor();
    const hidden = await table.evaluate(
      (it: { readonly scrollWidth: number; readonly clientWidth: number }) =>
        it.scrollWidth - it.clientWidth,
    );
    expect(hidden).toBe(0);
    expect(await table.getByText('200').count()).toBe(0);
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('answers a support person in words of the console, not of the API', async () => {
    const tenant = await running().service.tenant();
    await makePlans(tenant);
    const { api } = tenant;
    const yen = { name: 'Yen', amount: 900, currency: 'JPY', interval: 'month' };
    await api.put('/v1/plans/yen', yen);
    const subscriber = String((await api.post('/v1/subscribers', { email: EMAIL })).created['id']);
    const body = { subscriber_id: subscriber, plan: 'yen', payment_method: 'pm_test_ok' };
    (await api.post('/v1/subscriptions', body)).expect(201);
    const asked = { subscriber_id: subscriber, topic: 'other', subject: 'Help' };
    const ticket = (await api.post('/v1/tickets', asked)).created;
    const visitor = await running().member(tenant, '/subscribers/subscriber_nobody', 'support');
    const { page } = visitor;
    await visitor.sees(/the search box finds one by e-mail or external id\.$/);
    // The browser itself reports the refusal.
    expect(visitor.complaints.splice(0).join()).toMatch(/^[^,]*status of 404[^,]*$/);
    await visitor.visit(pathIn(tenant, `/tickets/${String(ticket['id'])}`));
    await page.getByText('There is no text.', { exact: true }).waitFor();
    await visitor.visit(pathIn(tenant, '/events'));
    await visitor.fill('E-mail, subscriber or subscription id', EMAIL);
    await visitor.press('Find');
    await page.getByRole('heading', { level: 1, name: EMAIL }).waitFor();
    await visitor.press('Actions');
    await visitor.press('Change plan …');
    await visitor.sees('There is no other plan in JPY.');
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('copies the name that must be typed, because a keyboard may lack its characters', async () => {
    const name = 'Café 🛒';
    const { operator } = running().service;
    const { id } = (await operator.post('/operator/v1/tenants', { name })).created;
    const visitor = await running().operator(`/tenants/${String(id)}`);
    const { page } = visitor;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await visitor.sees('Test clocks at most');
    await visitor.sees('lapses');
    await visitor.sees('npm run cli -- tenant set');
    await visitor.press('Delete …');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: `Copy ${name}` }).click();
    await dialog.getByLabel(`Type ${name} to confirm`).focus();
    await page.keyboard.press('Control+V');
    expect(await dialog.getByRole('button', { name: 'Delete for good' }).isEnabled()).toBe(true);
    await visitor.visit('/console/operator');
    await visitor.sees(/Event store, disk and database keep data; all others read it/);
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('names the port of the service to a browser that needs HTTPS', async () => {
    const visitor = await running().open();
    const options = { password: true, oidc: null, https_needed: true };
    await visitor.page.route('**/sign_in_options', (route) => route.fulfill({ json: options }));
    await visitor.page.goto(`${running().service.url}/console/sign-in`);
    await visitor.sees(`http://127.0.0.1:${new URL(running().service.url).port}`);
    await visitor.page.unrouteAll();
    await visitor.page.reload();
    await visitor.sees(/Password forgotten\? An operator prints a one-time link/);
    await visitor.close();
  });

  it('leads from the menu of the account to the change of the password', async () => {
    const tenant = await running().service.tenant();
    const owner = await running().service.signedIn({ tenant_id: tenant.id, role: 'owner' });
    const invited = { email: 'bob@example.com', role: 'viewer' };
    const { link } = (await owner.post('/console/v1/invitations', invited)).created;
    const visitor = await running().open();
    const { pathname, hash } = new URL(String(link));
    await visitor.visit(pathname + hash);
    await visitor.fill('Your name', 'Bob');
    await visitor.fill('Password', 'a long enough password');
    await visitor.press(/^Join/);
    await visitor.press('Account of Bob');
    await visitor.press('Change the password', 'link');
    await visitor.page.getByRole('heading', { name: 'Your password' }).waitFor();
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });
});
