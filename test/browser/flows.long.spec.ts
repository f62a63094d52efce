import { Receiver } from '../support/receiver';
import type { TestTenant } from '../support/service';
import { until } from '../support/until';
import { linkFor, pathIn, type Visitor } from './support/console';
import { describeConsole } from './support/describe-console';

const PASSWORD = 'a long enough password';

describeConsole('what people do in the console', (running) => {
  const destinationOf = async ({ api }: TestTenant, description: string): Promise<string> => {
    const body = { type: 'https_webhook', url: running().receiver.url, description };
    return String((await api.post('/v1/destinations', body)).created['id']);
  };

  /** A subscriber with an active monthly subscription. */
  const subscriberOf = async ({ api }: TestTenant, email: string): Promise<string> => {
    for (const [id, amount] of [
      ['basic', 900],
      ['pro', 2_000],
    ] as const) {
      await api.put(`/v1/plans/${id}`, { name: id, amount, currency: 'USD', interval: 'month' });
    }
    const { id } = (await api.post('/v1/subscribers', { email })).created;
    const subscription = { subscriber_id: id, plan: 'basic', payment_method: 'pm_test_ok' };
    await api.post('/v1/subscriptions', subscription);
    return String(id);
  };

  /** Leaves, and fails if the browser complained about anything. */
  const leave = async (visitor: Visitor): Promise<void> => {
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  };

  it('invites a person by a link; the person joins, signs out and signs in with the password', async () => {
    const tenant = await running().service.tenant();
    const owner = await running().member(tenant, '/settings');
    await owner.press('Invite');
    await owner.fill('E-mail', 'grace@example.com');
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    const link = await owner.page.getByRole('dialog').locator('code').innerText();
    await owner.press('Done');
    await owner.sees('grace@example.com');

    const grace = await running().open();
    await grace.page.goto(link);
    await grace.fill('Your name', 'Grace Hopper');
    await grace.fill('Password', PASSWORD);
    await grace.press('Join Acme Magazine');
    await grace.press('Account of Grace Hopper');
    await grace.press('Sign out');
    await grace.fill('E-mail', 'grace@example.com');
    await grace.fill('Password', PASSWORD);
    await grace.press('Sign in');
    await grace.page.getByRole('button', { name: 'Account of Grace Hopper' }).waitFor();
    await leave(grace);

    await owner.visit(pathIn(tenant, '/settings'));
    await owner.page.getByLabel('Role of Grace Hopper').selectOption('viewer');
    await owner.press('Save the role of Grace Hopper');
    await owner.sees('Grace Hopper has the role viewer now.');
    await owner.press('Remove Grace Hopper');
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await owner.page.getByRole('button', { name: 'Remove Grace Hopper' }).waitFor({
      state: 'detached',
    });
    await leave(owner);
  });

  it('says that a link was already used, and what is wrong with a password', async () => {
    const tenant = await running().service.tenant();
    const link = await linkFor(running().service, tenant);
    const first = await running().open();
    await first.signIn(link);
    await leave(first);
    const second = await running().open();
    await second.page.goto(link);
    await second.press('Continue');
    await second.page.getByRole('alert').waitFor();
    await second.page.goto(`${running().service.url}/console/sign-in`);
    await second.fill('E-mail', 'nobody@example.com');
    await second.fill('Password', PASSWORD);
    await second.press('Sign in');
    await second.page.getByRole('alert').waitFor();
    await second.close();
    // The browser itself reports both refusals.
    expect(second.complaints.filter((each) => !/status of (401|410)/.test(each))).toEqual([]);
  });

  it('adds a destination in three steps, tries it, rotates its secret and deletes it', async () => {
    const tenant = await running().service.tenant();
    const visitor = await running().member(tenant, '/destinations/new');
    await visitor.fill('URL', running().receiver.url);
    await visitor.fill('Description', 'Billing');
    await visitor.press('Next');
    await visitor.page.getByRole('radio', { name: /Minimal/ }).check();
    await visitor.press('Create');
    await visitor.sees('This secret is shown once.');
    await visitor.press('Send test now');
    await visitor.sees(/Your receiver answered 200/);
    await visitor.press('Copy the signing secret');
    await visitor.sees('Copied.');
    await visitor.press('Open the destination', 'link');
    await visitor.press('Settings', 'link');
    await visitor.press('Rotate …');
    await visitor.fill(/^Type Billing/, 'Billing');
    await visitor.page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await visitor.sees('The new secret is shown this once.');
    await visitor.press('Disable …');
    await visitor.confirm('Disable');
    await visitor.press('Enable');
    await visitor.press('Delete …');
    await visitor.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await visitor.press('Restore');
    await visitor.press('Delete for good …');
    await visitor.fill(/^Type Billing/, 'Billing');
    await visitor.page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
    await visitor.sees('No destination yet');
    await leave(visitor);
  });

  it('looks into a failed delivery and tries it again', async () => {
    const tenant = await running().service.tenant();
    let isBroken = true;
    const moody = await Receiver.start((_, response) => {
      response.statusCode = isBroken ? 500 : 200;
      response.end(isBroken ? '<script>document.title="broken"</script>' : 'ok');
    });
    const body = { type: 'https_webhook', url: moody.url, description: 'Moody' };
    const { id } = (await tenant.api.post('/v1/destinations', body)).created;
    await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' });
    await until('a failed delivery', async () => {
      const { data } = await tenant.api.get(`/v1/destinations/${String(id)}/deliveries`);
      return data.find(({ status }) => status === 'failed');
    });
    const visitor = await running().member(tenant, `/destinations/${String(id)}?tab=deliveries`);
    await visitor.press('subscriber.created', 'link');
    await visitor.sees('<script>document.title="broken"</script>');
    expect(await visitor.page.title()).not.toBe('broken');
    isBroken = false;
    await visitor.press('Try once now');
    await visitor.page.getByRole('dialog').getByText('delivered', { exact: true }).waitFor();
    await moody.close();
    await visitor.visit(pathIn(tenant, '/deliveries?status=delivered'));
    await visitor.fill(/^Type, such as/, 'subscriber.*');
    await visitor.press('Find');
    await visitor.page.getByRole('link', { name: 'Moody' }).waitFor();
    await visitor.press('subscriber.created', 'link');
    await visitor.page.getByRole('dialog').getByText('delivered', { exact: true }).waitFor();
    await leave(visitor);
  });

  it('finds an event, reads it in each privacy mode and replays from there', async () => {
    const tenant = await running().service.tenant();
    await destinationOf(tenant, 'Warehouse');
    await subscriberOf(tenant, 'ada@example.com');
    const visitor = await running().member(tenant, '/events');
    await visitor.fill(/^Types, such as/, 'payment.*');
    await visitor.press('Find');
    await visitor.press('payment.succeeded', 'link');
    await visitor.sees('Warehouse');
    await visitor.press('Minimal');
    expect(visitor.page.url()).toContain('mode=minimal');
    await visitor.page.getByText('tests', { exact: true }).waitFor();
    await visitor.press('Replay from here', 'link');
    await visitor.page
      .getByLabel('Destination', { exact: true })
      .selectOption({ label: 'Warehouse' });
    await visitor.page
      .getByLabel('Events that were delivered before')
      .selectOption('Send all again');
    await visitor.press('Count the events');
    await visitor.press(/^Replay \d+ events$/);
    await visitor.sees('completed');
    await leave(visitor);
  });

  it('sends an event of the catalogue in test and sees it announced in the list', async () => {
    const tenant = await running().service.tenant();
    await destinationOf(tenant, 'Warehouse');
    await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' });
    const list = await running().member(tenant, '/events');
    const visitor = await running().member(tenant, '/catalogue');
    await visitor.fill('Search event types', 'ticket');
    await visitor.press('ticket.submitted');
    await visitor.press('Send one in test');
    await visitor.sees('Sent ticket.submitted to every destination that asks for it.');
    await list.press(/^\d+ new$/);
    await list.page.getByRole('link', { name: 'ticket.submitted' }).waitFor();
    await leave(visitor);
    await leave(list);
  });

  it('sees the first row of an empty list appear by itself', async () => {
    const tenant = await running().service.tenant();
    const visitor = await running().member(tenant, '/subscribers');
    await visitor.sees('No subscribers yet');
    (await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' })).expect(201);
    await visitor.page.getByRole('link', { name: 'ada@example.com' }).waitFor();
    await visitor.close();
  });

  it('makes an API key, rotates it and revokes it', async () => {
    const tenant = await running().service.tenant();
    const visitor = await running().member(tenant, '/api-keys', 'developer');
    await visitor.press('New key');
    await visitor.fill('Name', 'backend');
    await visitor.fill('Ends on (UTC)', '2027-11-30');
    await visitor.press('Create key');
    const key = await visitor.page.getByRole('dialog').locator('code').first().innerText();
    (await running().service.createApi(key).get('/v1/plans')).expect(200);
    await visitor.press('Done');
    await visitor.press('Rotate backend');
    expect(await visitor.page.getByLabel('Ends on (UTC)').inputValue()).toBe('2027-11-30');
    await visitor.fill('Ends on (UTC)', '2027-06-30');
    await visitor.sees(/It ends after Jun 30, 2027/);
    await visitor.page.getByLabel('The old key ends').selectOption('At once');
    await visitor.fill('Type backend to confirm', 'backend');
    await visitor.press('Rotate');
    await visitor.press('Done');
    await visitor.page.getByRole('cell', { name: 'Jun 30, 2027' }).waitFor();
    await until('the old key is refused', async () => {
      const { status } = await running().service.createApi(key).get('/v1/plans');
      return status === 401 ? status : undefined;
    });
    await visitor.press('Revoke backend');
    await visitor.fill(/^Type backend/, 'backend');
    await visitor.press('Revoke');
    await visitor.sees('The key is revoked.');
    await leave(visitor);
  });

  it('serves a subscriber: finds them, changes the plan, pauses, credits, refunds, cancels, erases', async () => {
    const tenant = await running().service.tenant();
    const subscriber = await subscriberOf(tenant, 'ada@example.com');
    const visitor = await running().member(tenant, '', 'owner');
    await visitor.fill('Find by id or e-mail', subscriber);
    await visitor.page.keyboard.press('Enter');
    await visitor.page.getByRole('heading', { name: 'ada@example.com' }).waitFor();

    const act = async (name: string | RegExp): Promise<void> => {
      await visitor.press('Actions');
      await visitor.press(name);
    };
    const dialog = visitor.page.getByRole('dialog');
    await act('Change plan …');
    await visitor.page.getByLabel('New plan').selectOption('pro');
    await dialog.getByRole('row').first().waitFor();
    await dialog.getByRole('button', { name: 'Change the plan' }).click();
    await visitor.sees('The plan is changed.');

    await act('Pause …');
    await visitor.page.getByLabel('When').selectOption('Now');
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await visitor.sees('The subscription is paused.');
    await act('Resume');
    await visitor.sees('The subscription is resumed.');

    await act('Grant a credit …');
    await visitor.fill('Amount', '5.00');
    await dialog.getByRole('button', { name: 'Grant' }).click();
    await visitor.sees('The credit is granted.');

    await visitor.press('Payments', 'link');
    await visitor.press('Refund');
    await visitor.fill('Amount in USD', '1.00');
    await dialog.getByRole('button', { name: 'Refund' }).click();
    await visitor.sees('The refund is under way.');

    await act('Cancel …');
    await dialog.getByRole('button', { name: 'Cancel the subscription' }).click();
    await visitor.sees('The cancellation is scheduled.');
    await act('Keep (undo the cancellation)');
    await visitor.sees('The cancellation is taken back.');

    await visitor.press('At an instant', 'link');
    await visitor.page.getByRole('slider').press('Home');
    await visitor.page.getByText('none', { exact: true }).waitFor();
    await visitor.page.getByRole('slider').press('End');
    await visitor.page.getByText('Period', { exact: true }).waitFor();

    await act('Erase …');
    await visitor.fill(/^Type ada@example.com/, 'ada@example.com');
    await dialog.getByRole('button', { name: 'Erase for good' }).click();
    await visitor.sees('The subscriber is erased.');
    await leave(visitor);
  });

  it('answers a ticket, opens it again and closes it', async () => {
    const tenant = await running().service.tenant();
    const subscriber = await subscriberOf(tenant, 'ada@example.com');
    const ticket = { subscriber_id: subscriber, topic: 'other', subject: 'Where is my copy?' };
    await tenant.api.post('/v1/tickets', { ...ticket, body: 'It did not come.' });
    const visitor = await running().member(tenant, '/tickets', 'support');
    await visitor.press('Where is my copy?', 'link');
    await visitor.sees('It did not come.');
    await visitor.press('Resolve …');
    await visitor.fill('What was done', 'Sent again.');
    await visitor.press('Resolve');
    await visitor.sees('Sent again.');
    await visitor.press('Reopen');
    await visitor.press('Close …');
    await visitor.sees('A closed ticket cannot be opened again.');
    await visitor.confirm('Close the ticket');
    await visitor.page.getByText('closed', { exact: true }).waitFor();
    await leave(visitor);
  });

  it('reads a metric and downloads it as CSV and PNG', async () => {
    const tenant = await running().service.tenant();
    await subscriberOf(tenant, 'ada@example.com');
    const visitor = await running().member(tenant, '/metrics', 'analyst');
    await visitor.press(/^Monthly recurring revenue/, 'link');
    await visitor.page.getByLabel('Window', { exact: true }).selectOption('Last 7 days');
    expect(visitor.page.url()).toContain('window=last_7d');
    await visitor.settle();
    await visitor.page.getByRole('img', { name: 'Monthly recurring revenue over time' }).waitFor();
    for (const kind of ['CSV', 'PNG']) {
      const [file] = await Promise.all([
        visitor.page.waitForEvent('download'),
        visitor.press(kind),
      ]);
      expect(file.suggestedFilename()).toBe(`mrr.${kind.toLowerCase()}`);
    }
    await visitor.choose('Plan', 'basic');
    await visitor.page.waitForURL(/plan=basic/);
    await visitor.page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await visitor.page.getByLabel('Window', { exact: true }).selectOption('From … to …');
    await visitor.page.getByLabel('from', { exact: true }).fill('2026-01-05');
    await visitor.page.getByLabel('to', { exact: true }).fill('2026-01-07');
    await visitor.page.getByRole('region', { name: 'Numbers' }).getByText('Jan 7').waitFor();
    expect(
      await visitor.page.getByRole('region', { name: 'Numbers' }).getByRole('row').count(),
    ).toBe(4);
    const crumbs = visitor.page.getByRole('navigation', { name: 'Breadcrumb' });
    await crumbs.getByRole('link', { name: 'Metrics' }).click();
    await visitor.page.getByRole('region', { name: 'Retention by month' }).waitFor();
    await leave(visitor);
  });

  it('shows a viewer everything without a way to change it', async () => {
    const tenant = await running().service.tenant();
    const id = await destinationOf(tenant, 'Warehouse');
    const visitor = await running().member(tenant, '/destinations', 'viewer');
    await visitor.page.getByText('Read only', { exact: true }).waitFor();
    for (const path of [
      '/destinations',
      `/destinations/${id}?tab=settings`,
      '/cohorts',
      '/settings',
    ]) {
      await visitor.visit(pathIn(tenant, path));
      const offered = await visitor.page.locator('main button, main .button').allInnerTexts();
      expect(
        offered.filter((text) => /new|delete|rotate|save|invite|send|disable/i.test(text)),
      ).toEqual([]);
    }
    await visitor.visit(pathIn(tenant, '/api-keys'));
    await visitor.sees('API keys: your role may not see this');
    await leave(visitor);
  });

  it('says that the tenant is another one after a link for it was opened in another tab', async () => {
    const { service } = running();
    const [first, second] = [await service.tenant(), await service.tenant()];
    const visitor = await running().member(first, '/subscribers');
    const token = new URL(await linkFor(service, second, 'owner')).hash.slice(1);
    const other = await visitor.page.context().newPage();
    await other.goto(`${service.url}/console/link#${token}`);
    await other.getByRole('button', { name: 'Continue' }).click();
    await other.getByRole('button', { name: /^Account of/ }).waitFor();
    await visitor.page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Tickets', exact: true })
      .click();
    await visitor.sees('You are not a member of this tenant');
    await visitor.close();
    expect(visitor.complaints.filter((each) => !each.includes('status of 403'))).toEqual([]);
  });

  it('makes a tenant as an operator, gives it a key, looks at its usage and deletes it', async () => {
    const visitor = await running().operator('/tenants');
    await visitor.press('New tenant');
    await visitor.fill('Name of the company', 'Beta Books');
    await visitor.press('Create tenant');
    await visitor.page.getByRole('heading', { name: 'Beta Books' }).waitFor();
    await visitor.press('New key');
    await visitor.fill('Name', 'backend');
    await visitor.press('Create key');
    await visitor.sees('This key is shown once.');
    await visitor.press('Done');
    await visitor.visit('/console/operator/jobs');
    await visitor.press('Compare only');
    await visitor.sees('compare');
    await visitor.visit('/console/operator/usage?environment=test');
    await visitor.press('Beta Books', 'link');
    await visitor.press('Delete …');
    await visitor.fill(/^Type Beta Books/, 'Beta Books');
    await visitor.press('Delete for good');
    await visitor.page.getByText('deleted', { exact: true }).waitFor();
    await leave(visitor);
  });
});
