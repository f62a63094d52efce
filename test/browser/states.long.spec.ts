import { listScopes, MEMBER_RIGHTS } from '../../src/http/pipeline/roles';
import {
  OPERATIONS,
  OPERATOR_PAGES,
  TENANT_PAGES,
  type TenantPagePath,
} from '../../packages/console/src/rights';
import type { TestTenant } from '../support/service';
import { pathIn, type Visitor } from './support/console';
import { describeConsole } from './support/describe-console';
import { Interference } from './support/interference';
import {
  type Bare,
  type Example,
  makeBare,
  OPERATOR_EXAMPLES,
  TENANT_EXAMPLES,
} from './support/routes';

const WAIT_LIMIT_MS = 240_000;

/** Lists that only give names to ids. Where one cannot be read, the page shows the ids. */
const NAMES = /^\/v1\/(plans|cohorts|motions|destinations|subscribers(\/[^/]+)?)$/;

/** The longest time until a page says that a call failed. */
const TOLD_WITHIN_MS = 3_000;

/** Calls that colour a part of a page; the page is whole without them. */
const ORNAMENTS = [
  '/v1/destinations/health',
  '/v1/events/counts',
  '/operator/v1/tenants',
  '/operator/v1/failing_destinations',
];

/** One metric stands for all of them: each has a card of the same kind. */
const takeOneOfEachKind = (paths: readonly string[]): string[] => {
  const kinds = new Map(
    paths.map((path) => [path.replace(/^\/v1\/metrics\/(?!retention)\w+/, 'metric'), path]),
  );
  return [...kinds.values()];
};

const TENANT_ROUTES = Object.keys(TENANT_PAGES) as TenantPagePath[];

