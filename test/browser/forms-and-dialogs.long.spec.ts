import type { Browser } from 'playwright-core';
import { hasBrowser, startBrowser } from '../support/browser';
import { Receiver } from '../support/receiver';
import { Service } from '../support/service';
import { Visitor, TASK_PATIENCE_MS } from './support/console';

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
    await visitor.close();
  });
});
