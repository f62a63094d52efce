import { callOperator } from '../../api/calls';
import { callConsole } from '../../api/console-api';
import { type Session, signIn } from '../../api/session';

/** A one-time link to a tenant's dashboard. */
export const makeDashboardLink = async (tenantId: string, role: string): Promise<string> => {
  const body = { tenant_id: tenantId, role };
  return (await callOperator<{ url: string }>('/console_links', { method: 'POST', body })).url;
};

/**
 * Opens a tenant's dashboard in this browser, by a one-time link that is created and used at once.
 */
export const openDashboard = async (tenantId: string, role: string): Promise<void> => {
  const token = new URL(await makeDashboardLink(tenantId, role)).hash.slice(1);
  signIn(await callConsole<Session>('/session/link', { method: 'POST', body: { token } }));
};

/**
 * Returns the address of the tenant's page that offers to open the tenant's dashboard at an object.
 */
export const createFindHref = (tenantId: string, environment: string | null, id: string): string =>
  `/console/operator/tenants/${tenantId}?${new URLSearchParams({ environment: environment ?? 'live', find: id }).toString()}`;
