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
});
