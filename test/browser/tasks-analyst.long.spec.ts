import type { TestTenant } from '../support/service';
import { pathIn, type Visitor } from './support/console';
import { describeConsole } from './support/describe-console';
import { makePaying, makePlans, storyOf } from './support/people';

/** The tasks of the people who read numbers. TASKS.md lists all tasks. */
describeConsole('the tasks of an analyst, with the role analyst', (running) => {
  let tenant: TestTenant;
  let visitor: Visitor;

  beforeAll(async () => {
    tenant = await running().service.tenant();
    const { api } = tenant;
    await makePlans(tenant);
    await makePaying(tenant, 'ada@example.com');
    await storyOf(tenant, 'cancel_save');
    const cohort = { name: 'Active readers', definition: { status: ['active'] } };
    const { id } = (await api.post('/v1/cohorts', cohort)).created;
    const motion = { name: 'Spring letter', kind: 'announcement', cohort_ids: [id] };
    const made = (await api.post('/v1/motions', { ...motion, holdout_percent: 20 })).created;
    (await api.post(`/v1/motions/${String(made['id'])}/activate`)).expect(200);
    visitor = await running().member(tenant, '', 'analyst');
  });

  afterEach(() => {
    expect(visitor.complaints.splice(0)).toEqual([]);
  });

  afterAll(() => visitor.close());

  /** Opens a metric from the page of all metrics. */
  const open = async (title: string): Promise<void> => {
    await visitor.goTo('Metrics');
    await visitor.press(new RegExp(`^${title}`), 'link');
    await visitor.page.getByRole('heading', { level: 1, name: title }).waitFor();
    await visitor.settle();
  };

  it('sees the main metrics on the first page', async () => {
    await visitor.goTo('Home');
    for (const title of ['Monthly recurring revenue', 'Subscriber churn'])
      await visitor.page.getByRole('img', { name: `${title} over the window` }).waitFor();
    await visitor.press(/^Active subscribers/, 'link');
    await visitor.page.waitForURL(/\/metrics\/active_subscribers/);
  });

  it('sees the revenue of today and how it changed', async () => {
    await visitor.goTo('Metrics');
    const revenue = visitor.page.getByRole('link', { name: /^Monthly recurring revenue/ });
    await revenue.getByText(/^\$\d/).waitFor();
    await visitor.page.getByRole('img', { name: /^Monthly recurring revenue over time/ }).waitFor();
    await visitor.page.getByRole('link', { name: /^MRR movements/ }).waitFor();
  });

  it('compares a time window with the one before, and keeps the comparison in the address', async () => {
    await open('Monthly recurring revenue');
    await visitor.choose('Window', 'Last 7 days');
    await visitor.page.waitForURL(/window=last_7d/);
    await visitor.page.getByLabel('Comparison').waitFor();
    await visitor.page.getByText('The period before', { exact: true }).waitFor();
  });

  it('counts one plan alone, in days of another time zone', async () => {
    await open('Monthly recurring revenue');
    await visitor.choose('Plan', 'Pro');
    await visitor.page.waitForURL(/plan=pro/);
    await visitor.choose('Time zone', 'Asia/Tokyo');
    await visitor.page.waitForURL(/timezone=Asia%2FTokyo/);
    await visitor.page.locator('dl.stat dd').first().getByText('$0.00').waitFor();
  });

  it('sees amounts of another currency, of all plans and of one', async () => {
    const { api } = tenant;
    const price = { name: 'Euro', amount: 1_100, currency: 'EUR', interval: 'month' };
    (await api.put('/v1/plans/euro', price)).expect(200);
    const { id } = (await api.post('/v1/subscribers', { email: 'euro@example.com' })).created;
    const body = { subscriber_id: id, plan: 'euro', payment_method: 'pm_test_ok' };
    (await api.post('/v1/subscriptions', body)).expect(201);
    await visitor.page.reload();
    await visitor.goTo('Metrics');
    await visitor.choose('Currency', 'Amounts in EUR');
    await visitor.page.waitForURL(/currency=EUR/);
    const revenue = visitor.page.getByRole('link', { name: /^Monthly recurring revenue/ });
    await revenue.getByText('€11.00').waitFor();
    await revenue.click();
    await visitor.page.locator('dl.stat dd').first().getByText('€11.00').waitFor();
    await visitor.choose('Currency', 'Amounts in USD');
    await visitor.page.locator('dl.stat dd').first().getByText('$').waitFor();
    await visitor.choose('Plan', 'Euro');
    await visitor.page.locator('dl.stat dd').first().getByText('€11.00').waitFor();
  });

  it('corrects the id of a plan that does not exist', async () => {
    await visitor.visit(pathIn(tenant, '/metrics/mrr?plan=nothing'));
    await visitor.page.getByRole('alert').waitFor();
    await visitor.page.getByRole('option', { name: 'nothing' }).waitFor({ state: 'attached' });
    await visitor.choose('Plan', 'Pro');
    await visitor.page.getByRole('alert').waitFor({ state: 'detached' });
    await visitor.settle();
    // The browser itself reports the refusal.
    expect(visitor.complaints.splice(0).join()).toMatch(/^[^,]*status of 404[^,]*$/);
  });

  it('reads how a number is counted, and what is left out', async () => {
    await open('Monthly recurring revenue');
    const card = visitor.card('How it is counted');
    await card.getByText(/^Version \d+ of the definition/).waitFor();
    await card.getByRole('heading', { name: 'Left out' }).waitFor();
  });

  it('downloads the numbers as CSV and the plot as PNG', async () => {
    await open('Monthly recurring revenue');
    expect([await visitor.save('CSV'), await visitor.save('PNG')]).toEqual(['mrr.csv', 'mrr.png']);
  });

  it('sees the retention of the subscribers of each month', async () => {
    await visitor.goTo('Metrics');
    const triangle = visitor.page.getByRole('region', { name: 'Retention by month' });
    await triangle.last().getByText('100 %').first().waitFor();
  });

  it('sees the retention of one cohort', async () => {
    await visitor.goTo('Metrics');
    await visitor.choose('Cohort', 'Active readers');
    await visitor.page.waitForURL(/cohort_id=/);
    await visitor.settle();
    await visitor.page.getByRole('region', { name: 'Retention by month' }).first().waitFor();
  });

  it('sees who belongs to a cohort, without personal data', async () => {
    await visitor.goTo('Cohorts');
    await visitor.press('Active readers', 'link');
    await visitor.page
      .getByRole('region', { name: 'Members' })
      .getByText(/^subscriber_/)
      .first()
      .waitFor();
    expect(await visitor.page.getByText('@example.com').count()).toBe(0);
    expect(await visitor.page.getByRole('button', { name: 'Delete …' }).count()).toBe(0);
  });

  it('compares the result of a motion with its holdout', async () => {
    await visitor.goTo('Motions');
    await visitor.press('Spring letter', 'link');
    await visitor.page.getByText('Lift', { exact: true }).waitFor();
    await visitor.sees(/held out$/);
    await visitor.page.getByRole('heading', { name: 'Funnel, last 90 days' }).waitFor();
  });

  it('is told in a sentence that the list of subscribers is not for analysts', async () => {
    await visitor.visit(pathIn(tenant, '/subscribers'));
    await visitor.sees('Subscribers: your role may not see this');
    await visitor.sees(/Your role is analyst\./);
  });
});
