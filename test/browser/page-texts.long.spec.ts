import { pathIn } from './support/console';
import { describeConsole } from './support/describe-console';

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
    await visitor.sees('Each request gets a new signature, with today’s secret.');
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
});
