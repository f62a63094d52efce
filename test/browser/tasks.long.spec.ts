import type { TestTenant } from '../support/service';
import { pathIn, type Visitor } from './support/console';
import { describeConsole } from './support/describe-console';
import { makePaying, makePlans, storyOf } from './support/people';

/** The tasks of the people who serve subscribers. TASKS.md lists all tasks. */
describeConsole('the tasks of a support person, with the role support', (running) => {
  let tenant: TestTenant;
  let visitor: Visitor;

  beforeAll(async () => {
    tenant = await running().service.tenant();
    await makePlans(tenant);
    visitor = await running().member(tenant, '', 'support');
  });

  beforeEach(() => visitor.visit(pathIn(tenant, '')));

  afterEach(() => {
    expect(visitor.complaints.splice(0)).toEqual([]);
  });

  afterAll(() => visitor.close());

  /** Opens a subscriber as somebody who has only an address. */
  const open = async (email: string): Promise<void> => {
    await visitor.find(email);
    // The page of the search has the address in its heading too.
    const heading = { level: 1, name: email.toLowerCase(), exact: true };
    await visitor.page.getByRole('heading', heading).waitFor();
    await visitor.settle();
  };

  const act = async (name: string): Promise<void> => {
    await visitor.press('Actions');
    await visitor.press(name);
  };

  /** A subscriber with an active subscription, opened. */
  const openPaying = async (email: string): Promise<void> => {
    await makePaying(tenant, email);
    await open(email);
  };

  it('finds a subscriber by an id that somebody pasted', async () => {
    const { subscriberId } = await makePaying(tenant, 'pasted@example.com');
    await visitor.find(` ${subscriberId} `);
    await visitor.page.getByRole('heading', { name: 'pasted@example.com' }).waitFor();
  });

  it('finds the subscriber of a payment by the id of the payment', async () => {
    const { paymentId } = await makePaying(tenant, 'payer@example.com');
    await visitor.find(paymentId);
    await visitor.page.getByRole('heading', { name: 'payer@example.com' }).waitFor();
    await visitor.page.getByRole('region', { name: 'Payments' }).waitFor();
  });

  it('finds a subscriber by an e-mail address in capitals', async () => {
    await makePaying(tenant, 'loud@example.com');
    await open('LOUD@EXAMPLE.COM');
  });

  it('sees what happened to a subscriber, who caused it, and what was sent about it', async () => {
    await openPaying('curious@example.com');
    const item = visitor.page.getByRole('listitem').filter({ hasText: 'Payment succeeded' });
    await item.getByText('$9.00').waitFor();
    await item.getByText(/^api/).waitFor();
    await item.getByText('Payment succeeded').click();
    await item.getByRole('link', { name: 'Open the event and its deliveries' }).click();
    await visitor.page.getByRole('heading', { level: 1, name: 'payment.succeeded' }).waitFor();
    await visitor.settle();
    await visitor.press('curious@example.com', 'link');
    await visitor.page.getByRole('heading', { name: 'curious@example.com' }).waitFor();
  });

  it('sees why a payment failed, and what a ticket is about', async () => {
    const subscriberId = await storyOf(tenant, 'dunning_lost');
    const ticket = { subscriber_id: subscriberId, topic: 'payment_issue', subject: 'My card' };
    (await tenant.api.post('/v1/tickets', ticket)).expect(201);
    await visitor.find(subscriberId);
    const item = visitor.page.getByRole('listitem').filter({ hasText: 'Payment failed' }).last();
    await item.locator('summary', { hasText: 'The card has insufficient funds.' }).waitFor();
    await visitor.sees(/Ticket submitted\s+· payment issue/);
    await visitor.press('Payments', 'link');
    const row = visitor.page.getByRole('row').filter({ hasText: 'failed' });
    await row.getByText('The card has insufficient funds.').waitFor();
  });

  it('sees all tags of a subscriber', async () => {
    const tags = ['vip', 'newsletter', 'print', 'student', 'abroad'];
    const subscriber = { email: 'tagged@example.com', tags };
    (await tenant.api.post('/v1/subscribers', subscriber)).expect(201);
    await open('tagged@example.com');
    expect(await visitor.card('Details').locator('.tag').allInnerTexts()).toEqual(tags);
  });

  it('lists everybody whose payment is past due', async () => {
    const late = { type: 'subscription.past_due' };
    const made = (await tenant.api.post('/v1/test_helpers/events', late)).created;
    const { id } = made['subscriber'] as { id: string };
    await visitor.goTo('Home');
    await visitor.press('All past due subscribers', 'link');
    await visitor.page.waitForURL(/payment_state=past_due/);
    const list = visitor.page.getByRole('region', { name: 'Subscribers' });
    const link = list.getByRole('row').nth(1).getByRole('link').first();
    expect(await link.getAttribute('href')).toBe(pathIn(tenant, `/subscribers/${id}`));
    expect(await list.getByRole('row').count()).toBe(2);
    await list.getByText('past due', { exact: true }).waitFor();
    await visitor.choose('Payment state', 'Any payment state');
    await list.getByRole('row').nth(2).waitFor();
  });

  it('sees on the first page which tickets are open and which payments failed', async () => {
    const failed = { type: 'payment.failed' };
    const made = (await tenant.api.post('/v1/test_helpers/events', failed)).created;
    const { id } = made['subscriber'] as { id: string };
    const ticket = { subscriber_id: id, topic: 'other', subject: 'Why 20 dollars?' };
    (await tenant.api.post('/v1/tickets', ticket)).expect(201);
    await visitor.goTo('Home');
    await visitor.card('Open tickets').getByRole('link', { name: 'Why 20 dollars?' }).waitFor();
    const payments = visitor.card('Failed payments of the last 7 days');
    await payments.locator(`a[href$="/subscribers/${id}"]`).waitFor();
    await payments.getByRole('link', { name: /^All failed payments/ }).click();
    await visitor.page.waitForURL(/event_types=payment.failed&created_after=/);
    await visitor.page.getByRole('link', { name: 'payment.failed' }).first().waitFor();
  });

  it('sees what was true of a subscriber weeks ago', async () => {
    const subscriberId = await storyOf(tenant, 'dunning_lost');
    await visitor.find(subscriberId);
    await visitor.press('At an instant', 'link');
    const state = visitor.card('State at an instant');
    const slider = visitor.page.getByRole('slider', { name: 'Instant' });
    await slider.press('Home');
    const seen = new Set<string>();
    for (let step = 0; step < 10; step += 1) {
      const answer = visitor.page.waitForResponse(/\/subscribers\/[^/]+\?at=/);
      await Promise.all([answer, slider.press('PageUp')]);
      await visitor.settle();
      for (const badge of await state.locator('.badge').allInnerTexts()) seen.add(badge.trim());
    }
    expect([...seen]).toEqual(expect.arrayContaining(['active', 'past due', 'lapsed']));
    const chosen = `${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}T14:00:05`;
    await visitor.fill('Date and time', chosen);
    await state.getByText(/, 2:00:05 PM/).waitFor();
    await visitor.page.waitForURL(
      (url) => url.searchParams.get('at') === new Date(chosen).toISOString(),
    );
  });

  it('moves a subscriber to another plan after seeing what it costs', async () => {
    await openPaying('mover@example.com');
    await act('Change plan …');
    await visitor.choose('New plan', 'Pro (pro), $20.00 a month');
    const lines = visitor.page.getByRole('dialog').getByRole('row');
    await lines.filter({ hasText: 'The new plan' }).getByText(/\$/).waitFor();
    await lines.filter({ hasText: 'Difference at the renewal' }).getByText(/\$/).waitFor();
    await visitor.sees(/The price is then \$20\.00 a month\.$/);
    await visitor.confirm('Change the plan');
    await visitor.sees('The plan is changed.');
    await visitor.page.getByText('Pro', { exact: true }).waitFor();
  });

  it('pauses and resumes a subscription', async () => {
    await openPaying('traveller@example.com');
    await act('Pause …');
    await visitor.choose('When', 'Now');
    await visitor.confirm('Pause');
    await visitor.sees('The subscription is paused.');
    await act('Resume');
    await visitor.sees('The subscription is resumed.');
  });

  it('sees when a pause ends', async () => {
    await openPaying('returning@example.com');
    await act('Pause …');
    await visitor.choose('When', 'Now');
    const end = new Date(Date.now() + 10.5 * 86_400_000).toISOString().slice(0, 10);
    await visitor.fill('Resume on (UTC)', end);
    await visitor.confirm('Pause');
    await visitor.page.getByText('Resumes', { exact: true }).waitFor();
    await visitor.press('Subscriptions', 'link');
    const row = visitor.page.getByRole('region', { name: 'Subscriptions' }).getByRole('row');
    await row.getByText(/^resumes in \d+ days$/).waitFor();
    await visitor.press('At an instant', 'link');
    await visitor.card('State at an instant').getByText('Resumes', { exact: true }).waitFor();
  });

  it('reactivates a subscription after reading what it costs', async () => {
    await openPaying('again@example.com');
    await act('Cancel …');
    await visitor.confirm('Keep the subscription');
    await act('Cancel …');
    await visitor.choose('When', 'Now');
    await visitor.confirm('Cancel the subscription');
    await visitor.sees('The subscription is cancelled.');
    await act('Reactivate …');
    await visitor.sees(
      /A new period of Basic begins, and its price, \$9\.00 a month, is charged now/,
    );
    await visitor.confirm('Reactivate for $9.00');
    await visitor.sees('The subscription is active again.');
    await visitor.sees('Subscription reactivated');
    const item = visitor.page.getByRole('listitem').filter({ hasText: 'Subscription cancelled' });
    await item.getByText('· on request').waitFor();
  });

  it('pays the open amount of a period when a lapsed subscription is reactivated', async () => {
    const { api } = tenant;
    const subscriberId = await storyOf(tenant, 'dunning_lost');
    const { data } = await api.get(`/v1/payments?subscriber_id=${subscriberId}`);
    const failed = data.find(({ status }) => status === 'failed');
    const isOpen = Date.parse(String(failed?.['period_end'])) > Date.now();
    await visitor.find(subscriberId);
    await visitor.page.getByRole('link', { name: 'Subscriptions' }).waitFor();
    await visitor.settle();
    await act('Reactivate …');
    await visitor.sees(isOpen ? /^The period goes on, and its open payment/ : /^A new period/);
    await visitor.confirm('Cancel');
  });

  it('refunds a part of a payment, and is told the limit of the role before more is sent', async () => {
    const owner = await running().service.signedIn({ tenant_id: tenant.id, role: 'owner' });
    const settings = { support_refund_limit: 500 };
    (await owner.patch('/console/v1/settings', { settings })).expect(200);
    await openPaying('unhappy@example.com');
    await visitor.press('Payments', 'link');
    await visitor.press('Refund');
    await visitor.sees('by your role $5.00 in all');
    await visitor.fill('Amount in USD', '6.00');
    await visitor.sees('Enter an amount up to $5.00.');
    await visitor.fill('Amount in USD', '2.50');
    await visitor.fill('Note for your team', 'Came late.');
    await visitor.confirm('Refund $2.50');
    await visitor.sees('The refund is under way.');
    await visitor.page.getByRole('row').getByText('$2.50').waitFor();
    await visitor.press('Timeline', 'link');
    await visitor.page.locator('summary', { hasText: 'Payment refunded $2.50' }).click();
    await visitor.sees(/^Came late\.$/);
  });

  it('grants a credit and sees what is left of it', async () => {
    const tokyo = { name: 'Tokyo', amount: 900, currency: 'JPY', interval: 'month' };
    await tenant.api.put('/v1/plans/tokyo', tokyo);
    await openPaying('patient@example.com');
    await act('Grant a credit …');
    await visitor.choose('Currency', 'JPY');
    await visitor.sees(/^This subscriber pays in USD/);
    await visitor.fill('Amount', '4.50');
    await visitor.sees('Enter an amount such as 5.');
    await visitor.choose('Currency', 'USD');
    await visitor.fill('Amount', '999999999999');
    await visitor.sees('Enter an amount up to $1,000,000,000.00.');
    await visitor.fill('Amount', '5.00');
    await visitor.fill('Note for your team', 'Waited for weeks.');
    await visitor.confirm('Grant');
    await visitor.sees('The credit is granted.');
    await visitor.press('Credits', 'link');
    const credits = visitor.page.getByRole('region', { name: 'Credits' });
    await credits.getByText('$5.00').first().waitFor();
    await credits.getByText('Waited for weeks.').waitFor();
  });

  it('cancels a subscription with the reason, and takes the cancellation back', async () => {
    await openPaying('undecided@example.com');
    await act('Cancel …');
    await visitor.choose('What the subscriber says', 'Too expensive');
    await visitor.fill('Comment', 'I read less.');
    await visitor.confirm('Cancel the subscription');
    await visitor.sees('The cancellation is scheduled.');
    await visitor.page.getByText('Cancels', { exact: true }).waitFor();
    await visitor.page.locator('summary', { hasText: 'cancellation scheduled' }).click();
    await visitor.sees(/^I read less\.$/);
    await act('Keep (undo the cancellation)');
    await visitor.sees('The cancellation is taken back.');
    await visitor.page.getByText('Period ends', { exact: true }).waitFor();
  });

  it('triggers a motion for a subscriber who wants to leave', async () => {
    const body = { name: 'Stay a while', kind: 'announcement', holdout_percent: 0 };
    const { id } = (await tenant.api.post('/v1/motions', body)).created;
    (await tenant.api.post(`/v1/motions/${String(id)}/activate`)).expect(200);
    await openPaying('leaving@example.com');
    await act('Trigger a motion …');
    await visitor.choose('Motion', 'Stay a while');
    await visitor.confirm('Trigger');
    await visitor.sees('The motion is triggered.');
    await visitor.sees('Motion triggered');
    await act('Trigger a motion …');
    await visitor.choose('Motion', 'Stay a while');
    await visitor.confirm('Trigger');
    await visitor.sees(/cooldown, which ends at [A-Z][a-z]+ \d+, \d{4}, [\d:]+ [AP]M/);
    await visitor.confirm('Cancel');
    expect(visitor.complaints.splice(0)).toEqual([expect.stringContaining('status of 422')]);
  });

  it('answers a ticket from the inbox, opens it again and closes it', async () => {
    const { subscriberId } = await makePaying(tenant, 'asker@example.com');
    const ticket = { subscriber_id: subscriberId, topic: 'other', subject: 'Where is my copy?' };
    await tenant.api.post('/v1/tickets', { ...ticket, body: 'It did not come.' });
    await visitor.goTo('Tickets');
    await visitor.press('Where is my copy?', 'link');
    await visitor.sees('It did not come.');
    await visitor.page.getByRole('link', { name: 'asker@example.com' }).waitFor();
    await visitor.press('Resolve …');
    await visitor.fill('What was done', 'Sent again.');
    await visitor.confirm('Resolve');
    await visitor.sees('Sent again.');
    await visitor.press('Reopen');
    await visitor.press('Close …');
    await visitor.sees('A closed ticket cannot be opened again.');
    await visitor.confirm('Close the ticket');
    await visitor.page.getByText('closed', { exact: true }).waitFor();
  });

  it('erases a subscriber who asks for it', async () => {
    await openPaying('goodbye@example.com');
    await act('Erase …');
    await visitor.fill(/^Type goodbye@example.com/, 'goodbye@example.com');
    await visitor.confirm('Erase for good');
    await visitor.sees('The subscriber is erased.');
    await visitor.find('goodbye@example.com');
    await visitor.sees('Nothing has this id or address');
  });
});
