import type { PageComponent } from '../page-component';
import { OperatorAuditLog } from './audit-log';
import { Jobs } from './jobs';
import { OperatorSearch } from './operator-search';
import { Overview } from './overview';
import { TenantPage } from './tenant';
import { Tenants } from './tenants';

/** Pages for the operator of the installation. */
export const OPERATOR_PAGES: Readonly<Record<string, PageComponent>> = {
  '': Overview,
  '/tenants': Tenants,
  '/tenants/:id': TenantPage,
  '/jobs': Jobs,
  '/search': OperatorSearch,
  '/audit-log': OperatorAuditLog,
};
