import { linkFor } from './support/console';
import { describeConsole } from './support/describe-console';

/** The most that a newcomer may need, from the link in the start-up lines to the first webhook. */
const CLICKS_MAX = 5;

describeConsole('the way to the first webhook', (running) => {
  it(`takes at most ${CLICKS_MAX} clicks on an empty installation`, async () => {
    const visitor = await running().open();
    await visitor.signIn(await linkFor(running().service));
    await visitor.fill('Name of the company', 'Acme Magazine');
    await visitor.press('Create and open its dashboard');
    await visitor.fill('URL of your receiver', running().receiver.url);
    await visitor.press('Add destination');
    await visitor.press('Send a test event');
    await visitor.sees('your receiver answered 200');
    const { event } = await running().receiver.next('subscriber.created');
    expect(event.type).toBe('subscriber.created');
    expect(visitor.clicks).toBeLessThanOrEqual(CLICKS_MAX);
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it('needs no mouse', async () => {
    const visitor = await running().operator();
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
    await type('URL of your receiver', running().receiver.url);
    await visitor.sees('The signing secret is shown once.');
    await press('Send a test event');
    await visitor.sees('your receiver answered 200');
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });
});
