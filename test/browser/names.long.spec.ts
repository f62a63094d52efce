import type { TestTenant } from '../support/service';
import { until } from '../support/until';
import { pathIn } from './support/console';
import { describeConsole } from './support/describe-console';
import { makePaying, makePlans } from './support/people';

/** More than one page of the API's lists. */
const DESTINATIONS = 110;
const WAIT_LIMIT_MS = 300_000;

describeConsole(
  'names instead of ids',
  (running) => {
    const makeSubscriber = async ({ api }: TestTenant): Promise<string> => {
      const person = { email: 'ada@example.com', external_id: 'customer-42', tags: ['vip'] };
      const id = String((await api.post('/v1/subscribers', person)).created['id']);
      const ticket = { subscriber_id: id, topic: 'other', subject: 'Where is my copy?' };
      (await api.post('/v1/tickets', ticket)).expect(201);
      const cohort = { name: 'Important readers', definition: { tags_include: ['vip'] } };
      const { id: cohortId } = (await api.post('/v1/cohorts', cohort)).created;
      await until('a member', async () => {
        const { data } = await api.get(`/v1/cohorts/${String(cohortId)}/members`);
        return data[0];
      });
      return id;
    };

    it.each([
      ['support', '/tickets', 'ada@example.com'],
      ['support', '/cohorts', 'ada@example.com'],
      ['viewer', '/tickets', 'customer-42'],
      ['viewer', '/events', 'customer-42'],
    ])('show, to the role %s on the page %s, the subscriber as %s', async (role, path, name) => {
      const tenant = await running().service.tenant();
      const id = await makeSubscriber(tenant);
      const visitor = await running().member(tenant, path, role);
      if (path === '/cohorts') await visitor.press('Important readers', 'link');
      const link = visitor.page.getByRole('link', { name, exact: true }).first();
      expect(await link.getAttribute('href')).toBe(pathIn(tenant, `/subscribers/${id}`));
      await visitor.close();
      expect(visitor.complaints).toEqual([]);
    });

    it('fall back to the id, without a link, for a role that reads no subscribers', async () => {
      const tenant = await running().service.tenant();
      const id = await makeSubscriber(tenant);
      const visitor = await running().member(tenant, '/cohorts', 'analyst');
      await visitor.press('Important readers', 'link');
      await visitor.page.getByRole('cell', { name: id }).waitFor();
      expect(await visitor.page.getByRole('link', { name: id }).count()).toBe(0);
      await visitor.close();
      expect(visitor.complaints).toEqual([]);
    });

    it.each([
      ['analyst', '/cohorts', 'on Basic'],
      ['support', '/tickets', 'Basic'],
      ['viewer', '/events', 'Basic'],
    ])('show, to the role %s on the page %s, the plan as %s', async (role, path, name) => {
      const tenant = await running().service.tenant();
      await makePlans(tenant);
      const { subscriberId } = await makePaying(tenant, 'ada@example.com');
      const cohort = { name: 'Payers', definition: { plan_ids: ['basic'] } };
      (await tenant.api.post('/v1/cohorts', cohort)).expect(201);
      const ticket = { subscriber_id: subscriberId, topic: 'other', subject: 'Where is my copy?' };
      (await tenant.api.post('/v1/tickets', ticket)).expect(201);
      const visitor = await running().member(tenant, path, role);
      if (path === '/tickets') await visitor.press('Where is my copy?', 'link');
      await visitor.page.getByText(name, { exact: true }).first().waitFor();
      await visitor.close();
      expect(visitor.complaints).toEqual([]);
    });

    it('of destinations stand with their ids on the page of an event; support is told why not', async () => {
      const { service, receiver } = running();
      const tenant = await service.tenant();
      const body = { type: 'https_webhook', url: receiver.url, description: 'Billing backend' };
      const id = String((await tenant.api.post('/v1/destinations', body)).created['id']);
      await makeSubscriber(tenant);
      const [event] = (await tenant.api.get('/v1/events')).data;
      const path = `/events/${String(event?.['id'])}`;

      const developer = await running().member(tenant, path, 'developer');
      const named = developer.page.getByRole('cell', { name: `Billing backend ${id}` });
      await named.getByRole('link', { name: 'Billing backend' }).waitFor();
      expect(await developer.page.getByText(/does not see destinations/).count()).toBe(0);

      const support = await running().member(tenant, path, 'support');
      await support.page.getByRole('cell', { name: id, exact: true }).waitFor();
      await support.sees(/Your role does not see destinations/);
      expect(await support.page.getByRole('link', { name: id }).count()).toBe(0);
      for (const visitor of [developer, support]) {
        await visitor.close();
        expect(visitor.complaints).toEqual([]);
      }
    });

    it('are shown with the health for each of more than a hundred destinations', async () => {
      const { service, receiver } = running();
      const tenant = await service.tenant();
      const settings = { max_destinations: DESTINATIONS };
      await service.operator.patch(`/operator/v1/tenants/${tenant.id}`, { settings });
      const make = async (description: string, path: string): Promise<string> => {
        const url = receiver.url.replace('/hook', path);
        const body = { type: 'https_webhook', url, description, event_types: ['ticket.*'] };
        return String((await tenant.api.post('/v1/destinations', body)).created['id']);
      };
      receiver.answer(({ path }, response) => {
        response.statusCode = path === '/broken' ? 500 : 200;
        response.end();
      });
      // Lists show the newest first, so this one is on the second page.
      const oldest = await make('The oldest of all', '/broken');
      for (let index = 1; index < DESTINATIONS; index += 1) await make(`Shop ${index}`, '/hook');
      await makeSubscriber(tenant);
      await until('a failing destination', async () => {
        const path = '/v1/destinations/health?health=failing';
        return (await tenant.api.get(path)).data.find((each) => each['destination_id'] === oldest);
      });
      const visitor = await running().member(tenant, '', 'developer');
      await visitor.sees(/has been failing since/);
      await visitor.page.getByRole('link', { name: 'The oldest of all' }).first().waitFor();
      await visitor.sees(`All ${DESTINATIONS} destinations`);

      await visitor.visit(pathIn(tenant, '/destinations'));
      const row = visitor.page.getByRole('row', { name: /The oldest of all/ });
      await until('the last row', async () => {
        await visitor.page.evaluate('scrollTo(0, document.body.scrollHeight)');
        return (await row.count()) === 1 ? true : undefined;
      });
      await row.getByText('failing', { exact: true }).waitFor();

      await visitor.visit(pathIn(tenant, `/destinations/${oldest}`));
      await visitor.sees(/Failing since/);
      await visitor.visit(pathIn(tenant, '/deliveries?status_code=500'));
      await visitor.page.getByRole('link', { name: 'The oldest of all' }).first().waitFor();
      await visitor.visit(pathIn(tenant, '/replays/new'));
      await visitor.page
        .getByLabel('Destination', { exact: true })
        .selectOption({ label: 'The oldest of all' });
      await visitor.close();
      expect(visitor.complaints).toEqual([]);
    });
  },
  WAIT_LIMIT_MS,
);
