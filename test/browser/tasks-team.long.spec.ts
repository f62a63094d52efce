import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestTenant } from '../support/service';
import { Receiver } from '../support/receiver';
import { until } from '../support/until';
import { pathIn, type Visitor } from './support/console';
import { describeConsole } from './support/describe-console';
import { makePaying, makePlans } from './support/people';

/** The tasks of those who run a team and an installation. TASKS.md lists all tasks. */
describeConsole('the tasks of whoever leads a team, with the role admin', (running) => {
  let tenant: TestTenant;
  let visitor: Visitor;

  beforeAll(async () => {
    tenant = await running().service.tenant();
    await makePlans(tenant);
    await makePaying(tenant, 'ada@example.com');
    visitor = await running().member(tenant, '', 'admin');
  });

  beforeEach(() => visitor.visit(pathIn(tenant, '')));

  afterEach(() => {
    expect(visitor.complaints.splice(0)).toEqual([]);
  });

  afterAll(() => visitor.close());

  it('invites somebody by a link, gives them another role and removes them', async () => {
    await visitor.goTo('Team and settings');
    await visitor.press('Invite');
    await visitor.fill('E-mail', 'grace@example.com');
    await visitor.confirm('Invite');
    const link = await visitor.page.getByRole('dialog').locator('code').innerText();
    await visitor.press('Done');
    const grace = await running().open();
    await grace.page.goto(link);
    await grace.fill('Your name', 'Grace Hopper');
    await grace.fill('Password', 'a long enough password');
    await grace.press('Join Acme Magazine');
    await grace.page.getByRole('button', { name: 'Account of Grace Hopper' }).waitFor();
    await grace.close();
    await visitor.visit(pathIn(tenant, '/settings'));
    await visitor.page.getByLabel('Role of Grace Hopper').selectOption('support');
    await visitor.press('Save the role of Grace Hopper');
    await visitor.sees('Grace Hopper has the role support now.');
    await visitor.press('Remove Grace Hopper');
    await visitor.confirm('Remove');
    await visitor.page
      .getByRole('button', { name: 'Remove Grace Hopper' })
      .waitFor({ state: 'detached' });
  });

  it('sets who is notified by e-mail, and how much the role support may refund', async () => {
    await visitor.goTo('Team and settings');
    await visitor.press('Settings', 'link');
    await visitor.fill('Days of grace', '900');
    await visitor.press('Save');
    await visitor.sees('Days of grace must be a whole number from 0 to 60.');
    // The browser itself reports the refusal.
    expect(visitor.complaints.splice(0).join()).toMatch(/^[^,]*status of 400[^,]*$/);
    await visitor.fill('Days of grace', '14');
    await visitor.fill('Alert e-mails', 'oncall@example.com');
    await visitor.fill('Largest refund by support, in minor units', '2500');
    await visitor.press('Save');
    await visitor.sees('The settings are saved.');
  });

  it('sees who did what, narrowed to one action, and downloads it as CSV', async () => {
    await visitor.goTo('Team and settings');
    await visitor.press('Audit log', 'link');
    await visitor.fill('Action, such as destination.updated', 'plan.saved');
    await visitor.press('Find');
    await visitor.page.waitForURL(/action=plan/);
    await visitor.page.getByRole('row', { name: /plan.saved plan Basic/ }).waitFor();
    expect(await visitor.save('CSV')).toBe('audit-log.csv');
  });

  it('ends the session of somebody who lost a computer', async () => {
    const other = await running().member(tenant, '', 'admin');
    await visitor.visit(pathIn(tenant, '/settings?tab=sessions'));
    const end = visitor.page.getByRole('button', { name: 'End', exact: true });
    const rows = visitor.page.getByRole('row').filter({ has: end });
    const theirs = rows.filter({ hasNotText: 'this one' });
    await theirs.getByRole('button').click();
    await theirs.waitFor({ state: 'detached' });
    await other.page.reload();
    await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await other.close();
  });

  it('builds a cohort and sees at once how many belong to it', async () => {
    await visitor.goTo('Cohorts');
    await visitor.page.getByRole('link', { name: 'New cohort' }).first().click();
    await visitor.fill('Name', 'Active readers');
    await visitor.page.getByLabel('active', { exact: true }).check();
    await visitor.page.getByRole('link', { name: 'ada@example.com' }).waitFor();
    await visitor.press('Create');
    await visitor.page.getByRole('heading', { name: 'Active readers' }).waitFor();
    await visitor.page.goBack();
    await visitor.page.getByRole('heading', { level: 1, name: 'Cohorts' }).waitFor();
  });

  it('makes a motion for a cohort and activates it', async () => {
    await visitor.goTo('Motions');
    await visitor.page.getByRole('link', { name: 'New motion' }).first().click();
    await visitor.fill('Name', 'Stay a while');
    await visitor.choose('What is offered', 'A pause');
    await visitor.page.getByLabel('Active readers').check();
    await visitor.press('Create draft');
    await visitor.press('Activate');
    await visitor.page.getByText('active', { exact: true }).waitFor();
    await visitor.sees('Not enough data');
  });

  it('makes a motion that offers a link', async () => {
    await visitor.goTo('Motions');
    await visitor.page.getByRole('link', { name: 'New motion' }).first().click();
    await visitor.fill('Name', 'Read the letter');
    await visitor.choose('What is offered', 'A link');
    await visitor.fill('Address', 'https://example.com/letter');
    await visitor.sees('Complete the offer.');
    await visitor.fill('Text of the link', 'Read our letter');
    await visitor.press('Create draft');
    await visitor.page.getByRole('heading', { name: 'Read the letter' }).waitFor();
    await visitor.sees('Read our letter');
    await visitor.page.goBack();
    await visitor.page.getByRole('heading', { level: 1, name: 'Motions' }).waitFor();
  });
});

