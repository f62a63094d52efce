import { Receiver } from '../support/receiver';
import type { TestTenant } from '../support/service';
import { until } from '../support/until';
import { pathIn, type Visitor } from './support/console';
import { describeConsole } from './support/describe-console';
import { makePaying, makePlans } from './support/people';

/** The tasks of the person who connects the tenant's systems. TASKS.md lists all tasks. */
describeConsole('the tasks of a developer, with the role developer', (running) => {
  let tenant: TestTenant;
  let visitor: Visitor;
  /** A receiver that answers 503 until a test makes it well. */
  let broken: Receiver;

  const makeDestination = async (url: string, description: string): Promise<string> => {
    const body = { type: 'https_webhook', url, description };
    return String((await tenant.api.post('/v1/destinations', body)).created['id']);
  };

  beforeAll(async () => {
    tenant = await running().service.tenant();
    await makePlans(tenant);
    broken = await Receiver.start((_, response) => {
      response.statusCode = 503;
      response.end('the database is full');
    });
    await makeDestination(running().receiver.url, 'Warehouse');
    const brokenId = await makeDestination(broken.url, 'Old shop');
    await makePaying(tenant, 'ada@example.com');
    await until('a failed delivery', async () => {
      const { data } = await tenant.api.get(`/v1/destinations/${brokenId}/deliveries`);
      return data.find(({ status }) => status === 'failed');
    });
    visitor = await running().member(tenant, '', 'developer');
  });

  beforeEach(() => visitor.visit(pathIn(tenant, '')));

  afterEach(() => {
    expect(visitor.complaints.splice(0)).toEqual([]);
  });

  afterAll(async () => {
    await visitor.close();
    await broken.close();
  });

  const dialog = (): ReturnType<Visitor['card']> => visitor.page.getByRole('dialog');

  it('comes from an empty environment to the first webhook', async () => {
    const empty = await running().service.tenant();
    const newcomer = await running().member(empty, '', 'developer');
    await newcomer.fill('URL of your receiver', running().receiver.url);
    await newcomer.press('Add destination');
    await newcomer.press('Send a test event');
    await newcomer.sees('your receiver answered 200');
    await newcomer.close();
    expect(newcomer.complaints).toEqual([]);
  });

  it('adds a destination for some events, without personal data, and tries it', async () => {
    await visitor.goTo('Destinations');
    await visitor.press('New destination', 'link');
    await visitor.fill('URL', running().receiver.url);
    await visitor.fill('Description', 'Accounting');
    await visitor.press('Next');
    await visitor.page.getByRole('radio', { name: /Minimal/ }).check();
    await visitor.press('Create');
    await visitor.sees('This secret is shown once.');
    await visitor.press('Python');
    await visitor.press('Send test now');
    await visitor.sees(/Your receiver answered 200/);
  });

  it('begins again with the first step if the form is reloaded at the second', async () => {
    await visitor.goTo('Destinations');
    await visitor.press('New destination', 'link');
    await visitor.fill('URL', running().receiver.url);
    await visitor.press('Next');
    await visitor.page.getByRole('radio', { name: /Minimal/ }).waitFor();
    await visitor.page.reload();
    await visitor.page.getByLabel('URL', { exact: true }).pressSequentially('https://');
    await visitor.sees('Step 1 of 3');
    expect(await visitor.page.getByLabel('URL', { exact: true }).inputValue()).toBe('https://');
  });

  it('learns from the first page why a receiver fails, and tries one delivery again', async () => {
    const alert = visitor.page.getByRole('alert').filter({ hasText: 'Old shop' });
    await alert.getByText(/has been failing since/).waitFor();
    await alert.getByRole('link', { name: 'Look into it' }).click();
    await visitor.settle();
    await visitor.page.getByRole('link', { name: 'subscriber.created' }).first().click();
    await dialog().getByText('the database is full').first().waitFor();
    await dialog().getByText('503', { exact: true }).first().waitFor();
    broken.answer((_, response) => {
      response.end('ok');
    });
    await visitor.press('Try once now');
    // The message is above the panel, which lies above the page.
    const toasts = visitor.page.locator('.toasts:popover-open');
    await toasts.getByText('One attempt is made now.').waitFor();
    await dialog().getByText('delivered', { exact: true }).waitFor();
  });

  it('copies a delivery as cURL, to send it to a server of their own', async () => {
    await visitor.goTo('Deliveries');
    await visitor.page.getByRole('link', { name: 'subscriber.created' }).first().click();
    await dialog().getByText('As cURL, for your own server').click();
    await dialog()
      .getByLabel('cURL')
      .getByText(/webhook-signature/i)
      .waitFor();
  });

  it('lists many deliveries with one request for the names of the destinations', async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    await Promise.all(
      numbers.map((each) => tenant.api.post('/v1/subscribers', { email: `r${each}@example.com` })),
    );
    await until('the deliveries in the list', async () => {
      const { data } = await tenant.api.get('/v1/deliveries?limit=100');
      return data.length >= 20 || undefined;
    });
    let requests = 0;
    visitor.page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/v1/destinations') requests += 1;
    });
    await visitor.goTo('Deliveries');
    await visitor.page.getByRole('link', { name: 'Warehouse' }).nth(10).waitFor();
    await visitor.settle();
    expect(requests).toBe(1);
  });

  it('lists what failed with 503 at all destinations, and shares the address of the list', async () => {
    await visitor.goTo('Deliveries');
    await visitor.fill('Status code, such as 503', '503');
    await visitor.press('Find');
    await visitor.page.waitForURL(/status_code=503/);
    const colleague = await running().member(tenant, '', 'developer');
    await colleague.page.goto(visitor.page.url());
    await colleague.settle();
    const rows = colleague.page.getByRole('region', { name: 'Deliveries' }).getByRole('row');
    await rows.nth(1).waitFor();
    expect(await rows.filter({ hasText: 'Warehouse' }).count()).toBe(0);
    await colleague.close();
    expect(colleague.complaints).toEqual([]);
  });

  it('lists only what one destination answered with 503, or with 200', async () => {
    await visitor.goTo('Destinations');
    await visitor.press('Old shop', 'link');
    const tabs = visitor.page.getByRole('navigation', { name: 'About this destination' });
    await tabs.getByRole('link', { name: 'Deliveries' }).click();
    const rows = visitor.page.getByRole('region', { name: 'Deliveries' }).locator('tbody tr');
    for (const [code, other] of [
      ['503', '200'],
      ['200', '503'],
    ] as const) {
      await visitor.fill('Status code, such as 503', code);
      await visitor.press('Find');
      await visitor.page.waitForURL(new RegExp(`/destinations/.*status_code=${code}`));
      await rows.filter({ hasText: other }).first().waitFor({ state: 'detached' });
      await rows.filter({ hasText: code }).first().waitFor();
    }
  });

  it('sees who asked for an event, and what it became at each destination', async () => {
    await visitor.goTo('Events');
    await visitor.fill(/^Types, such as/, 'payment.*');
    await visitor.press('Find');
    await visitor.press('payment.succeeded', 'link');
    const deliveries = visitor.page.getByRole('region', { name: 'Deliveries of this event' });
    await deliveries.getByRole('row', { name: /Warehouse .*delivered/ }).waitFor();
    await deliveries.getByRole('row', { name: /Old shop/ }).waitFor();
    await visitor.card('Who asked for it').getByText('API key').waitFor();
    await visitor.press('Minimal');
    await visitor.page.waitForURL(/mode=minimal/);
    expect(await visitor.card('Envelope').getByText('ada@example.com').count()).toBe(0);
  });

  it('delivers an event again from its page, and is told what the receiver answered', async () => {
    await makeDestination(running().receiver.url, 'Newcomer');
    await visitor.goTo('Events');
    await visitor.fill(/^Types, such as/, 'payment.*');
    await visitor.press('Find');
    await visitor.press('payment.succeeded', 'link');
    const deliveries = visitor.page.getByRole('region', { name: 'Deliveries of this event' });
    const newcomer = deliveries.getByRole('row', { name: /Newcomer .*before destination/ });
    await newcomer.getByText(/younger/).waitFor();
    expect(await newcomer.getByRole('button').count()).toBe(0);
    for (const [status, text] of [
      [500, /Your receiver answered 500 in .* counts as not delivered/],
      [200, /Your receiver answered 200 in .*\.$/],
    ] as const) {
      running().receiver.answerStatus(status);
      await visitor.press('Deliver again to Warehouse');
      await visitor.confirm('Deliver again');
      await dialog().getByText(text).waitFor();
      await visitor.press('Close');
    }
    await deliveries.getByRole('row', { name: /Warehouse .*delivered 3/ }).waitFor();
    const viewer = await running().member(tenant, '', 'viewer');
    await viewer.page.goto(visitor.page.url());
    await viewer.page.getByRole('row', { name: /Warehouse .*delivered/ }).waitFor();
    expect(await viewer.page.getByRole('button', { name: /^Deliver again/ }).count()).toBe(0);
    await viewer.close();
    expect(viewer.complaints).toEqual([]);
  });

  it('sends the past week again to one destination, after seeing how many events that is', async () => {
    await visitor.goTo('Replays');
    await visitor.page.getByRole('link', { name: 'New replay' }).first().click();
    await visitor.choose('Destination', 'Warehouse');
    await visitor.press('30 days');
    await visitor.page.getByLabel('Begin of the window').press('ArrowLeft');
    await visitor.page.getByLabel(/^All types/).uncheck();
    await visitor.page.getByLabel('payment.*').check();
    await visitor.choose('Events that were delivered before', 'Send all again');
    const from = await visitor.page.getByLabel('From (UTC)').inputValue();
    await visitor.page.reload();
    expect(await visitor.page.getByLabel('From (UTC)').inputValue()).toBe(from);
    await visitor.press('Count the events');
    await visitor.press(/^Replay \d+ events?$/);
    const details = visitor.card('Details');
    for (const choice of ['Warehouse', 'payment.*', 'sent again']) {
      await details.getByText(choice, { exact: true }).waitFor();
    }
    await visitor.sees('completed');
    await visitor.page.getByText('Nothing failed').waitFor();
  });

  it('looks up the fields of an event and sends one in test', async () => {
    await visitor.goTo('Event catalogue');
    await visitor.fill('Search event types', 'ticket');
    await visitor.press('ticket.submitted');
    await visitor.page.reload();
    expect(await visitor.page.getByLabel('Search event types').inputValue()).toBe('ticket');
    await visitor.card('Fields of data').getByText('actor', { exact: true }).waitFor();
    await visitor.press('Send one in test');
    await visitor.sees('Sent ticket.submitted to every destination that asks for it.');
    await running().receiver.next('ticket.submitted');
  });

  it('rotates a signing secret and sees how long the old one is valid', async () => {
    await visitor.goTo('Destinations');
    await visitor.press('Warehouse', 'link');
    await visitor.press('Settings', 'link');
    await visitor.press('Rotate …');
    await visitor.fill(/^Type Warehouse/, 'Warehouse');
    await visitor.confirm('Rotate');
    await visitor.sees('The new secret is shown this once.');
    await visitor.sees(/The old one ends in 2[34] h/);
  });

  it('makes an API key that only reads, rotates it and revokes it', async () => {
    await visitor.goTo('API keys');
    await visitor.press('New key');
    await visitor.fill('Name', 'reports');
    await visitor.choose('Scopes', 'Read only');
    await visitor.press('Create key');
    const key = await dialog().locator('code').first().innerText();
    const api = running().service.createApi(key);
    (await api.get('/v1/plans')).expect(200);
    (await api.post('/v1/subscribers', { email: 'no@example.com' })).expect(403);
    await visitor.press('Done');
    await visitor.press('Rotate reports');
    await visitor.choose('The old key ends', 'At once');
    await visitor.fill('Type reports to confirm', 'reports');
    await visitor.press('Rotate');
    await visitor.press('Done');
    await until('the old key is refused', async () => {
      const { status } = await api.get('/v1/plans');
      return status === 401 ? status : undefined;
    });
    await visitor.press('Revoke reports');
    await visitor.fill(/^Type reports/, 'reports');
    await visitor.press('Revoke');
    await visitor.sees('The key is revoked.');
  });

  it('takes the API call behind a page, as cURL and as SDK code', async () => {
    await visitor.goTo('Subscribers');
    await visitor.press('Show the API call behind this page');
    await visitor.page
      .getByLabel('API call')
      .getByText(/^curl '.*\/v1\/subscribers'/)
      .waitFor();
    await visitor.press('SDK');
    await visitor.page
      .getByLabel('API call')
      .getByText(/service\.subscribers\.list/)
      .waitFor();
  });

  it('finds on each tab the API call of that tab', async () => {
    const { subscriberId } = await makePaying(tenant, 'tabs@example.com');
    const readCall = async (tab: string): Promise<string> => {
      const about = visitor.page.getByRole('navigation', { name: /^About this/ });
      await about.getByRole('link', { name: tab, exact: true }).click();
      await about.locator('[aria-current]', { hasText: tab }).waitFor();
      await visitor.press('Show the API call behind this page');
      const text = await visitor.page.getByLabel('API call', { exact: true }).innerText();
      await visitor.page.keyboard.press('Escape');
      return text.split('\n')[0] ?? '';
    };
    const readCalls = async (tabs: readonly string[]): Promise<string[]> => {
      const calls: string[] = [];
      for (const tab of tabs) calls.push(await readCall(tab));
      return calls;
    };
    await visitor.goTo('Destinations');
    await visitor.press('Warehouse', 'link');
    await visitor.settle();
    expect(await readCalls(['Overview', 'Deliveries', 'Settings'])).toEqual([
      expect.stringMatching(/^curl '.*\/v1\/destinations\/dest_\w+'/),
      expect.stringMatching(/^curl '.*\/v1\/deliveries\?destination_id=dest_\w+'/),
      expect.stringMatching(/^curl -X PATCH '.*\/v1\/destinations\/dest_\w+'/),
    ]);
    await visitor.find(subscriberId);
    await visitor.settle();
    const asked = `subscriber_id=${subscriberId}'`;
    const tabs = ['Timeline', 'Subscriptions', 'Payments', 'Tickets', 'Credits', 'At an instant'];
    expect(await readCalls(tabs)).toEqual([
      expect.stringContaining(`/v1/subscribers/${subscriberId}/timeline'`),
      expect.stringContaining(`/v1/subscriptions?${asked}`),
      expect.stringContaining(`/v1/payments?${asked}`),
      expect.stringContaining(`/v1/tickets?${asked}`),
      expect.stringContaining(`/v1/subscribers/${subscriberId}/credits'`),
      expect.stringMatching(/\/v1\/subscribers\/\w+\?at=2[^']+'/),
    ]);
  });

  it('reads live deliveries without the personal data in them', async () => {
    const issue = { name: 'live', environment: 'live' };
    const keys = `/operator/v1/tenants/${tenant.id}/api-keys`;
    const { key } = (await running().service.operator.post(keys, issue)).created;
    const live = running().service.createApi(String(key));
    (await live.post('/v1/subscribers', { email: 'secret@example.com' })).expect(201);
    await visitor.press('Live', 'link');
    await visitor.page.waitForURL(/\/live/);
    await visitor.goTo('Events');
    await visitor.press('subscriber.created', 'link');
    await visitor.card('Envelope').getByText('"subscriber.created"').waitFor();
    expect(await visitor.page.getByText('secret@example.com').count()).toBe(0);
  });
});
