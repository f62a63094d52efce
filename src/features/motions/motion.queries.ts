import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '../../event-store/aggregates';
import { restorePersonal } from '../../event-store/catalogue';
import { streams } from '../../event-store/streams';
import { Vault } from '../../event-store/vault';
import { createPeriodConditions, equalTo, mapPageAsync, readPage } from '../../http/lists/keyset';
import { readMemoryPage } from '../../http/lists/memory-page';
import { Versioned } from '../../http/pipeline/presentation';
import type { Page } from '../../http/lists/pagination';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { requireOwner } from '../../kernel/required-ids';
import { Database } from '../../read-models/database';
import { subscriberAggregate } from '../../domain/subscriber-stream/subscriber.aggregate';
import type { KnownMotion } from '../../domain/motions/motion.decider';
import { MotionDirectory } from '../../directories/motion.directory';
import {
  type ListMotionsQuery,
  type ListRunsQuery,
  type MotionResource,
  NO_RUNS,
  type RunCounts,
  viewMotion,
} from './motion.dto';
import type { MotionRun } from '../../domain/motions/motion.events';
import { requireRun } from '../../domain/motions/run.decider';

export class ListMotions extends Query<Page<MotionResource>> {
  constructor(
    readonly scope: Scope,
    readonly query: ListMotionsQuery,
  ) {
    super();
  }
}

export class GetMotion extends Query<MotionResource> {
  constructor(
    readonly scope: Scope,
    readonly id: string,
  ) {
    super();
  }
}

export class ListRuns extends Query<Page<MotionRun>> {
  constructor(
    readonly scope: Scope,
    readonly motionId: string,
    readonly query: ListRunsQuery,
  ) {
    super();
  }
}

export class GetRun extends Query<Versioned<MotionRun>> {
  constructor(
    readonly scope: Scope,
    readonly id: string,
  ) {
    super();
  }
}

/** Counts the runs that ever reached each state, in SQL over `motion_runs r`. */
export const COUNTS_SQL = `
  count(*) filter (where status <> 'suppressed') as triggered,
  count(*) filter (where presented_at is not null) as presented,
  count(*) filter (where accepted_at is not null) as accepted,
  count(*) filter (where status = 'applied') as applied,
  count(*) filter (where status = 'declined') as declined,
  count(*) filter (where status = 'expired') as expired,
  count(*) filter (where status = 'failed') as failed,
  count(*) filter (where status = 'suppressed') as suppressed`;

/** A row of counts; `bigint` columns arrive as text. */
export type CountRow = Record<keyof RunCounts, string>;

export const readCounts = (row: CountRow): RunCounts => ({
  triggered: Number(row.triggered),
  presented: Number(row.presented),
  accepted: Number(row.accepted),
  applied: Number(row.applied),
  declined: Number(row.declined),
  expired: Number(row.expired),
  failed: Number(row.failed),
  suppressed: Number(row.suppressed),
});

/** Shows motions with the counts of their runs. */
export class MotionViews {
  constructor(private readonly database: Database) {}

  async viewAll(motions: readonly KnownMotion[]): Promise<MotionResource[]> {
    const rows = await this.database.query<CountRow & { motion_id: string }>({
      name: 'motion stats',
      text: `select motion_id, ${COUNTS_SQL} from motion_runs
        where motion_id = any($1) group by motion_id`,
      values: [motions.map(({ id }) => id)],
    });
    const stats = new Map(rows.map((row) => [row.motion_id, readCounts(row)]));
    return motions.map((motion) => viewMotion(motion, stats.get(motion.id) ?? NO_RUNS));
  }

  async view(motion: KnownMotion): Promise<MotionResource> {
    const [view] = await this.viewAll([motion]);
    if (view === undefined) throw new Error('a motion without a view');
    return view;
  }
}

@QueryHandler(ListMotions)
export class ListMotionsHandler implements IQueryHandler<ListMotions> {
  constructor(
    private readonly directory: MotionDirectory,
    private readonly views: MotionViews,
  ) {}

  async execute({ scope, query }: ListMotions): Promise<Page<MotionResource>> {
    const { status } = query;
    const page = await readMemoryPage(query, {
      name: 'motions',
      items: this.directory
        .listInScope(scope)
        .filter((motion) => status === undefined || motion.status === status),
      filters: { scope: scopeName(scope), status },
      keyOf: ({ createdAt, id }) => ({ createdAt, id }),
    });
    return { ...page, data: await this.views.viewAll(page.data) };
  }
}

@QueryHandler(GetMotion)
export class GetMotionHandler implements IQueryHandler<GetMotion> {
  constructor(
    private readonly directory: MotionDirectory,
    private readonly views: MotionViews,
  ) {}

  execute({ scope, id }: GetMotion): Promise<MotionResource> {
    return this.views.view(this.directory.require(scope, id));
  }
}

interface RunRow {
  readonly id: string;
  readonly created_at: Instant;
  readonly run: MotionRun;
  readonly sealed: string | null;
}

@QueryHandler(ListRuns)
export class ListRunsHandler implements IQueryHandler<ListRuns> {
  constructor(
    private readonly database: Database,
    private readonly directory: MotionDirectory,
    private readonly vault: Vault,
  ) {}

  async execute({ scope, motionId, query }: ListRuns): Promise<Page<MotionRun>> {
    const page = await readPage<RunRow>(
      this.database,
      {
        from: 'motion_runs',
        columns: 'id, created_at, run, sealed',
        scope: scopeName(scope),
        conditions: [
          ['motion_id = ?', motionId],
          ...equalTo(query, 'status', 'subscriber_id'),
          ...createPeriodConditions(query),
        ],
      },
      query,
    );
    // The motion is checked after the page, so a malformed request is a 400 even for an unknown
    // motion.
    this.directory.require(scope, motionId);
    return mapPageAsync(page, (row) => this.unseal(row));
  }

  private async unseal({ run, sealed }: RunRow): Promise<MotionRun> {
    const personal = await this.vault.open(run.subscriber_id, sealed ?? undefined);
    const own = (personal?.fields ?? []).filter(([path]) => path[0] === 'run');
    return restorePersonal({ run: run }, own)['run'] as unknown as MotionRun;
  }
}

@QueryHandler(GetRun)
export class GetRunHandler implements IQueryHandler<GetRun> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ scope, id }: GetRun): Promise<Versioned<MotionRun>> {
    const subscriberId = requireOwner('mtr', id, 'runId');
    const stream = streams.subscriber(scope, subscriberId);
    const { state, revision } = await this.aggregates.load(subscriberAggregate, stream);
    return new Versioned(requireRun(state, id), revision + 1);
  }
}
