import type { EventStoreConnection } from '../event-store/connection';
import { Directory } from '../event-store/directory';
import { streams } from '../event-store/streams';
import {
  apiKeyAggregate,
  type ApiKey,
  type KnownApiKey,
  requireKey,
} from '../domain/api-keys/api-key.decider';
import { type ApiKeyFact, apiKeyEvents } from '../domain/api-keys/api-key.events';

/**
 * All API keys in memory, updated from the log: a revoked key stops working in all processes within
 * milliseconds.
 */
export class ApiKeyDirectory extends Directory<ApiKey, ApiKeyFact> {
  constructor(connection: EventStoreConnection) {
    super({ connection, category: 'api_key', decider: apiKeyAggregate, events: apiKeyEvents });
  }

  find(keyId: string): KnownApiKey | null {
    const key = this.get(streams.apiKey(keyId).name);
    return key?.status === 'known' ? key : null;
  }

  /** Returns the keys of a tenant that are not revoked. */
  listUnrevoked(tenantId: string): KnownApiKey[] {
    return this.listStates()
      .filter((key) => key.status === 'known')
      .filter((key) => key.tenantId === tenantId && key.revokedAt === null);
  }

  /** Returns a key of the tenant or throws `resource_not_found`. */
  requireInTenant(tenantId: string, keyId: string): KnownApiKey {
    const key = this.find(keyId);
    return requireKey(key?.tenantId === tenantId ? key : undefined);
  }
}
