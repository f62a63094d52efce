import type { OperatorPagePath } from '../../rights';
import type { PageComponent } from '../page-component';
import { Analysts } from './analysts';
import { OperatorAuditLog } from './audit-log';
import { Jobs } from './jobs';
import { OperatorSessions } from './operator-sessions';
import { OperatorSearch } from './operator-search';
import { Overview } from './overview';
import { TenantPage } from './tenant';
import { Tenants } from './tenants';
import { UsagePage } from './usage';

/** The pages for operators. */
export const OPERATOR_PAGE_COMPONENTS: Readonly<Record<OperatorPagePath, PageComponent>> = {
  '': Overview,
  '/tenants': Tenants,
  '/tenants/:id': TenantPage,
  '/usage': UsagePage,
  '/analysts': Analysts,
  '/jobs': Jobs,
  '/search': OperatorSearch,
  '/audit-log': OperatorAuditLog,
  '/sessions': OperatorSessions,
};
