import { callOperator, createPagePath, readAllRows } from '../../api/calls';
import { useLoaded } from '../../api/load';
import type { Tenant } from './tenant-record';

/** The number of tenants whose names are loaded; the newest ones. */
const NAMES_MAX = 1_000;

/** Loads the ids and names of the newest tenants. */
export const useKnownTenants = (): readonly (readonly [id: string, name: string])[] => {
  const { state } = useLoaded('tenant names', (signal) =>
    readAllRows<Tenant>(
      (cursor) => callOperator(createPagePath('/tenants', {}, cursor), { signal }),
      NAMES_MAX,
    ),
  );
  return state.kind === 'ready' ? state.value.data.map(({ id, name }) => [id, name]) : [];
};

/**
 * Returns a function from the id of a tenant to its name. It returns the id for tenants that are
 * not among the newest.
 */
export const useTenantNames = (): ((id: string) => string) => {
  const names = new Map(useKnownTenants());
  return (id) => names.get(id) ?? id;
};
