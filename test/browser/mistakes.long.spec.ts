import { pathIn } from './support/console';
import { describeConsole } from './support/describe-console';
import { makePaying, makePlans } from './support/people';

const DAY_MS = 86_400_000;

/** Returns the day that many days after today, in UTC: "2026-11-10". */
const dayFromToday = (days: number): string =>
  new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

describeConsole('the console after a mistake', (running) => {
  it('keeps the days of a replay as they are typed, and says at the field what is wrong', async () => {
    const tenant = await running().service.tenant();
    const webhook = { type: 'https_webhook', url: running().receiver.url, description: 'Shop' };
    await tenant.api.post('/v1/destinations', webhook);
    const visitor = await running().member(tenant, '/replays/new');
    const { page } = visitor;
    await visitor.choose('Destination', 'Shop');
    const from = page.getByLabel('From (UTC)');
    const [year = '', month = '', day = ''] = dayFromToday(-17).split('-');
    await from.focus();
    await page.keyboard.type(`${month}${day}${year}`);
    expect(await from.inputValue()).toBe(`${year}-${month}-${day}`);
    await visitor.fill('To (UTC)', dayFromToday(-3));
    const query = new URL(page.url()).searchParams;
    expect(query.get('from')).toBe(`${dayFromToday(-17)}T00:00:00.000Z`);
    expect(query.get('to')).toBe(`${dayFromToday(-3)}T23:59:59.999Z`);
    const expectRefusal = async (typed: string, reason: RegExp): Promise<void> => {
      await from.fill(typed);
      await page.locator('.field .error').getByText(reason).waitFor();
      expect(await from.inputValue()).toBe(typed);
      expect(await page.getByRole('button', { name: 'Count the events' }).isDisabled()).toBe(true);
    };
    await expectRefusal(dayFromToday(-1), /^The first day must not be after the last day/);
    await expectRefusal('2020-01-01', /^Events are kept for 24 months/);
    await from.fill(dayFromToday(-3));
    await visitor.press('Count the events');
    await visitor.sees('Would be sent');
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('keeps a new API key on the screen until the person presses Done', async () => {
    const tenant = await running().service.tenant();
    const visitor = await running().member(tenant, '/api-keys', 'developer');
    const { page } = visitor;
    await visitor.visit(pathIn(tenant, '/api-keys', 'live'));
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New key' }).first().click();
    await visitor.fill('Name', 'x'.repeat(100));
    await page.mouse.click(5, 5);
    await page.keyboard.press('Escape');
    expect(await dialog.getByLabel('Name').inputValue()).toBe('x'.repeat(100));
    await visitor.press('Create key');
    await visitor.sees('This key is shown once.');
    await page.mouse.click(5, 5);
    for (const _ of [1, 2, 3]) await page.keyboard.press('Escape');
    await dialog.getByText('This key is shown once.').waitFor();
    await visitor.press('Done');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /^x+ …/ }).waitFor();
    expect(await visitor.faults()).toEqual([]);
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('asks before a dialog is closed in which something was typed', async () => {
    const tenant = await running().service.tenant();
    const visitor = await running().member(tenant, '/api-keys');
    const { page } = visitor;
    const questions: string[] = [];
    let discards = false;
    page.on('dialog', (dialog) => {
      questions.push(dialog.message());
      void (discards ? dialog.accept() : dialog.dismiss());
    });
    const closings = [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(5, 5),
      () => visitor.press('Cancel'),
      () => visitor.press('Close'),
    ];
    const dialog = page.getByRole('dialog');
    for (const close of closings) {
      await visitor.press('New key');
      await close();
      await dialog.waitFor({ state: 'detached' });
      await visitor.press('New key');
      await visitor.fill('Name', 'Backend');
      discards = false;
      // Without a click between them, the browser closes the dialog at the second Escape by itself.
      for (const _ of [1, 2]) await close();
      expect(await dialog.getByLabel('Name').inputValue()).toBe('Backend');
      discards = true;
      await close();
      await dialog.waitFor({ state: 'detached' });
      expect(questions.splice(0)).toEqual(Array(3).fill('Discard what was typed?'));
    }
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('asks before it leaves a page with a secret that was not copied', async () => {
    const tenant = await running().service.tenant();
    const visitor = await running().member(tenant, '/destinations/new');
    const { page } = visitor;
    await visitor.fill('URL', running().receiver.url);
    await visitor.press('Next');
    await visitor.press('Create');
    await visitor.sees('This secret is shown once.');
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.message());
      void dialog.dismiss();
    });
    await visitor.press('Home', 'link');
    await visitor.sees('This secret is shown once.');
    expect(questions).toEqual([
      'Leave the page? The secret is not copied, and is not shown again.',
    ]);
    await visitor.press('Copy the signing secret');
    await visitor.sees('Copied.');
    await visitor.press('Home', 'link');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(questions).toHaveLength(1);
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('keeps what another tab has saved in other fields of a form', async () => {
    const tenant = await running().service.tenant();
    const [first, second] = [
      await running().member(tenant, '/settings?tab=settings'),
      await running().member(tenant, '/settings?tab=settings'),
    ];
    await first.fill('Name', 'Acme Renamed');
    await first.press('Save');
    await first.sees('The settings are saved.');
    await second.fill('Days of grace', '10');
    await second.press('Save');
    await second.sees('The settings are saved.');
    await second.visit(pathIn(tenant, '/settings?tab=settings'));
    const read = (label: string): Promise<string> =>
      second.page.getByLabel(label, { exact: true }).inputValue();
    expect([await read('Name'), await read('Days of grace')]).toEqual(['Acme Renamed', '10']);
    await first.close();
    await second.close();
  });

  it('refunds less after a colleague has refunded a part meanwhile', async () => {
    const tenant = await running().service.tenant();
    await makePlans(tenant);
    const { subscriberId, paymentId } = await makePaying(tenant, 'ada@example.com');
    const visitor = await running().member(tenant, `/subscribers/${subscriberId}?tab=payments`);
    await visitor.press('Refund');
    await visitor.fill('Amount in USD', '7.00');
    const refund = { amount: 500, reason: 'duplicate' };
    (await tenant.api.post(`/v1/payments/${paymentId}/refunds`, refund)).expect(201);
    await visitor.confirm('Refund $7.00');
    await visitor.sees('A part of the payment was refunded meanwhile.');
    await visitor.sees('Enter an amount up to $4.00.');
    await visitor.fill('Amount in USD', '3.00');
    await visitor.confirm('Refund $3.00');
    await visitor.sees('The refund is under way.');
    await visitor.page.getByRole('row').getByText('$8.00').waitFor();
    await visitor.close();
    // The browser itself reports the refusal.
    expect(visitor.complaints.filter((each) => !each.includes('422'))).toEqual([]);
  });

  it('takes an error away from a field whose value is changed', async () => {
    const tenant = await running().service.tenant();
    const visitor = await running().member(tenant, '/api-keys');
    await visitor.press('New key');
    await visitor.fill('Name', 'backend');
    await visitor.fill('Allowed addresses', 'not-an-ip');
    await visitor.confirm('Create key');
    await visitor.sees(/^Allowed addresses must be/);
    await visitor.fill('Allowed addresses', '203.0.113.7');
    await visitor.page.getByText(/^Allowed addresses must be/).waitFor({ state: 'detached' });
    expect(await visitor.page.locator('[aria-invalid=true]').count()).toBe(0);
    await visitor.fill('Ends on (UTC)', new Date().toISOString().slice(0, 10));
    await visitor.confirm('Create key');
    await visitor.sees(/^This key is shown once/);
    await visitor.close();
  });

  it('asks before it leaves a page with changes that are not saved', async () => {
    const tenant = await running().service.tenant();
    const visitor = await running().member(tenant, '/settings');
    const { page } = visitor;
    await visitor.press('Settings', 'link');
    await visitor.fill('Days of grace', '9');
    const questions: string[] = [];
    let isLeaving = false;
    page.on('dialog', (dialog) => {
      questions.push(dialog.type());
      void (isLeaving ? dialog.accept() : dialog.dismiss());
    });
    const grace = page.getByLabel('Days of grace', { exact: true });
    const address = page.url();
    await visitor.press('Sessions', 'link');
    await visitor.press('Home', 'link');
    await page.goBack({ waitUntil: 'commit' }).catch(() => null);
    await visitor.find('ada@example.com');
    expect(await grace.inputValue()).toBe('9');
    expect(page.url()).toBe(address);
    expect(questions).toEqual(['confirm', 'confirm', 'confirm', 'confirm']);
    await visitor.press('Save');
    await visitor.sees('The settings are saved.');
    await visitor.press('Sessions', 'link');
    await page.getByRole('row').first().waitFor();
    expect(questions).toHaveLength(4);
    await visitor.press('Settings', 'link');
    await visitor.fill('Days of grace', '10');
    isLeaving = true;
    await visitor.press('Home', 'link');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await visitor.visit(pathIn(tenant, '/settings?tab=settings'));
    expect(await grace.inputValue()).toBe('9');
    await visitor.fill('Days of grace', '11');
    await page.reload();
    expect(questions).toEqual([...Array<string>(5).fill('confirm'), 'beforeunload']);
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('refuses at its field a greatest number of days below the least one', async () => {
    const tenant = await running().service.tenant();
    const visitor = await running().member(tenant, '/cohorts/new');
    await visitor.fill('Name', 'Old and new');
    await visitor.fill('Days since registration, at least', '30');
    await visitor.fill('Days since registration, at most', '10');
    await visitor.page.locator('.field .error').getByText('This is below 30.').waitFor();
    await visitor.press('Create');
    expect((await tenant.api.get('/v1/cohorts')).data).toEqual([]);
    await visitor.fill('Days since registration, at most', '60');
    await visitor.press('Create');
    await visitor.page.getByRole('heading', { level: 1, name: 'Old and new' }).waitFor();
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('shows at its field what the preview of a cohort refuses', async () => {
    const tenant = await running().service.tenant();
    const visitor = await running().member(tenant, '/cohorts/new');
    const { page } = visitor;
    const isMarked = (label: string): Promise<void> =>
      page.getByLabel(label, { exact: true }).and(page.locator('[aria-invalid=true]')).waitFor();
    await visitor.fill('Engagement score, at least', '500');
    await visitor.sees(/^Engagement score, at least must be a (whole )?number from 0 to 100/);
    await isMarked('Engagement score, at least');
    await visitor.sees('Correct the marked field first.');
    await visitor.fill('Engagement score, at least', '50');
    await visitor.fill('Has one of these tags', 'x'.repeat(65));
    await visitor.sees(/^each item of “Has one of these tags” must have 1 to 64 characters/);
    await isMarked('Has one of these tags');
    expect(
      await page.getByLabel('Has one of these tags').evaluate('document.activeElement.value'),
    ).toBe('x'.repeat(65));
    await visitor.fill('Has one of these tags', 'vip');
    await page.locator('[aria-invalid=true]').waitFor({ state: 'detached' });
    await visitor.close();
    // The browser itself reports the refusals.
    expect(visitor.complaints.filter((each) => !each.includes('400'))).toEqual([]);
  });

  it('shows at its field what is wrong with the offer of a motion', async () => {
    const tenant = await running().service.tenant();
    const visitor = await running().member(tenant, '/motions/new');
    await visitor.fill('Name', 'Stay a while');
    await visitor.choose('What is offered', 'A discount in percent');
    await visitor.fill('Percent', '150');
    await visitor.press('Create draft');
    await visitor.page
      .locator('.field .error')
      .getByText(/^Percent must be a number/)
      .waitFor();
    expect(await visitor.page.getByRole('alert').count()).toBe(0);
    await visitor.page
      .getByLabel('Percent', { exact: true })
      .and(visitor.page.locator(':focus'))
      .waitFor();
    await visitor.close();
  });

  it('shows at its field that a currency does not exist', async () => {
    const visitor = await running().operator('/tenants');
    await visitor.press('New tenant');
    await visitor.fill('Name of the company', 'Acme Magazine');
    await visitor.fill('Currency', 'XXZ');
    await visitor.confirm('Create tenant');
    await visitor.page
      .locator('.field .error')
      .getByText(/^Currency must be an ISO 4217/)
      .waitFor();
    await visitor.close();
  });

  it('shows the present instead of an instant that has not come yet', async () => {
    const tenant = await running().service.tenant();
    const made = await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' });
    const path = `/subscribers/${String(made.created['id'])}?tab=history&at=2099-01-01T00:00:00Z`;
    const visitor = await running().member(tenant, path);
    const state = visitor.card('State at an instant');
    await state.getByText('none').waitFor();
    expect(await state.getByText('2099').count()).toBe(0);
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('shows a page that does not exist, and a period that is no period, as what they are', async () => {
    const tenant = await running().service.tenant();
    const visitor = await running().member(tenant);
    await visitor.visit(`/console/t/${tenant.id}/nonsense`);
    await visitor.sees('There is no such page');
    await visitor.visit(pathIn(tenant, '/metrics/mrr?from=garbage'));
    await visitor.sees('How it is counted');
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('says that a password is wrong, without the offer to sign in elsewhere', async () => {
    const visitor = await running().open();
    await visitor.visit('/console/sign-in');
    await visitor.fill('E-mail', 'grace@example.com');
    await visitor.fill('Password', 'a wrong password');
    await visitor.press('Sign in');
    const alert = visitor.page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(/password/);
    expect(await alert.getByRole('link').count()).toBe(0);
    await visitor.close();
  });
});
