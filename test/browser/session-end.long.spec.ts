import { linkFor, pathIn } from './support/console';
import { describeConsole } from './support/describe-console';

describeConsole('the end of a session', (running) => {
  it('keeps what was typed if the session ends, and offers to sign in in another tab', async () => {
    const visitor = await running().member(await running().service.tenant(), '/destinations/new');
    await visitor.page.getByRole('radio', { name: /^Mailbox/ }).check();
    await visitor.fill('Mailbox', 'help@example.com');
    await visitor.page.context().clearCookies();
    await visitor.press('Create');
    await visitor.page.getByRole('alert').getByText('Your session has ended.').waitFor();
    const link = visitor.page.getByRole('alert').getByRole('link', { name: /^Sign in in another/ });
    expect(await link.getAttribute('href')).toBe('/console/sign-in');
    expect(await visitor.page.getByLabel('Mailbox', { exact: true }).inputValue()).toBe(
      'help@example.com',
    );
    await visitor.close();
    expect(visitor.complaints.filter((each) => !each.includes('status of 401'))).toEqual([]);
  });

  it('keeps an open dialog and a filled form if the session ends, until the person signs in again', async () => {
    const tenant = await running().service.tenant();
    const body = { email: 'ada@example.com' };
    const subscriberId = String((await tenant.api.post('/v1/subscribers', body)).created['id']);
    const address = { type: 'https_webhook', url: running().receiver.url };
    const destinationId = String(
      (await tenant.api.post('/v1/destinations', address)).created['id'],
    );
    const visitor = await running().member(tenant);
    const { page } = visitor;
    const context = page.context();
    await page.clock.install();
    const notice = page.getByText('You are signed out. Copy what you need, then sign in again.');
    const signInPage = page.getByRole('heading', { name: 'Sign in' });

    await visitor.visit(pathIn(tenant, `/destinations/${destinationId}?tab=settings`));
    const description = page.getByLabel('Description', { exact: true });
    await description.fill('Billing of all countries');
    await context.clearCookies();
    await page.clock.fastForward(10_000);
    await notice.waitFor();
    expect(await description.inputValue()).toBe('Billing of all countries');
    const link = page.getByRole('link', { name: 'sign in again' });
    const [other] = await Promise.all([context.waitForEvent('page'), link.click()]);
    const token = new URL(await linkFor(running().service, tenant, 'owner')).hash;
    await other.goto(`${running().service.url}/console/link${token}`);
    await other.getByRole('button', { name: 'Continue' }).click();
    await other.getByRole('button', { name: /^Account of/ }).waitFor();
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await notice.waitFor({ state: 'detached' });
    await visitor.press('Save');
    await visitor.sees('The destination is changed.');

    await visitor.visit(pathIn(tenant, `/subscribers/${subscriberId}`));
    await visitor.press('Actions');
    await visitor.press('Grant a credit …');
    const dialog = page.getByRole('dialog');
    await context.clearCookies();
    await page.clock.fastForward(10_000);
    await dialog.getByText(/^You are signed out/).waitFor();
    expect(await signInPage.count()).toBe(0);
    // The address stands in the heading of the page, behind the dialog.
    expect(await page.getByText('ada@example.com').filter({ visible: true }).count()).toBe(0);
    await visitor.press('Cancel');
    await page.clock.fastForward(10_000);
    await signInPage.waitFor();
    await visitor.close();
    expect(visitor.complaints.filter((each) => !each.includes('status of 401'))).toEqual([]);
  });

  it('shows no ticket any more after a poll was refused', async () => {
    const tenant = await running().service.tenant();
    const { id } = (await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' })).created;
    const ticket = { subscriber_id: id, topic: 'other', subject: 'Where is my copy?' };
    (await tenant.api.post('/v1/tickets', ticket)).expect(201);
    const visitor = await running().member(tenant, '', 'support');
    const { page } = visitor;
    await page.clock.install();
    await visitor.visit(pathIn(tenant, '/tickets'));
    await visitor.sees('ada@example.com');
    await page.context().clearCookies();
    await page.clock.fastForward(10_000);
    await visitor.sees('Your session has ended.');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('ada@example.com').count()).toBe(0);
    await visitor.close();
    expect(visitor.complaints.filter((each) => !each.includes('status of 401'))).toEqual([]);
  });

  it('shows the sign-in page as soon as the session has ended', async () => {
    const tenant = await running().service.tenant();
    const visitor = await running().member(tenant, '/settings?tab=sessions');
    await visitor.press('End');
    await visitor.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await visitor.close();
    expect(visitor.complaints.filter((each) => !each.includes('status of 401'))).toEqual([]);
  });
});