describeConsole('the tasks of an operator, with the role operator', (running) => {
  let tenant: TestTenant;
  let broken: Receiver;
  let visitor: Visitor;

  beforeAll(async () => {
    tenant = await running().service.tenant();
    broken = await Receiver.start((_, response) => {
      response.statusCode = 500;
      response.end();
    });
    const body = { type: 'https_webhook', url: broken.url, description: 'Old shop' };
    const { id } = (await tenant.api.post('/v1/destinations', body)).created;
    await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' });
    await until('a destination that fails', async () => {
      const { data } = await tenant.api.get('/v1/destinations/health');
      return data.find((each) => each['destination_id'] === id && each['health'] === 'failing');
    });
    visitor = await running().operator();
  });

  beforeEach(() => visitor.visit('/console/operator'));

  afterEach(() => {
    expect(visitor.complaints.splice(0)).toEqual([]);
  });

  afterAll(async () => {
    await visitor.close();
    await broken.close();
  });

  const main = (): ReturnType<Visitor['card']> => visitor.page.getByRole('main');

  it('sees whether all stores answer, and what each process runs', async () => {
    await visitor
      .card('Stores and parts')
      .getByText(/^All \d+ answer\.$/)
      .waitFor();
    await visitor.page
      .getByRole('region', { name: 'Processes' })
      .getByText(/projector/)
      .waitFor();
  });

  it('sees first which tenant is in trouble, and with which destination', async () => {
    const trouble = visitor.page.getByRole('region', { name: 'Tenants in trouble' });
    await trouble.getByRole('link', { name: 'Acme Magazine' }).click();
    await main()
      .getByRole('row', { name: /Old shop failing/ })
      .waitFor();
  });

  it('makes a tenant and gives it a key', async () => {
    await visitor.press('New tenant');
    await visitor.fill('Name of the company', 'Beta Books');
    await visitor.press('Create tenant');
    await visitor.page.getByRole('heading', { level: 1, name: 'Beta Books' }).waitFor();
    await visitor.press('New key');
    await visitor.fill('Name', 'backend');
    await visitor.press('Create key');
    await visitor.sees('This key is shown once.');
  });

  it('opens the dashboard of a tenant as one of its viewers', async () => {
    await visitor.goTo('Tenants');
    await main().getByRole('link', { name: 'Acme Magazine' }).click();
    await visitor.press('Open its dashboard …');
    await visitor.choose('Role', 'Viewer');
    await visitor.press('Open here');
    await visitor.page.getByText('Read only', { exact: true }).waitFor();
  });

  it('makes a link into a dashboard for somebody else', async () => {
    await visitor.goTo('Tenants');
    await main().getByRole('link', { name: 'Acme Magazine' }).click();
    await visitor.press('Open its dashboard …');
    await visitor.press('Make a link');
    await visitor.page
      .getByLabel('Link')
      .getByText(/\/console\/link#/)
      .waitFor();
  });

  it('sees what each tenant used this month', async () => {
    await visitor.goTo('Usage');
    await visitor.choose('Environment', 'Test');
    await visitor.page.getByRole('row', { name: /Acme Magazine 1 0 1 \d+ \d+/ }).waitFor();
  });

  const makeReplay = async (): Promise<string> => {
    const now = Date.now();
    const { data } = await tenant.api.get('/v1/destinations');
    const replay = await tenant.api.post('/v1/replay', {
      destination_id: data[0]?.['id'],
      from: new Date(now - 86_400_000).toISOString(),
      to: new Date(now).toISOString(),
      dedupe_strategy: 'force_redeliver',
    });
    const id = String(replay.expect(202)['replay_id']);
    // A page that is opened earlier only announces the replay as new.
    await until('the replay in the list of operators', async () => {
      const { data } = await running().service.operator.get('/operator/v1/replays');
      return data.some((row) => (row['replay'] as { replay_id?: string }).replay_id === id);
    });
    return id;
  };

  it('sees which replays run, and whose they are', async () => {
    await makeReplay();
    await visitor.goTo('Jobs');
    const replays = visitor.page.getByRole('region', { name: 'Replays of all tenants' });
    await replays
      .getByRole('row', { name: /Acme Magazine test/ })
      .first()
      .waitFor();
  });

  it('opens a replay of a tenant in its dashboard, where it can be cancelled', async () => {
    const id = await makeReplay();
    await visitor.goTo('Jobs');
    await visitor.press(id, 'link');
    await visitor.sees(`The dashboard opens at ${id}.`);
    await visitor.confirm('Open here');
    await visitor.page.waitForURL(`**/test/replays/${id}`);
    await visitor.page.getByRole('heading', { level: 1 }).waitFor();
  });

  it('starts a backup of the event store, and is told which directory is wrong', async () => {
    const directory = join(mkdtempSync(join(tmpdir(), 'console-')), 'backup');
    await visitor.press('Back up …');
    await visitor.fill('Directory', 'relative/path');
    await visitor.confirm('Back up');
    await visitor.page.locator('[aria-invalid=true]').waitFor();
    await visitor.fill('Directory', directory);
    await visitor.confirm('Back up');
    await visitor.sees('The backup has started.');
    const card = visitor.card('Maintenance of the event store');
    await card.getByText(directory).waitFor();
    await card.locator('dt:text-is("Backup") + dd').getByText('completed').waitFor();
    expect(existsSync(join(directory, 'backup.json'))).toBe(true);
    // The browser itself reports the refusal.
    expect(visitor.complaints.splice(0).join()).toMatch(/^[^,]*status of 400[^,]*$/);
  });

  it('compares the read models with the log', async () => {
    await visitor.goTo('Jobs');
    await visitor.press('Verify 100 subscribers');
    await visitor.card('Verify').getByText('none').first().waitFor();
    await visitor.press('Compare only');
    await visitor.page.getByRole('row', { name: /^compare/ }).waitFor();
  });

  it('downloads a view of a tenant as CSV', async () => {
    await visitor.goTo('Jobs');
    await visitor.fill('Tenant', tenant.id);
    await visitor.choose('Environment', 'Test');
    expect(await visitor.save('Save as CSV')).toBe('subscribers.csv');
  });

  it('finds an object of any tenant by its id', async () => {
    const { data } = await tenant.api.get('/v1/subscribers');
    await visitor.find(String(data[0]?.['id']));
    await main()
      .getByRole('row', { name: /Acme Magazine test subscriber/ })
      .waitFor();
  });

  it('suspends a tenant, sees who did it, and resumes it', async () => {
    await visitor.visit(`/console/operator/tenants/${tenant.id}`);
    await visitor.press('Suspend …');
    await visitor.fill(/^Type Acme Magazine/, 'Acme Magazine');
    await visitor.confirm('Suspend');
    await visitor.page.getByText('suspended', { exact: true }).waitFor();
    await visitor.goTo('Audit log');
    await main()
      .getByRole('row', { name: /tenant\.suspended/ })
      .waitFor();
    await visitor.visit(`/console/operator/tenants/${tenant.id}`);
    await visitor.press('Resume');
    await visitor.sees('The tenant goes on.');
  });

  it('deletes a tenant for good after typing its name', async () => {
    const { id } = await running().service.tenant();
    await visitor.visit(`/console/operator/tenants/${id}`);
    await visitor.press('Delete …');
    await visitor.fill(/^Type Acme Magazine/, 'Acme Magazine');
    await visitor.confirm('Delete for good');
    await visitor.page.getByText('deleted', { exact: true }).waitFor();
  });
});
