import type { Browser } from 'playwright-core';
import { hasBrowser, startBrowser } from '../support/browser';
import { Receiver } from '../support/receiver';
import { Service } from '../support/service';
import { pathIn, Visitor, TASK_PATIENCE_MS } from './support/console';

const describeBrowser = hasBrowser('the forms and dialogs of the console')
  ? describe
  : describe.skip;

jest.setTimeout(TASK_PATIENCE_MS);

describeBrowser('the forms and dialogs of the console', () => {
  let service: Service;
  let browser: Browser;
  let receiver: Receiver;

  beforeAll(async () => {
    [service, browser, receiver] = await Promise.all([
      Service.start(),
      startBrowser(),
      Receiver.start(),
    ]);
  });

  afterAll(async () => {
    await browser.close();
    await receiver.close();
    await service.dispose();
  });

  it('keeps what was typed between the steps, and shows what is wrong at its field', async () => {
    const tenant = await service.tenant();
    await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' });
    const visitor = await Visitor.member(browser, service, {
      tenant,
      path: '/destinations/new',
      role: 'owner',
    });
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
    receiver.answerStatus(500);
    await visitor.fill('URL', receiver.url);
    await visitor.press('Next');
    await visitor.press('Create');
    await visitor.press('Send test now');
    await visitor.sees(/Your receiver answered 500 in .* counts as not delivered/);
    receiver.answerStatus(200);
    await visitor.visit(pathIn(tenant, '/settings?tab=audit'));
    await page.getByRole('row', { name: /destination.registered destination Billing/ }).waitFor();
    await visitor.close();
  });

  it('return the focus to what opened them, however they are closed', async () => {
    const tenant = await service.tenant();
    const { id } = (await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' })).created;
    const visitor = await Visitor.member(browser, service, {
      tenant,
      path: `/subscribers/${String(id)}`,
      role: 'owner',
    });
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
});
