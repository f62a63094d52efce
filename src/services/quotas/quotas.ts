import type { TenantDirectory } from '../../directories/tenant.directory';
import {
  quotaReservationsAggregate,
  type ReservedObject,
  reserveQuota,
} from '../../domain/quotas/quota-reservations.decider';
import type { TenantSettings } from '../../domain/tenants/tenant.events';
import type { Aggregates } from '../../event-store/aggregates';
import { createReservationContext } from '../../event-store/reservation';
import { streams } from '../../event-store/streams';
import { DomainError } from '../../kernel/errors';
import { type Scope, scopeName, type TenantContext } from '../../kernel/scope';
import type { Clock } from '../../kernel/time';
import type { Database } from '../../read-models/database';

/** The settings of a tenant that limit how much each environment stores. */
export type Quota = Extract<
  keyof TenantSettings,
  'max_plans' | 'max_test_clocks' | 'max_cohorts' | 'max_import_lines_per_day'
>;

/** What the stored objects use of a quota, without the object of the request. */
export interface QuotaUsage {
  readonly used: number;
  /** Those of the asked ids that the count knows. */
  readonly counted: ReadonlySet<string>;
}

export interface QuotaRequest {
  readonly quota: Quota;
  /** The object that is about to be stored. */
  readonly id: string;
  /** The part of the quota that the object uses. Default: 1. */
  readonly amount?: number;
  /** Counts the other objects. `recent` are the ids of the recent reservations. */
  readonly count: (recent: readonly string[]) => QuotaUsage | Promise<QuotaUsage>;
  /** Loads the state of an object from the log. The count may not know it yet. */
  readonly loadObject: (id: string) => Promise<ReservedObject>;
  /** Creates the error of an exceeded quota. Default: `quota_exceeded`. */
  readonly createError?: () => DomainError;
}

/** The rows that count towards a quota. A deleted test clock keeps its row. */
const COUNTED_ROWS = {
  plans: 'true',
  test_clocks: "status <> 'deleted'",
} as const;

/**
 * Enforces limits of stored objects. Each quota of an environment has one small stream with its
 * recent reservations, so that two requests cannot use the same place, even in different processes.
 */
export class Quotas {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly database: Database,
    private readonly tenants: TenantDirectory,
    private readonly clock: Clock,
  ) {}

  /** Returns the settings of the tenant. */
  readSettings({ tenantId }: Scope): TenantSettings {
    return this.tenants.require(tenantId).settings;
  }

  /**
   * Reserves a part of a quota for an object that is about to be stored. Does nothing if the object
   * is stored already. Throws if the quota is exceeded.
   */
  async reserve(context: TenantContext, request: QuotaRequest): Promise<void> {
    const { quota, id, amount = 1, count, loadObject } = request;
    if ((await loadObject(id)) === 'stored') return;
    const { scope } = context;
    const max = this.readSettings(scope)[quota];
    const createError = request.createError ?? (() => createQuotaError(quota, max));
    await this.aggregates.run(
      quotaReservationsAggregate,
      streams.quotaReservations(scope, quota),
      createReservationContext(context, `${quota} ${id} ${context.commandId}`),
      async ({ state }) => {
        const recent = state.recent.map((each) => each.id).filter((each) => each !== id);
        // An object that is stored after the count is found in the log, so the count comes first.
        const { used, counted } = await count(recent);
        const uncounted = recent.filter((each) => !counted.has(each));
        const objects = new Map(
          await Promise.all(uncounted.map(async (each) => [each, await loadObject(each)] as const)),
        );
        const getObject = (each: string): ReservedObject => objects.get(each) ?? 'absent';
        // An upload may have begun long before its lines are reserved.
        const now = this.clock.now();
        const reservation = { id, amount, now, max, used, counted, getObject, createError };
        return reserveQuota(reservation)(state);
      },
    );
  }

  /** Counts the rows of a read model, without the row of `id`. */
  async countRows(
    scope: Scope,
    table: keyof typeof COUNTED_ROWS,
    { id, recent }: { readonly id: string; readonly recent: readonly string[] },
  ): Promise<QuotaUsage> {
    const [found] = await this.database.query<{ used: number; counted: string[] }>({
      name: `used of ${table}`,
      text: `select
        (select count(*)::int from ${table}
          where scope = $1 and id <> $2 and ${COUNTED_ROWS[table]}) as used,
        array(select id from ${table} where scope = $1 and id = any($3)) as counted`,
      values: [scopeName(scope), id, recent],
    });
    return { used: found?.used ?? 0, counted: new Set(found?.counted) };
  }
}

const createQuotaError = (quota: Quota, limit: number): DomainError =>
  new DomainError('quota_exceeded', `At most ${limit} are allowed. Ask your operator for more.`, {
    details: { quota, limit },
  });
