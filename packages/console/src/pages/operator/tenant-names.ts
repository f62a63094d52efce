import { callOperator } from '../../api/calls';
import { type ListPage, useLoaded } from '../../api/load';
import type { Tenant } from './tenant-record';

/** The newest tenants as ids and names. */
export const useKnownTenants = (): readonly (readonly [id: string, name: string])[] => {
  const { state } = useLoaded('tenant names', (signal) =>
    callOperator<ListPage<Tenant>>('/tenants?limit=100', { signal }),
  );
  return state.kind === 'ready' ? state.value.data.map(({ id, name }) => [id, name]) : [];
};

/** The names of the newest tenants by their ids; the others are shown by their ids. */
export const useTenantNames = (): ((id: string) => string) => {
  const names = new Map(useKnownTenants());
  return (id) => names.get(id) ?? id;
};
