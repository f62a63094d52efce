import type { JSX } from 'preact';
import { callOperator, createPagePath } from '../../api/calls';
import { Page } from '../../ui/page';
import { AuditTable } from '../team/audit-log';

/** The audit log of all tenants. */
export const OperatorAuditLog = (): JSX.Element => (
  <Page
    title="Audit log"
    about="Who did what, over all tenants: also views of personal data and exports by an operator."
    call={{
      method: 'GET',
      path: '/operator/v1/audit_log',
      sdk: "// The operator's API is called over HTTP; the SDK is for tenants.",
    }}
  >
    <AuditTable
      ofAllTenants
      load={(filters, cursor, signal) =>
        callOperator(createPagePath('/audit_log', filters, cursor), { signal })
      }
    />
  </Page>
);
