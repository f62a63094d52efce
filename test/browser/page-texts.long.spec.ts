import { pathIn } from './support/console';
import { describeConsole } from './support/describe-console';
import { makePaying, makePlans } from './support/people';

describeConsole('what the pages of the console say', (running) => {
  it('shows how far a replay is in the same words at home, in the list and on its page', async () => {
    const tenant = await running().service.tenant();
    const { api } = tenant;
    const webhook = { type: 'https_webhook', url: running().receiver.url, description: 'Shop' };
    const { id } = (await api.post('/v1/destinations', webhook)).created;
    await api.post('/v1/subscribers', { email: 'ada@example.com' });
    const window = { from: '2026-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' };
    const begun = (
      await api.post('/v1/replay', {
        destination_id: id,
        dedupe_strategy: 'force_redeliver',
        from: new Date(Date.now() - 3_600_000).toISOString(),
        to: new Date().toISOString(),
      })
    ).body as Record<string, unknown>;
    const visitor = await running().member(tenant);
    const { page } = visitor;
    let progress: Record<string, unknown> = { status: 'in_progress', events_pending: 3 };
    const show = (replay: object): object => ({
      ...replay,
      ...window,
      events_matched: 5,
      estimated_completion_at: new Date(Date.now() + 3_600_000).toISOString(),
      finished_at: new Date().toISOString(),
      ...progress,
    });
    await page.route(/\/v1\/replay(\?|$)/, (route) =>
      route.fulfill({ json: { data: [show(begun)], has_more: false, next_cursor: null } }),
    );
    await page.route(/\/v1\/replay\/rep_/, (route) => route.fulfill({ json: show(begun) }));
    const expectProgress = async (text: RegExp): Promise<void> => {
      await page.locator('main').getByText(text).waitFor();
    };
    for (const path of ['', '/replays', `/replays/${String(begun['replay_id'])}`]) {
      progress = { status: 'in_progress', events_pending: 3 };
      await visitor.visit(pathIn(tenant, path));
      await visitor.sees('in progress');
      await page.getByRole('progressbar').waitFor();
      await expectProgress(/^2 of 5, done in (1 hr|60 min)/);
      progress = { status: 'in_progress', events_pending: 1 };
      await expectProgress(/^4 of 5, done in/);
    }
    progress = { status: 'completed', events_pending: 0 };
    await expectProgress(/^5 of 5, ended/);
    await visitor.visit(pathIn(tenant, '/replays'));
    await expectProgress(/^5 of 5, ended/);
    await visitor.sees(
      /X-Service-Signature stays the original one; webhook-signature is made anew/,
    );
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('says that a tenant is suspended, what that means and who can end it, until it is resumed', async () => {
    const tenant = await running().service.tenant();
    const visitor = await running().member(tenant, '/subscribers');
    const { operator } = running().service;
    (await operator.post(`/operator/v1/tenants/${tenant.id}/suspend`, {})).expect(200);
    const path = `/operator/v1/tenants/${tenant.id}`;
    const banner = /Its team and its API keys can read and change nothing.*Only an operator/;
    await visitor.visit(pathIn(tenant, '/destinations'));
    await visitor.sees(/^This tenant has been suspended since/);
    await visitor.sees(banner);
    await visitor.page.getByRole('heading', { name: 'The tenant is suspended' }).waitFor();
    await visitor.visit(pathIn(tenant, '/destinations/new'));
    await visitor.page.getByRole('heading', { name: 'The tenant is suspended' }).waitFor();
    await visitor.visit(pathIn(tenant, '/destinations'));
    expect(await visitor.faults()).toEqual([]);
    const ofOperator = await running().operator(`/tenants/${tenant.id}`);
    await ofOperator.sees(banner);
    await ofOperator.press('Resume');
    await ofOperator.page.getByText(banner).waitFor({ state: 'detached' });
    (await operator.get(path)).expect(200);
    await visitor.page.getByText(banner).waitFor({ state: 'detached' });
    await visitor.sees('No destination yet');
    expect(visitor.complaints.filter((each) => !each.includes('403 (Forbidden)'))).toEqual([]);
    await visitor.close();
    await ofOperator.close();
    expect(ofOperator.complaints).toEqual([]);
  });

  it('says that a payment failed and why, what to do next, and what a change of the plan costs', async () => {
    const tenant = await running().service.tenant();
    const { api } = tenant;
    await makePlans(tenant);
    const { subscriberId } = await makePaying(tenant, 'ada@example.com');
    const visitor = await running().member(tenant, `/subscribers/${subscriberId}`, 'support');
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await visitor.press('Actions');
    await visitor.press('Change plan …');
    await visitor.choose('New plan', 'Pro (pro), $20.00 a month');
    await dialog
      .getByText(/The plan changes now. Nothing is charged now. The renewal on/)
      .waitFor();
    await visitor.choose('The rest of this period', 'Charge or credit the difference now');
    await dialog.getByText(/The plan changes now. \$[\d.]+ is charged now/).waitFor();
    await visitor.press('Cancel');
    const [subscription] = (await api.get(`/v1/subscriptions?subscriber_id=${subscriberId}`)).data;
    const payment = (await api.get(`/v1/payments?subscriber_id=${subscriberId}`)).data[0];
    const failure = { code: 'insufficient_funds', message: 'No cover.', decline_type: 'soft' };
    const inTwoDays = new Date(Date.now() + 2 * 86_400_000).toISOString();
    let failed: object = { status: 'pending', failure, next_attempt_at: inTwoDays };
    await page.route(/\/v1\/payments\?/, (route) =>
      route.fulfill({
        json: { data: [{ ...payment, ...failed }], has_more: false, next_cursor: null },
      }),
    );
    await visitor.visit(pathIn(tenant, `/subscribers/${subscriberId}`));
    await visitor.sees(/^The last payment, \$[\d.]+, failed: No cover\.$/);
    await visitor.sees(/Next try in 2 days\. Ask the subscriber for another payment method/);
    const payments = page.getByRole('region', { name: 'Payments' });
    await visitor.press('Payments', 'link');
    await payments.getByText('retrying').waitFor();
    await payments.getByRole('button', { name: `Copy ${String(payment?.['id'])}` }).waitFor();
    failed = { status: 'pending', failure, next_attempt_at: null, grace_ends_at: inTwoDays };
    await visitor.visit(pathIn(tenant, `/subscribers/${subscriberId}?tab=payments`));
    await payments.getByText('declined').waitFor();
    await payments.getByText('lapses in 2 days').waitFor();
    failed = { status: 'failed', failure, next_attempt_at: null };
    await visitor.visit(pathIn(tenant, `/subscribers/${subscriberId}`));
    await visitor.sees(/It is not tried again by itself.*reactivate the subscription/);
    expect(subscription?.['status']).toBe('active');
    const { id } = (await api.post('/v1/subscribers', { email: 'ben@example.com' })).created;
    await page.unroute(/\/v1\/payments\?/);
    await visitor.visit(pathIn(tenant, `/subscribers/${String(id)}?tab=subscriptions`));
    await visitor.sees(/If the first payment is declined, nothing is created/);
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('ends the plot of a metric today, also if the last day was chosen in the future', async () => {
    const tenant = await running().service.tenant();
    await makePlans(tenant);
    await makePaying(tenant, 'ada@example.com');
    const visitor = await running().member(tenant);
    const [from, to] = [-3, 20].map((days) =>
      new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
    );
    await visitor.visit(
      pathIn(tenant, `/metrics/mrr?from=${String(from)}T00:00:00Z&to=${String(to)}T00:00:00Z`),
    );
    const rows = visitor.page.locator('tbody tr');
    await rows.first().waitFor({ state: 'attached' });
    expect(await rows.count()).toBe(4);
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('draws the period before dashed in the legend of a saved plot', async () => {
    const tenant = await running().service.tenant();
    await makePlans(tenant);
    await makePaying(tenant, 'ada@example.com');
    const visitor = await running().member(tenant, '/metrics/mrr', 'analyst');
    await visitor.page.getByRole('figure').getByText('The period before').waitFor();
    await visitor.page.evaluate(`(() => {
      const { prototype } = CanvasRenderingContext2D;
      const draw = prototype.fillRect;
      globalThis.widths = [];
      prototype.fillRect = function (...box) {
        globalThis.widths.push(box[2]);
        draw.apply(this, box);
      };
    })()`);
    expect(await visitor.save('PNG')).toBe('mrr.png');
    const [, ...strokes] = await visitor.page.evaluate<number[]>('globalThis.widths');
    expect(strokes).toEqual([5, 5, 14]);
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('shows the filters of subscribers in one line, also with long names to choose from', async () => {
    const tenant = await running().service.tenant();
    const name = 'Subscribers of the print edition who also read the digital edition';
    const plan = { name, amount: 900, currency: 'USD', interval: 'month' };
    await tenant.api.put('/v1/plans/both', plan);
    await tenant.api.post('/v1/cohorts', { name, definition: { status: ['active'] } });
    const visitor = await running().member(tenant, '/subscribers');
    for (const label of ['Plan', 'Cohort'])
      await visitor.page
        .getByLabel(label, { exact: true })
        .getByText(name)
        .waitFor({ state: 'attached' });
    const middles = `[...new Set([...document.querySelectorAll('.filters > *')].map((each) => {
      const { top, bottom } = each.getBoundingClientRect();
      return Math.round((top + bottom) / 2);
    }))]`;
    expect(await visitor.page.evaluate<number[]>(middles)).toHaveLength(1);
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('says that filters hide all tickets, and removes them', async () => {
    const tenant = await running().service.tenant();
    const { id } = (await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' })).created;
    const ticket = { subscriber_id: id, topic: 'other', subject: 'Where is my copy?' };
    (await tenant.api.post('/v1/tickets', ticket)).expect(201);
    const visitor = await running().member(tenant, '/tickets', 'support');
    await visitor.choose('Topic', 'cancel');
    await visitor.sees('No ticket matches');
    await visitor.press('Remove all filters', 'link');
    await visitor.sees('Where is my copy?');
    expect(new URL(visitor.page.url()).search).toBe('');
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('offers the search to people with the right to search only', async () => {
    const tenant = await running().service.tenant();
    const countBoxes = async (role: string): Promise<number> => {
      const visitor = await running().member(tenant, '', role);
      const count = await visitor.page.getByLabel('Find by id or e-mail').count();
      await visitor.close();
      expect(visitor.complaints).toEqual([]);
      return count;
    };
    expect([await countBoxes('analyst'), await countBoxes('support')]).toEqual([0, 1]);
  });
});
