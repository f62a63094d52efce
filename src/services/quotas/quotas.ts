import type { TenantDirectory } from '../../directories/tenant.directory';
import type { TenantSettings } from '../../domain/tenants/tenant.events';
import { DomainError } from '../../kernel/errors';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Database } from '../../read-models/database';

/** Tables with a limited number of rows, and the setting with the limit. */
const QUOTAS = {
  plans: 'max_plans',
  test_clocks: 'max_test_clocks',
} as const satisfies Record<string, keyof TenantSettings>;

/**
 * Enforces limits of stored objects. They are counted in the read models, so concurrent requests
 * can exceed a limit by a few. That is enough to limit storage and work.
 */
export class Quotas {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDirectory,
  ) {}

  /** Returns the settings of the tenant. */
  readSettings({ tenantId }: Scope): TenantSettings {
    return this.tenants.require(tenantId).settings;
  }

  /** Throws if the limit of the table is reached. An existing row may still be changed. */
  async requireRoom(scope: Scope, table: keyof typeof QUOTAS, id: string): Promise<void> {
    const quota = QUOTAS[table];
    const max = this.readSettings(scope)[quota];
    const [found] = await this.database.query<{ number: number; known: boolean }>({
      name: `room in ${table}`,
      text: `select exists(select from ${table} where scope = $1 and id = $2) as known,
        (select count(*)::int from (select from ${table} where scope = $1 limit $3) as counted) as number`,
      values: [scopeName(scope), id, max],
    });
    if (found !== undefined && !found.known && found.number >= max)
      throw quotaExceededError(quota, max);
  }
}

export const quotaExceededError = (quota: keyof TenantSettings, limit: number): DomainError =>
  new DomainError('quota_exceeded', `At most ${limit} are allowed. Ask your operator for more.`, {
    details: { quota, limit },
  });
