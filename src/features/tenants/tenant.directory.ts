import { Directory } from '../../event-store/directory';
import type { EventStoreConnection } from '../../event-store/connection';
import { streams } from '../../event-store/streams';
import { type KnownTenant, requireTenant, tenantAggregate, type Tenant } from './tenant.decider';
import { type TenantFact, tenantEvents } from './tenant.events';

/** All tenants, live in memory. */
export class TenantDirectory extends Directory<Tenant, TenantFact> {
  constructor(connection: EventStoreConnection) {
    super({ connection, category: 'tenant', decider: tenantAggregate, events: tenantEvents });
  }

  /** The tenant, or `resource_not_found`. */
  require(tenantId: string): KnownTenant {
    return requireTenant(this.get(streams.tenant(tenantId).name));
  }
}
