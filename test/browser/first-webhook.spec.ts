import type { Browser } from 'playwright-core';
import { hasBrowser, startBrowser } from '../support/browser';
import { Receiver } from '../support/receiver';
import { Service } from '../support/service';
import { linkFor, Visitor, TASK_PATIENCE_MS } from './support/console';

/** The most that a newcomer may need, from the link in the start-up lines to the first webhook. */
const CLICKS_MAX = 5;

const describeBrowser = hasBrowser('the way to the first webhook') ? describe : describe.skip;

jest.setTimeout(TASK_PATIENCE_MS);

describeBrowser('the way to the first webhook', () => {
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

  it(`takes at most ${CLICKS_MAX} clicks on an empty installation`, async () => {
    const visitor = await Visitor.open(browser, service);
    await visitor.signIn(await linkFor(service));
    await visitor.fill('Name of the company', 'Acme Magazine');
    await visitor.press('Create and open its dashboard');
    await visitor.fill('URL of your receiver', receiver.url);
    await visitor.press('Add destination');
    await visitor.press('Send a test event');
    await visitor.sees('your receiver answered 200');
    const { event } = await receiver.next('subscriber.created');
    expect(event.type).toBe('subscriber.created');
    expect(visitor.clicks).toBeLessThanOrEqual(CLICKS_MAX);
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it('needs no mouse', async () => {
    const visitor = await Visitor.open(browser, service);
    await visitor.signIn(await linkFor(service));
    const { page } = visitor;
    const press = async (name: string): Promise<void> => {
      await visitor.tabTo(name);
      await page.keyboard.press('Enter');
    };
    const type = async (label: string, text: string): Promise<void> => {
      await visitor.tabTo(label);
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    };
    await press('New tenant');
    await page.getByRole('dialog').waitFor();
    await type('Name of the company', 'Beta Books');
    await page.getByRole('heading', { name: 'Beta Books' }).waitFor();
    await press('Open its dashboard …');
    await page.getByRole('dialog').waitFor();
    await press('Open here');
    await page.getByLabel('URL of your receiver').waitFor();
    await type('URL of your receiver', receiver.url);
    await visitor.sees('The signing secret is shown once.');
    await press('Send a test event');
    await visitor.sees('your receiver answered 200');
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });
});
