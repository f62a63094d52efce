import type { TestTenant } from '../support/service';
import { pathIn, type Visitor } from './support/console';
import { describeConsole } from './support/describe-console';
import { listPages } from './support/pages';

describeConsole('a link that a platform places in its own pages', (running) => {
  const makeLink = async ({ id }: TestTenant, body: object): Promise<string> => {
    const links = `/operator/v1/tenants/${id}/dashboard_links`;
    const wanted = { role: 'viewer', expires_in: 600, ...body };
    return String((await running().service.operator.post(links, wanted)).created['url']);
  };

  /** Leaves, and fails if the browser complained about anything. */
  const leave = async (visitor: Visitor): Promise<void> => {
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
  };

  it('opens the environment that the link names; other links open the environment that was open last', async () => {
    const tenant = await running().service.tenant();
    const guest = await running().open();
    await guest.signIn(await makeLink(tenant, { environments: ['live'] }));
    await guest.page.waitForURL(/\/live$/);
    const environments = guest.page.getByRole('group', { name: 'Environment' });
    expect(await environments.getByRole('link').allInnerTexts()).toEqual(['Live']);
    await leave(guest);
    const member = await running().member(tenant);
    await member.press('Live', 'link');
    await member.visit('/console/');
    await member.page.waitForURL(/\/live$/);
    await leave(member);
  });

  it('shows no page of an environment that the link does not name', async () => {
    const tenant = await running().service.tenant();
    const guest = await running().open();
    await guest.signIn(await makeLink(tenant, { role: 'developer', environments: ['test'] }));
    await guest.page.waitForURL(/\/test$/);
    for (const page of ['', '/api-keys', '/settings']) {
      await guest.page.goto(`/console/t/${tenant.id}/live${page}`);
      await guest.sees('Your session may not see the live environment');
      const environments = guest.page.getByRole('group', { name: 'Environment' });
      expect(await environments.getByRole('link').allInnerTexts()).toEqual(['Test']);
      expect(await guest.page.getByRole('button', { name: 'New key' }).count()).toBe(0);
    }
    await guest.press('Test', 'link');
    await guest.page.getByRole('heading', { level: 1, name: 'Team and settings' }).waitFor();
    await leave(guest);
  });

  it('shows the way back to the platform on every page of the session, and on no other', async () => {
    const tenant = await running().service.tenant();
    const address = 'https://app.example.com/settings?tab=webhooks';
    const guest = await running().open();
    await guest.signIn(await makeLink(tenant, { role: 'owner', return_url: address }));
    const back = guest.page.getByRole('link', { name: 'Back to app.example.com' });
    for (const [, path] of listPages()) {
      await guest.visit(pathIn(tenant, path));
      expect(await back.getAttribute('href')).toBe(address);
    }
    await guest.look({ width: 360 });
    expect(await guest.faults()).toEqual([]);
    await leave(guest);
    const member = await running().member(tenant);
    expect(await member.page.getByRole('link', { name: /^Back to/ }).count()).toBe(0);
    await leave(member);
  });

  it('does not mix two tenants that are open in two tabs', async () => {
    const [first, second] = [await running().service.tenant(), await running().service.tenant()];
    await first.api.post('/v1/subscribers', { email: 'ada@first.example' });
    await second.api.post('/v1/subscribers', { email: 'ben@second.example' });
    const guest = await running().open();
    const firstTab = guest.page;
    await guest.signIn(await makeLink(first, { role: 'support' }));
    await guest.visit(pathIn(first, '/subscribers'));
    await guest.sees('ada@first.example');
    const secondTab = await firstTab.context().newPage();
    await secondTab.goto(await makeLink(second, { role: 'viewer' }));
    await secondTab.getByRole('button', { name: 'Continue' }).click();
    await secondTab.getByRole('button', { name: /^Account of/ }).waitFor();
    await secondTab.goto(`${running().service.url}${pathIn(second, '/subscribers')}`);
    await secondTab.getByText('Read only').waitFor();
    await firstTab.evaluate('dispatchEvent(new Event("focus"))');
    await guest.sees('You are not a member of this tenant');
    await guest.sees(/In another tab, this browser may have signed in to another tenant/);
    expect(await firstTab.getByText(/@(first|second).example/).count()).toBe(0);
    await guest.signIn(await makeLink(second, { role: 'support' }));
    await guest.visit(pathIn(second, '/subscribers'));
    await guest.sees('ben@second.example');
    await secondTab.evaluate('dispatchEvent(new Event("focus"))');
    await secondTab.getByText('ben@second.example').waitFor();
    expect(await secondTab.getByText('Read only').count()).toBe(0);
    await leave(guest);
  });
});
