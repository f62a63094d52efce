import type { DestinationDirectory } from '../../directories/destination.directory';
import type { TenantDirectory } from '../../directories/tenant.directory';
import type { KnownTenant } from '../../domain/tenants/tenant.decider';
import { toInstant } from '../../http/lists/list-query';
import { readMemoryPage } from '../../http/lists/memory-page';
import type { Page } from '../../http/lists/pagination';
import { DomainError } from '../../kernel/errors';
import { type Environment, ENVIRONMENTS, scopeName } from '../../kernel/scope';
import type { Clock, Instant } from '../../kernel/time';
import type { Database } from '../../read-models/database';
import type { ListUsageQuery, Usage } from './operations.dto';

interface CountRow {
  readonly scope: string;
  readonly subscribers: string;
  readonly active_subscriptions: string;
  readonly events: string;
  readonly deliveries: string;
}

interface Window {
  readonly from: Instant;
  readonly to: Instant;
}

/** Reads the usage of each tenant, by which operators bill and plan capacity. */
export class UsageReader {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDirectory,
    private readonly destinations: DestinationDirectory,
    private readonly clock: Clock,
  ) {}

  async list(query: ListUsageQuery): Promise<Page<Usage>> {
    const { tenant_id } = query;
    const window = this.readWindow(query);
    const page = await readMemoryPage(query, {
      name: 'usage',
      items:
        tenant_id === undefined
          ? this.tenants.listUndeleted()
          : [this.tenants.requireUndeleted(tenant_id, 'tenant_id')],
      filters: { tenant_id, from: query.from, to: query.to },
      keyOf: ({ createdAt, id }) => ({ createdAt, id }),
    });
    const counts = await this.count(page.data, window);
    return { ...page, data: page.data.map((tenant) => this.toUsage(tenant, window, counts)) };
  }

  private readWindow({ from, to }: ListUsageQuery): Window {
    const now = this.clock.now();
    const window = {
      from:
        from === undefined
          ? (`${now.slice(0, 7)}-01T00:00:00.000Z` as Instant)
          : toInstant(from, 'from'),
      to: to === undefined ? now : toInstant(to, 'to'),
    };
    if (window.from < window.to) return window;
    const param = to === undefined ? 'from' : 'to';
    throw new DomainError('parameter_invalid', 'from must be before to.', { param });
  }

  private async count(
    tenants: readonly KnownTenant[],
    { from, to }: Window,
  ): Promise<Map<string, CountRow>> {
    const scopes = tenants.flatMap(({ id: tenantId }) =>
      ENVIRONMENTS.map((environment) => scopeName({ tenantId, environment })),
    );
    const ids = this.destinations
      .listEverywhere()
      .map(({ id, scope }) => [id, scopeName(scope)] as const);
    const rows = await this.database.query<CountRow>({
      name: 'usage',
      text: `select wanted.scope,
          (select count(*) from subscribers s where s.scope = wanted.scope and s.erased_at is null)
            as subscribers,
          (select count(*) from subscriptions s where s.scope = wanted.scope and s.status = 'active')
            as active_subscriptions,
          (select count(*) from events e where e.scope = wanted.scope
            and e.created_at >= $2 and e.created_at < $3) as events,
          (select count(*) from unnest($4::text[], $5::text[]) as own(id, scope)
            join deliveries d on d.destination_id = own.id
            where own.scope = wanted.scope and d.created_at >= $2 and d.created_at < $3) as deliveries
        from unnest($1::text[]) as wanted(scope)`,
      values: [scopes, from, to, ids.map(([id]) => id), ids.map(([, scope]) => scope)],
    });
    return new Map(rows.map((row) => [row.scope, row]));
  }

  private toUsage(
    { id: tenantId, name }: KnownTenant,
    window: Window,
    counts: ReadonlyMap<string, CountRow>,
  ): Usage {
    const viewEnvironment = (environment: Environment): Usage['live'] => {
      const scope = { tenantId, environment };
      const row = counts.get(scopeName(scope));
      return {
        subscribers: Number(row?.subscribers ?? 0),
        active_subscriptions: Number(row?.active_subscriptions ?? 0),
        events: Number(row?.events ?? 0),
        deliveries: Number(row?.deliveries ?? 0),
        destinations: this.destinations
          .listEverywhere()
          .filter(
            (each) => each.scope.tenantId === tenantId && each.scope.environment === environment,
          ).length,
      };
    };
    return {
      tenant_id: tenantId,
      name,
      ...window,
      live: viewEnvironment('live'),
      test: viewEnvironment('test'),
    };
  }
}
