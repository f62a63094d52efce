import { MEMBER_RIGHTS, listScopes } from '../../src/http/pipeline/roles';
import type { MemberRole } from '../../src/domain/members/member.roles';
import { pathIn, type Visitor } from './support/console';
import { describeConsole } from './support/describe-console';
import { listPages, OPERATOR_PAGES, TENANT_PAGES as STAGE_PAGES } from './support/pages';
import type { Environment } from '../../src/kernel/scope';
import type { TestTenant } from '../support/service';
import {
  findTenantPage,
  type Operation,
  OPERATIONS,
  TENANT_PAGES,
} from '../../packages/console/src/rights';
import { readDeclared } from './support/declared';
import {
  fillForOffers,
  type Offer,
  OPERATOR_OFFERS,
  type OfferStage,
  type OperatorStage,
  TENANT_OFFERS,
} from './support/offers';

const WAIT_LIMIT_MS = 600_000;
const ROLES = MEMBER_RIGHTS.tenant;

/** Operations by which a page only reads, though they are no GET. */
const READS: readonly Operation[] = ['cohorts.preview', 'subscriptions.previewPlanChange'];
/**
 * Offered beside others under the same right: the preview of a delivery, and leaving the tenant.
 */
const BESIDE: readonly Operation[] = ['destinations.preview', 'console.members.remove'];

describeConsole(
  'what the console offers to each role',
  (running) => {
    let tenant: TestTenant;
    let stage: OfferStage;
    let operatorStage: OperatorStage;
    let rightsOf: ReadonlyMap<string, { readonly method: string; readonly rights: string }>;

    beforeAll(async () => {
      const { service } = running();
      tenant = await service.tenant();
      stage = await fillForOffers(service, tenant);
      const suspended = await service.tenant();
      (await service.operator.post(`/operator/v1/tenants/${suspended.id}/suspend`, {})).expect(200);
      operatorStage = { tenantId: tenant.id, suspendedId: suspended.id };
      rightsOf = new Map(
        (await readDeclared(service)).map(({ id, method, rights }) => [
          id,
          { method, rights: rights ?? '' },
        ]),
      );
    });

    afterAll(async () => {
      await Promise.all([stage.receiver.close(), stage.silent.close()]);
    });

    /** True if the OpenAPI document and the service's tables of roles allow the operation. */
    const mayMember = (
      role: MemberRole,
      operation: string,
      environment: Environment = 'test',
    ): boolean => {
      const rights = rightsOf.get(operation)?.rights ?? '';
      const roles = (MEMBER_RIGHTS as Readonly<Record<string, readonly string[] | null>>)[rights];
      if (roles != null) return roles.includes(role);
      const scopes: readonly string[] = listScopes(role, environment);
      return rights.split(' ').every((scope) => scopes.includes(scope));
    };

    /** The operations whose elements the visitor sees. */
    const findOffered = async <Ids>(
      visitor: Visitor,
      offers: readonly Offer<Ids>[],
      find: (path: string) => string,
      ids: Ids,
    ): Promise<string[]> => {
      const offered: string[] = [];
      let shown = '';
      for (const { operation, path, role, name, open } of offers) {
        const address = find(path(ids));
        if (address !== shown || open !== undefined) await visitor.visit(address);
        shown = address;
        await open?.(visitor.page);
        const found = visitor.page.getByRole(role, { name, exact: typeof name === 'string' });
        if ((await found.count()) > 0) offered.push(operation);
      }
      return offered;
    };

    it('is tested for each operation that changes something', () => {
      const changing = Object.keys(OPERATIONS).filter(
        (id) => rightsOf.get(id)?.method !== 'GET' && ![...READS, ...BESIDE].includes(id as never),
      );
      const tested = [...TENANT_OFFERS, ...OPERATOR_OFFERS].map(({ operation }) => operation);
      expect(tested.sort()).toEqual(changing.sort());
    });

    it.each(ROLES)('is for %s exactly what the API allows', async (role) => {
      const visitor = await running().member(tenant, '', role);
      const find = (path: string): string => pathIn(tenant, path);
      const offered = await findOffered(visitor, TENANT_OFFERS, find, stage);
      const allowed = TENANT_OFFERS.map(({ operation }) => operation);
      expect(offered).toEqual(allowed.filter((operation) => mayMember(role, operation)));
      await visitor.close();
      expect(visitor.complaints).toEqual([]);
    });

    it.each(['operator', 'operator_viewer'])(
      'is for %s exactly what the API allows',
      async (role) => {
        const visitor = await running().operator('', role);
        const find = (path: string): string => `/console/operator${path}`;
        const offered = await findOffered(visitor, OPERATOR_OFFERS, find, operatorStage);
        const allowed = OPERATOR_OFFERS.map(({ operation }) => operation);
        expect(offered).toEqual(role === 'operator' ? allowed : []);
        for (const [, path] of OPERATOR_PAGES) await visitor.visit(find(path(tenant)));
        await visitor.close();
        expect(visitor.complaints).toEqual([]);
      },
    );

    const expectPages = async (
      role: MemberRole,
      environment: Environment,
      pages: readonly (readonly [name: string, address: string])[],
    ): Promise<void> => {
      const visitor = await running().member(tenant, '', role);
      const shown: string[] = [];
      const expected: string[] = [];
      /** Links to pages that are closed to the role. */
      const closed: string[] = [];
      for (const [name, address] of pages) {
        const page = findTenantPage(address.split('?')[0] ?? '');
        if (page === undefined) continue;
        const { needs } = TENANT_PAGES[page];
        if (needs.every((each) => mayMember(role, each, environment))) expected.push(name);
        await visitor.visit(pathIn(tenant, address, environment));
        const refused = visitor.page.getByRole('heading', { name: 'No access', exact: true });
        if ((await refused.count()) === 0) shown.push(name);
        for (const link of await visitor.links()) {
          const target = findTenantPage(
            /^\/console\/t\/[^/]+\/(?:live|test)([^?]*)/.exec(link)?.[1] ?? '',
          );
          const isOpen =
            target === undefined ||
            TENANT_PAGES[target].needs.every((each) => mayMember(role, each, environment));
          if (!isOpen) closed.push(`${name} links to ${target}`);
        }
      }
      expect(shown).toEqual(expected);
      expect([...new Set(closed)]).toEqual([]);
      await visitor.close();
      // The browser reports each refused call, so there was none.
      expect(visitor.complaints).toEqual([]);
    };

    it.each(ROLES)('shows the role %s the pages that it may read, and asks for no other', (role) =>
      expectPages(
        role,
        'test',
        STAGE_PAGES.map(([name, path]) => [name, path(stage)]),
      ),
    );

    it.each(ROLES)(
      'shows the role %s the pages that it may read in the live environment too',
      (role) => expectPages(role, 'live', listPages()),
    );
  },
  WAIT_LIMIT_MS,
);
