import { Directory } from '../event-store/directory';
import type { EventStoreConnection } from '../event-store/connection';
import { requirePrefix } from '../kernel/required-ids';
import { streams } from '../event-store/streams';
import {
  type KnownTenant,
  requireTenant,
  requireUndeleted,
  tenantAggregate,
  type Tenant,
} from '../domain/tenants/tenant.decider';
import { type TenantFact, tenantEvents } from '../domain/tenants/tenant.events';

/** All tenants in memory, updated from the log. */
export class TenantDirectory extends Directory<Tenant, TenantFact> {
  constructor(connection: EventStoreConnection) {
    super({ connection, category: 'tenant', decider: tenantAggregate, events: tenantEvents });
  }

  /** Returns all tenants that are not deleted. */
  listUndeleted(): KnownTenant[] {
    return this.listAll().filter(({ deletedAt }) => deletedAt === null);
  }

  /** Returns all deleted tenants. */
  listDeleted(): KnownTenant[] {
    return this.listAll().filter(({ deletedAt }) => deletedAt !== null);
  }

  find(tenantId: string): KnownTenant | null {
    const tenant = this.get(streams.tenant(tenantId).name);
    return tenant?.status === 'known' ? tenant : null;
  }

  /**
   * Returns the tenant even if it is deleted, because its settings apply until its data is removed.
   * Throws `resource_not_found` with the parameter that named it.
   */
  require(tenantId: string, param = 'tenantId'): KnownTenant {
    requirePrefix('tnt', tenantId, param);
    return requireTenant(this.get(streams.tenant(tenantId).name), param);
  }

  /**
   * Returns a tenant that is not deleted, or throws `resource_not_found` with the parameter that
   * named it.
   */
  requireUndeleted(tenantId: string, param = 'tenantId'): KnownTenant {
    requirePrefix('tnt', tenantId, param);
    return requireUndeleted(this.get(streams.tenant(tenantId).name), param);
  }

  private listAll(): KnownTenant[] {
    return this.listStates().filter((tenant) => tenant.status === 'known');
  }
}
