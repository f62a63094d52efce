import { BUSINESS_PAGES } from './business/table';
import { DEVELOPER_PAGES } from './developer/table';
import { Home } from './home/home';
import { OPERATOR_PAGE_COMPONENTS } from './operator/table';
import type { PageComponent } from './page-component';
import { Search } from './search';
import type { TenantPagePath } from '../rights';
import { TEAM_PAGES } from './team/table';

export { OPERATOR_PAGE_COMPONENTS };

/** The pages of a tenant, by the part of their address below the tenant. */
export const TENANT_PAGE_COMPONENTS: Readonly<Record<TenantPagePath, PageComponent>> = {
  '': Home,
  '/search': Search,
  ...DEVELOPER_PAGES,
  ...BUSINESS_PAGES,
  ...TEAM_PAGES,
};
