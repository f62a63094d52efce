import { pathIn } from './support/console';
import { describeConsole } from './support/describe-console';
import { makePaying, makePlans } from './support/people';

describeConsole('the forms and dialogs of the console', (running) => {
  it('keeps what was typed between the steps, and shows what is wrong at its field', async () => {
    const tenant = await running().service.tenant();
    await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' });
    const visitor = await running().member(tenant, '/destinations/new');
    const { page } = visitor;
    await visitor.fill('URL', 'https://example.com/hook#part');
    await visitor.fill('Description', 'Billing');
    await visitor.press('Next');
    await page.getByRole('radio', { name: /Hashed only/ }).check();
    await page.getByText('"email_hashed"').waitFor();
    expect(await page.getByText('ada@example.com').count()).toBe(0);
    await visitor.press('Back');
    expect(await page.getByLabel('Description', { exact: true }).inputValue()).toBe('Billing');
    await visitor.press('Next');
    expect(await page.getByRole('radio', { name: /Hashed only/ }).isChecked()).toBe(true);
    await visitor.press('Create');
    await page.locator('input[type=url][aria-invalid=true]:focus').waitFor();
    await visitor.sees(/fragment/);
    running().receiver.answerStatus(500);
    await visitor.fill('URL', running().receiver.url);
    await visitor.press('Next');
    await visitor.press('Create');
    await visitor.press('Send test now');
    await visitor.sees(/Your receiver answered 500 in .* counts as not delivered/);
    running().receiver.answerStatus(200);
    await visitor.visit(pathIn(tenant, '/settings?tab=audit'));
    await page.getByRole('row', { name: /destination.registered destination Billing/ }).waitFor();
    await visitor.close();
  });

  it('go to the step before with the button Back of the browser', async () => {
    const tenant = await running().service.tenant();
    const visitor = await running().member(tenant, '/destinations');
    const { page } = visitor;
    await page.getByRole('link', { name: 'New destination' }).first().click();
    await visitor.fill('URL', 'https://example.com/hook');
    await visitor.press('Next');
    await page.getByRole('radio', { name: /Hashed only/ }).check();
    await page.goBack();
    await visitor.sees('Step 1 of 3');
    expect(await page.getByLabel('URL', { exact: true }).inputValue()).toBe(
      'https://example.com/hook',
    );
    await page.goForward();
    await visitor.sees('Step 2 of 3');
    expect(await page.getByRole('radio', { name: /Hashed only/ }).isChecked()).toBe(true);
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('refuse a URL that no destination may have at the step where it is typed', async () => {
    const tenant = await running().service.tenant();
    const visitor = await running().member(tenant, '/destinations/new');
    const { page } = visitor;
    const expectRefusal = async (url: string): Promise<void> => {
      await visitor.fill('URL', url);
      await visitor.press('Next');
      await page.locator('input[type=url][aria-invalid=true]:focus').waitFor();
      await visitor.sees('URL must start with https://.');
      await visitor.sees('Step 1 of 3');
    };
    await expectRefusal('ftp://example.com/hook');
    await visitor.fill('URL', 'http://example.com/hook');
    await visitor.press('Next');
    await visitor.sees('Step 2 of 3');
    await visitor.visit(pathIn(tenant, '/destinations/new', 'live'));
    await expectRefusal('http://example.com/hook');
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('refuse an emptied number at its field instead of saving it as zero', async () => {
    const tenant = await running().service.tenant();
    const visitor = await running().member(tenant, '/settings?tab=settings');
    const { page } = visitor;
    const changes: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') changes.push(request.url());
    });
    const submitEmptied = async (label: string, button: string): Promise<void> => {
      const field = page.getByLabel(label, { exact: true });
      const before = await field.inputValue();
      await field.fill('');
      await visitor.press(button);
      await page.locator('input:invalid:focus').and(field).waitFor();
      await field.fill(before);
    };
    await submitEmptied('Days of grace', 'Save');
    await submitEmptied('Hours until a resolved ticket closes', 'Save');
    await visitor.visit(pathIn(tenant, '/motions/new'));
    await visitor.fill('Name', 'Spring offer');
    await submitEmptied('Held out, in percent', 'Create draft');
    expect(changes).toEqual([]);
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('return the focus to what opened them, however they are closed', async () => {
    const tenant = await running().service.tenant();
    const { id } = (await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' })).created;
    const visitor = await running().member(tenant, `/subscribers/${String(id)}`);
    const { page } = visitor;
    const expectFocus = (name: string): Promise<void> =>
      page.locator('button:focus', { hasText: name }).waitFor();
    const closings = [
      () => page.keyboard.press('Escape'),
      () => visitor.press('Cancel'),
      () => visitor.press('Close'),
    ];
    for (const close of closings) {
      await visitor.tabTo('Actions');
      await page.keyboard.press('Enter');
      await visitor.tabTo('Grant a credit …');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      for (let presses = 0; presses < 20; presses += 1) {
        await page.keyboard.press('Tab');
        const isBehind = await page.evaluate<boolean>(
          'document.activeElement !== document.body && !document.activeElement.closest("dialog")',
        );
        expect(isBehind).toBe(false);
      }
      await close();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expectFocus('Actions');
      await page.keyboard.press('Shift+Tab');
    }
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('[popover]:popover-open').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[popover]:popover-open').waitFor({ state: 'detached' });
    await expectFocus('Actions');
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it.each(['', '/subscribers', '/cohorts/new', '/replays/new', '/metrics/mrr'])(
    'show where the focus is at each step of the Tab key on the page "%s"',
    async (path) => {
      const tenant = await running().service.tenant();
      await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' });
      const visitor = await running().member(tenant, path);
      expect(await visitor.listUnseenFocus()).toEqual([]);
      await visitor.close();
    },
  );

  it('give the focus to the page if the button that opened them is gone', async () => {
    const tenant = await running().service.tenant();
    await makePlans(tenant);
    const { subscriberId } = await makePaying(tenant, 'ada@example.com');
    const visitor = await running().member(tenant, `/subscribers/${subscriberId}?tab=payments`);
    await visitor.press('Refund');
    await visitor.confirm('Refund $9.00');
    await visitor.page.locator('main:focus').waitFor();
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('open menus that arrow keys, Home and End move in, and give the focus back', async () => {
    const tenant = await running().service.tenant();
    const { id } = (await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' })).created;
    const visitor = await running().member(tenant, `/subscribers/${String(id)}`);
    const { page } = visitor;
    const expectFocus = (name: RegExp): Promise<void> =>
      page.locator(':is(a, button):focus', { hasText: name }).waitFor();
    for (const [opener, first, last] of [
      [/^Actions$/, /^Grant a credit …$/, /^Erase …$/],
      [/, change tenant$/, /./, /./],
      [/^.?Account of/, /^Sign out$/, /^Sign out$/],
    ] as const) {
      await page.getByRole('button', { name: opener }).focus();
      await page.keyboard.press('ArrowDown');
      await expectFocus(first);
      await page.keyboard.press('End');
      await expectFocus(last);
      await page.keyboard.press('ArrowDown');
      await expectFocus(first);
      await page.keyboard.press('ArrowUp');
      await expectFocus(last);
      await page.keyboard.press('Home');
      await expectFocus(first);
      await page.keyboard.press('Escape');
      await page.locator('[popover]:popover-open').waitFor({ state: 'detached' });
      await expectFocus(opener);
    }
    await page.getByRole('button', { name: /, change tenant$/ }).press('Enter');
    await page.locator('[popover]:popover-open a').first().press('Enter');
    await page.locator('[popover]:popover-open').waitFor({ state: 'detached' });
    await expectFocus(/, change tenant$/);
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('ask for the name of a live receiver before more than 10,000 events go to it', async () => {
    const tenant = await running().service.tenant('live');
    const body = { type: 'https_webhook', url: running().receiver.url, description: 'Billing' };
    await tenant.api.post('/v1/destinations', body);
    const visitor = await running().member(tenant);
    const { page } = visitor;
    await visitor.visit(pathIn(tenant, '/replays/new', 'live'));
    const begun: unknown[] = [];
    await page.route(/\/v1\/replay$/, async (route) => {
      const asked = route.request().postDataJSON() as { readonly dry_run?: boolean };
      if (asked.dry_run !== true) begun.push(asked);
      const counted = { estimated_event_count: 10_001, events_matched: 10_001, events_skipped: 0 };
      const json = { dry_run: true, ...counted, first_event: null, last_event: null };
      await route.fulfill({ json });
    });
    await visitor.choose('Destination', 'Billing');
    await visitor.press('Count the events');
    await visitor.press('Replay 10,001 events');
    const begin = page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true });
    expect(await begin.isDisabled()).toBe(true);
    await visitor.fill(/^Type Billing/, 'Billing');
    expect(begun).toEqual([]);
    await begin.click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(begun).toHaveLength(1);
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('say in words that no response came, and try again', async () => {
    const tenant = await running().service.tenant();
    const visitor = await running().member(tenant, '');
    const { page } = visitor;
    await page.route(/\/v1\/(plans|tickets)/, (route) => route.abort());
    for (const path of ['/tickets', '/cohorts/new', '/motions/new']) {
      await page.goto(`${running().service.url}${pathIn(tenant, path)}`);
      await visitor.sees('The service did not answer. Check your connection and try again.');
      expect(await page.getByText('There is no plan yet.').count()).toBe(0);
    }
    await page.unroute(/\/v1\/(plans|tickets)/);
    await visitor.press('Try again');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await visitor.close();
  });

  it('show a list by themselves as soon as the service answers again', async () => {
    const tenant = await running().service.tenant();
    await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' });
    const visitor = await running().member(tenant);
    const { page } = visitor;
    await page.clock.install();
    await page.route(/\/v1\/subscribers/, (route) => route.abort());
    await visitor.visit(pathIn(tenant, '/subscribers'));
    await visitor.sees('The service did not answer. Check your connection and try again.');
    await page.unroute(/\/v1\/subscribers/);
    await page.clock.fastForward(10_000);
    await page.getByRole('link', { name: 'ada@example.com' }).waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await visitor.close();
  });

  it('show a failure on the card of its metric, and load only that metric again', async () => {
    const tenant = await running().service.tenant();
    const visitor = await running().member(tenant, '', 'analyst');
    const { page } = visitor;
    await page.route(/\/v1\/metrics\//, (route) => route.abort());
    await page.goto(pathIn(tenant, '/metrics'));
    const name = 'Revenue per subscriber';
    const card = page.getByRole('alert').filter({ has: page.getByRole('link', { name }) });
    await card.getByText(/The service did not answer/).waitFor();
    const isBusy = page.waitForRequest(/\/v1\/metrics\/arpu/);
    await page.unroute(/\/v1\/metrics\//);
    await visitor.press(`Try ${name} again`);
    await isBusy;
    await page.getByRole('link', { name: /^Revenue per subscriber.*(now|count)/ }).waitFor();
    await card.waitFor({ state: 'detached' });
    await visitor.close();
  });
});
