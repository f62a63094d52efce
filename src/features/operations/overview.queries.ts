import type { Config } from '../../config/config';
import type { Runtime } from '../../config/runtime';
import { readOutages } from '../../delivery/journal/outages';
import type { DestinationDirectory } from '../../directories/destination.directory';
import type { ImportDirectory } from '../../directories/import.directory';
import type { TenantDirectory } from '../../directories/tenant.directory';
import { type KnownDestination, getStatus } from '../../domain/destinations/destination.decider';
import { readNewestPosition } from '../../event-store/catch-up';
import type { EventStoreConnection } from '../../event-store/connection';
import { PROJECTOR_CHECKPOINT, readCheckpoint } from '../../projections/checkpoint';
import type { Database } from '../../read-models/database';
import type { HealthChecks } from './health-checks';
import type { Overview } from './operations.dto';

const PROBLEM_TENANTS_MAX = 20;
/** A process that has not written its heartbeat for this long is not listed. */
const HEARTBEAT_WITHIN = "interval '30 seconds'";

interface JobCounts {
  readonly replays_running: number;
  readonly rebuilds_running: number;
  readonly unprojected_events: number;
}

export interface OverviewParts {
  readonly checks: HealthChecks;
  readonly connection: EventStoreConnection;
  readonly database: Database;
  readonly tenants: TenantDirectory;
  readonly destinations: DestinationDirectory;
  readonly imports: ImportDirectory;
  readonly runtime: Runtime;
  readonly config: Config;
}

/** Reads the state of the installation, over all tenants. */
export class OverviewReader {
  constructor(private readonly parts: OverviewParts) {}

  async read(): Promise<Overview> {
    const { checks, tenants, destinations, imports } = this.parts;
    const [checked, projector, jobs, failing] = await Promise.all([
      checks.check(),
      this.readProjector(),
      this.countJobs(),
      this.listFailing(),
    ]);
    const known = tenants.listUndeleted();
    return {
      checks: checked,
      projector,
      processes: await this.readProcesses(projector.process),
      tenants: known.length,
      tenants_suspended: known.filter(({ suspendedAt }) => suspendedAt !== null).length,
      destinations: destinations.listEverywhere().length,
      destinations_failing: failing.length,
      ...jobs,
      imports_running: imports.countUnfinished(),
      problem_tenants: this.listProblemTenants(failing),
    };
  }

  private async readProjector(): Promise<Overview['projector']> {
    const { database, connection } = this.parts;
    const { owner, position } = await readCheckpoint(database, PROJECTOR_CHECKPOINT);
    const end = await readNewestPosition(connection);
    return {
      process: owner,
      projected_to: position === null ? null : String(position.commit),
      log_end: end === null ? null : String(end.commit),
    };
  }

  /**
   * Reads the processes that dispatch, replay or project, and adds this process with its configured
   * roles.
   */
  private async readProcesses(projects: string | null): Promise<Overview['processes']> {
    const { database, runtime, config } = this.parts;
    const rows = await database.query<{ id: string; runs: string }>({
      name: 'processes at work',
      text: `select instance_id as id, 'dispatcher' as runs from dispatchers
          where seen_at > now() - ${HEARTBEAT_WITHIN}
        union all select owner, replay_id from replay_leases
          where seen_at > now() - ${HEARTBEAT_WITHIN}`,
    });
    const runs = new Map<string, Set<string>>([[runtime.instanceId, new Set(config.roles)]]);
    const addRole = (id: string, what: string): void => {
      runs.set(id, (runs.get(id) ?? new Set()).add(what));
    };
    for (const row of rows) addRole(row.id, row.runs);
    if (projects !== null) addRole(projects, 'projector');
    return [...runs].map(([id, what]) => ({ id, runs: [...what].sort() }));
  }

  private async countJobs(): Promise<JobCounts> {
    const [row] = await this.parts.database.query<JobCounts>({
      name: 'jobs at work',
      text: `select
        (select count(*)::int from replays where status in ('queued', 'in_progress'))
          as replays_running,
        (select count(*)::int from rebuilds where status in ('queued', 'in_progress'))
          as rebuilds_running,
        (select count(*)::int from unprojected_events) as unprojected_events`,
    });
    if (row === undefined) throw new Error('the count returned no row');
    return row;
  }

  private async listFailing(): Promise<KnownDestination[]> {
    const all = this.parts.destinations.listEverywhere();
    const outages = await readOutages(this.parts.database, all);
    return all.filter((destination) => {
      const { disabled, id } = destination;
      return getStatus(destination) === 'disabled'
        ? disabled?.reason !== 'manual'
        : outages.get(id)?.failing_since != null;
    });
  }

  private listProblemTenants(failing: readonly KnownDestination[]): Overview['problem_tenants'] {
    const counts = new Map<string, number>();
    for (const { scope } of failing) {
      counts.set(scope.tenantId, (counts.get(scope.tenantId) ?? 0) + 1);
    }
    return [...counts]
      .sort(([, a], [, b]) => b - a)
      .slice(0, PROBLEM_TENANTS_MAX)
      .map(([id, count]) => ({
        tenant_id: id,
        name: this.parts.tenants.find(id)?.name ?? id,
        destinations_failing: count,
      }));
  }
}
