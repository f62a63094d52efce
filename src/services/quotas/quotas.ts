import type { TenantDirectory } from '../../directories/tenant.directory';
import type { TenantSettings } from '../../domain/tenants/tenant.events';
import { DomainError } from '../../kernel/errors';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Database } from '../../read-models/database';

/** The tables whose rows are limited, and the setting that says how many there may be. */
const QUOTAS = {
  plans: 'max_plans',
  test_clocks: 'max_test_clocks',
} as const satisfies Record<string, keyof TenantSettings>;

/**
 * How much a tenant may keep. What is counted in the read models can be passed by a few where many
 * requests come at the same instant: a quota bounds storage and work, it is no reservation.
 */
export class Quotas {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDirectory,
  ) {}

  /** What the tenant's settings say. */
  of({ tenantId }: Scope): TenantSettings {
    return this.tenants.require(tenantId).settings;
  }

  /** Refuses one more row of the table; a row that exists may be changed. */
  async requireRoom(scope: Scope, table: keyof typeof QUOTAS, id: string): Promise<void> {
    const quota = QUOTAS[table];
    const max = this.of(scope)[quota];
    const [found] = await this.database.query<{ number: number; known: boolean }>({
      name: `room in ${table}`,
      text: `select exists(select from ${table} where scope = $1 and id = $2) as known,
        (select count(*)::int from (select from ${table} where scope = $1 limit $3) as counted) as number`,
      values: [scopeName(scope), id, max],
    });
    if (found !== undefined && !found.known && found.number >= max) throw quotaExceeded(quota, max);
  }
}

export const quotaExceeded = (quota: keyof TenantSettings, limit: number): DomainError =>
  new DomainError('quota_exceeded', `At most ${limit} are allowed. Ask your operator for more.`, {
    details: { quota, limit },
  });
