import type { TestTenant } from '../support/service';
import { pathIn } from './support/console';
import { describeConsole } from './support/describe-console';
import { storyOf } from './support/people';

/** An address of this machine at which nothing listens. */
const NOBODY = 'http://127.0.0.1:9/webhooks';

const makeWebhook = async ({ api }: TestTenant, url: string): Promise<string> =>
  String((await api.post('/v1/destinations', { type: 'https_webhook', url })).created['id']);

describeConsole('details of the pages', (running) => {
  it('plots the failures of a destination whose events happened long ago', async () => {
    const tenant = await running().service.tenant();
    const id = await makeWebhook(tenant, NOBODY);
    const visitor = await running().member(tenant, `/destinations/${id}`);
    await visitor.sees('No event was tried yet');
    await storyOf(tenant, 'dunning_lost');
    await visitor.sees(/^Failing since/);
    await visitor.sees('connection refused');
    // Some events of the story are younger than that.
    await visitor.page.route(/metrics\/.*window=last_30d/, async (route) => {
      const series = (await (await route.fetch()).json()) as { points: object[] };
      const points = series.points.map((point) => ({ ...point, sample_size: 0 }));
      await route.fulfill({ json: { ...series, points } });
    });
    await visitor.page.reload();
    await visitor.page.getByRole('img', { name: 'Deliveries' }).waitFor();
    await visitor.sees('Deliveries by month');
    await visitor.sees(/^\d+ events? tried, 0 % delivered within 24 hours$/);
    await visitor.sees('Nothing was delivered.');
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('says since when nothing has been sent to a disabled destination', async () => {
    const tenant = await running().service.tenant();
    const id = await makeWebhook(tenant, running().receiver.url);
    (await tenant.api.patch(`/v1/destinations/${id}`, { status: 'disabled' })).expect(200);
    const visitor = await running().member(tenant, `/destinations/${id}`);
    await visitor.sees(/^Nothing has been sent since .*\d:\d\d:\d\d/);
    await visitor.visit(pathIn(tenant, '/subscribers'));
    await visitor.sees(/registers each subscriber with an e-mail address, and with its own id/);
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  });
});
