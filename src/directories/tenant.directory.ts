import { notFound } from '../kernel/errors';
import { Directory } from '../event-store/directory';
import type { EventStoreConnection } from '../event-store/connection';
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
  listKnown(): KnownTenant[] {
    return this.listEveryone().filter(({ deletedAt }) => deletedAt === null);
  }

  /** Returns all deleted tenants. */
  listDeleted(): KnownTenant[] {
    return this.listEveryone().filter(({ deletedAt }) => deletedAt !== null);
  }

  find(tenantId: string): KnownTenant | null {
    const tenant = this.get(streams.tenant(tenantId).name);
    return tenant?.status === 'known' ? tenant : null;
  }

  /**
   * Returns the tenant with the id that a request names, or throws an error with the name of the
   * parameter.
   */
  requireNamed(tenantId: string, param: string): KnownTenant {
    const tenant = this.find(tenantId);
    if (tenant?.deletedAt !== null) throw notFound('tenant', param);
    return tenant;
  }

  /**
   * Returns the tenant even if it is deleted, because its settings apply until its data is removed.
   * Throws `resource_not_found`.
   */
  require(tenantId: string): KnownTenant {
    return requireTenant(this.get(streams.tenant(tenantId).name));
  }

  /** Returns a tenant that is not deleted or throws `resource_not_found`. */
  requireUndeleted(tenantId: string): KnownTenant {
    return requireUndeleted(this.get(streams.tenant(tenantId).name));
  }

  private listEveryone(): KnownTenant[] {
    return this.listStates().filter((tenant) => tenant.status === 'known');
  }
}