describeConsole(
  'the states of each page',
  (running) => {
    /** Each page with the address of its example, for an owner or an operator. */
    const PAGES: readonly (readonly [name: string, example: Example, isTenant: boolean])[] = [
      ...TENANT_ROUTES.map((page) => [`tenant ${page}`, TENANT_EXAMPLES[page], true] as const),
      ...OPERATOR_PAGES.map(
        (page) => [`operator ${page}`, OPERATOR_EXAMPLES[page], false] as const,
      ),
    ];
    const LOADING = PAGES.filter(([, { loadsNothing }]) => loadsNothing === undefined);
    let tenant: TestTenant;
    let bare: Bare;
    let member: Visitor;
    let operator: Visitor;

    const emptyStates = (visitor: Visitor) => visitor.page.locator('main .empty');

    /** The empty states of a page without the next step, where there is one. */
    const findDeadEnds = async (visitor: Visitor): Promise<string[]> => {
      const step = visitor.page.locator('a, button, code');
      const found = visitor.page.locator('main .empty[data-good=false]');
      return found.filter({ hasNot: step }).locator('h2').allInnerTexts();
    };

    const expectNextSteps = async (visitor: Visitor, isEmpty: boolean): Promise<void> => {
      expect(await findDeadEnds(visitor)).toEqual([]);
      if (isEmpty) expect(await emptyStates(visitor).count()).toBeGreaterThan(0);
      expect(visitor.complaints.splice(0)).toEqual([]);
    };

    describe('before there is any tenant', () => {
      it.each(OPERATOR_PAGES.filter((page) => !page.includes(':')))(
        'operator %s says what the next step is',
        async (page) => {
          const { path, isEmptyAtFirst } = OPERATOR_EXAMPLES[page];
          operator ??= await running().operator();
          await operator.visit(`/console/operator${path({} as Bare)}`);
          await expectNextSteps(operator, isEmptyAtFirst === true);
        },
      );
    });

    describe('in a tenant without data', () => {
      let visitor: Visitor;

      beforeAll(async () => {
        visitor = await running().member(await running().service.tenant());
      });

      afterAll(() => visitor.close());

      it.each(TENANT_ROUTES.filter((page) => !page.includes(':id')))(
        'tenant %s says what the next step is',
        async (page) => {
          const { path, isEmptyAtFirst } = TENANT_EXAMPLES[page];
          const here = /\/console\/t\/[^/]+\/test/.exec(visitor.page.url())?.[0] ?? '';
          await visitor.visit(`${here}${path({} as Bare)}`);
          await expectNextSteps(visitor, isEmptyAtFirst === true);
        },
      );
    });

    describe('of objects to which nothing has happened yet', () => {
      beforeAll(async () => {
        tenant = await running().service.tenant();
        bare = await makeBare(tenant, running().receiver.url);
        member = await running().member(tenant);
        operator ??= await running().operator();
      });

      afterAll(async () => {
        await member.close();
        await operator.close();
      });

      const find = ([, { path }, isTenant]: (typeof PAGES)[number]): {
        readonly visitor: Visitor;
        readonly address: string;
      } => ({
        visitor: isTenant ? member : operator,
        address: isTenant ? pathIn(tenant, path(bare)) : `/console/operator${path(bare)}`,
      });

      it.each(PAGES)('%s has no dead end', async (...page) => {
        const { visitor, address } = find(page);
        await visitor.visit(address);
        await expectNextSteps(visitor, false);
      });

      it.each(LOADING)('%s shows that it is being loaded', async (...page) => {
        const { visitor, address } = find(page);
        const calls = Interference.on(visitor.page);
        await calls.hold();
        await visitor.page.goto(address);
        await visitor.page.getByRole('heading', { level: 1 }).waitFor();
        await visitor.page.locator('main [aria-busy]').first().waitFor();
        expect(await emptyStates(visitor).allInnerTexts()).toEqual([]);
        await calls.stop();
        await visitor.settle();
        expect(visitor.complaints.splice(0)).toEqual([]);
      });

      it.each(LOADING)('%s says what went wrong, and tries again', async (...page) => {
        const { visitor, address } = find(page);
        const calls = Interference.on(visitor.page);
        await calls.refuse();
        await visitor.visit(address);
        const alerts = visitor.page.locator('main').getByRole('alert');
        await alerts
          .first()
          .getByText(/The service is out of order for a test/)
          .waitFor();
        expect(await emptyStates(visitor).filter({ hasNotText: 'out of order' }).count()).toBe(0);
        await calls.stop();
        const again = alerts.getByRole('button', { name: /^Try/ });
        for (let left = await again.count(); left > 0; left = await again.count()) {
          await again.first().click();
          await visitor.settle();
        }
        expect(await alerts.allInnerTexts()).toEqual([]);
        forgetRefusals(visitor);
      });

      it.each(LOADING)('%s stays whole where one of its calls fails', async (...page) => {
        const { visitor, address } = find(page);
        const calls = Interference.on(visitor.page);
        const paths = await calls.noteCalls(() => visitor.visit(address));
        const silent: string[] = [];
        for (const path of takeOneOfEachKind(paths)) {
          await calls.refuse(path);
          await visitor.visit(address);
          const mayBeSilent = NAMES.test(path) || ORNAMENTS.includes(path);
          if (!mayBeSilent && !(await isFailureTold(visitor))) silent.push(path);
          expect(await visitor.page.locator('main').innerText()).toMatch(/\w/);
          await calls.stop();
        }
        expect(silent).toEqual([]);
        forgetRefusals(visitor);
      });
    });

    /** True if the page says that a call failed, also of a part that shows nothing while it loads. */
    const isFailureTold = (visitor: Visitor): Promise<boolean> => {
      const alert = visitor.page.locator('main').getByRole('alert').first();
      return alert.waitFor({ timeout: TOLD_WITHIN_MS }).then(
        () => true,
        () => false,
      );
    };

    /** The browser reports each refused call by itself; anything else fails the test. */
    const forgetRefusals = (visitor: Visitor): void => {
      expect(
        visitor.complaints.splice(0).filter((each) => !each.includes('status of 503')),
      ).toEqual([]);
    };

    describe('without the right', () => {
      /** The first role that may not see the page; undefined where everybody may. */
      const findClosedRole = (page: TenantPagePath): string | undefined =>
        MEMBER_RIGHTS.tenant.find((role) =>
          TENANT_PAGES[page].needs.some((operation) => {
            const rights = OPERATIONS[operation];
            const roles = (MEMBER_RIGHTS as Readonly<Record<string, readonly string[] | null>>)[
              rights
            ];
            const scopes: readonly string[] = listScopes(role, 'test');
            return roles === undefined
              ? rights.split(' ').some((scope) => !scopes.includes(scope))
              : roles?.includes(role) === false;
          }),
        );
      const CLOSED = TENANT_ROUTES.flatMap((page) => {
        const role = findClosedRole(page);
        return role === undefined ? [] : [[page, role] as const];
      });

      it.each(CLOSED)('tenant %s tells the role %s that it lacks the right', async (page, role) => {
        const visitor = await running().member(tenant, TENANT_EXAMPLES[page].path(bare), role);
        const { title } = TENANT_PAGES[page];
        await visitor.page
          .getByRole('heading', { name: `${title}: your role may not see this` })
          .waitFor();
        await visitor.sees(`Your role is ${role}.`);
        await visitor.press('Go to the start', 'link');
        await visitor.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
        await visitor.close();
        expect(visitor.complaints).toEqual([]);
      });

      it.each(OPERATOR_PAGES)(
        'operator %s tells a member that the page is for operators',
        async (page) => {
          const visitor = await running().member(tenant);
          await visitor.visit(`/console/operator${OPERATOR_EXAMPLES[page].path(bare)}`);
          await visitor.page
            .getByRole('heading', { name: 'These pages are for operators' })
            .waitFor();
          await visitor.close();
          expect(visitor.complaints).toEqual([]);
        },
      );
    });
  },
  WAIT_LIMIT_MS,
);
