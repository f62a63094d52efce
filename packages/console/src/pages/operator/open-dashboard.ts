import { callOperator } from '../../api/calls';
import { callConsole } from '../../api/console-api';
import { type Session, signIn } from '../../api/session';

/** A one-time link into a tenant's dashboard. */
export const makeDashboardLink = async (tenantId: string, role: string): Promise<string> => {
  const body = { tenant_id: tenantId, role };
  return (await callOperator<{ url: string }>('/console_links', { method: 'POST', body })).url;
};

/** Signs in to a tenant's dashboard in this browser, with a link that is made and spent at once. */
export const openDashboard = async (tenantId: string, role: string): Promise<void> => {
  const token = new URL(await makeDashboardLink(tenantId, role)).hash.slice(1);
  signIn(await callConsole<Session>('/session/link', { method: 'POST', body: { token } }));
};
