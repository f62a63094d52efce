import type { TenantDirectory } from '../../directories/tenant.directory';
import { createSystemContext } from '../../event-store/system-context';
import type { Scope, TenantContext } from '../../kernel/scope';
import type { Clock } from '../../kernel/time';

/**
 * Creates the command contexts for storing memberships, and remembers the position of the last one.
 */
export class CohortWrites {
  /** Log position of the last membership that this process stored; -1 for none. */
  lastPosition = -1n;

  constructor(
    private readonly tenants: TenantDirectory,
    private readonly clock: Clock,
  ) {}

  createContext(scope: Scope): TenantContext {
    return {
      ...createSystemContext('cohorts', this.clock),
      scope,
      tenant: { id: scope.tenantId, name: this.tenants.require(scope.tenantId).name },
      wrote: (position) => {
        if (position > this.lastPosition) this.lastPosition = position;
      },
    };
  }
}
