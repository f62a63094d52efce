import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { createPeriodConditions, equalTo, mapPage, readPage } from '../../http/lists/keyset';
import type { Page, PageQuery } from '../../http/lists/pagination';
import { notFound } from '../../kernel/errors';
import { parseScope, type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { requireFreeId } from '../../kernel/required-ids';
import { Database } from '../../read-models/database';
import type { ReplayStatus } from '../../domain/replays/replay.decider';
import type { FailedEvent, FailureReason, ReplayRequest } from '../../domain/replays/replay.events';
import {
  type ListAllReplaysQuery,
  type ListReplaysQuery,
  type ReplayFailureResource,
  type ReplayResource,
  type TenantReplay,
} from './replay.dto';
import { type ReplayRecord, ReplayViews } from './replay.views';

export class GetReplay extends Query<ReplayResource> {
  constructor(
    readonly scope: Scope,
    readonly id: string,
  ) {
    super();
  }
}

export class ListReplays extends Query<Page<ReplayResource>> {
  constructor(
    readonly scope: Scope,
    readonly filters: ListReplaysQuery,
  ) {
    super();
  }
}

/** Lists the replays of all tenants. */
export class ListAllReplays extends Query<Page<TenantReplay>> {
  constructor(readonly filters: ListAllReplaysQuery) {
    super();
  }
}

export class ListReplayFailures extends Query<Page<ReplayFailureResource>> {
  constructor(
    readonly scope: Scope,
    readonly id: string,
    readonly page: PageQuery,
  ) {
    super();
  }
}

interface ReplayRow {
  readonly id: string;
  readonly created_at: Instant;
  readonly status: ReplayStatus;
  readonly request: ReplayRequest;
  readonly started_at: Instant | null;
  readonly finished_at: Instant | null;
  readonly progressed_at: Instant | null;
  readonly failure_reason: FailureReason | null;
  readonly events_matched: string;
  readonly events_delivered: string;
  readonly events_failed: string;
  readonly events_skipped: string;
}

const COLUMNS = `id, created_at, status, request, started_at, finished_at, progressed_at,
  failure_reason, events_matched, events_delivered, events_failed, events_skipped`;

const readRecord = (row: ReplayRow): ReplayRecord => ({
  status: row.status,
  request: row.request,
  createdAt: row.created_at,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
  progressedAt: row.progressed_at,
  failureReason: row.failure_reason,
  eventsMatched: Number(row.events_matched),
  eventsDelivered: Number(row.events_delivered),
  eventsFailed: Number(row.events_failed),
  eventsSkipped: Number(row.events_skipped),
});

const findReplay = async (database: Database, scope: Scope, id: string): Promise<ReplayRow> => {
  requireFreeId('rep', id, 'replay_id');
  const [row] = await database.query<ReplayRow>({
    name: 'replay',
    text: `select ${COLUMNS} from replays where id = $1 and scope = $2`,
    values: [id, scopeName(scope)],
  });
  if (row === undefined) throw notFound('replay', 'replay_id');
  return row;
};

@QueryHandler(GetReplay)
export class GetReplayHandler implements IQueryHandler<GetReplay> {
  constructor(
    private readonly database: Database,
    private readonly views: ReplayViews,
  ) {}

  async execute({ scope, id }: GetReplay): Promise<ReplayResource> {
    return this.views.view(readRecord(await findReplay(this.database, scope, id)));
  }
}

@QueryHandler(ListReplays)
export class ListReplaysHandler implements IQueryHandler<ListReplays> {
  constructor(
    private readonly database: Database,
    private readonly views: ReplayViews,
  ) {}

  async execute({ scope, filters }: ListReplays): Promise<Page<ReplayResource>> {
    const page = await readPage<ReplayRow>(
      this.database,
      {
        from: 'replays',
        columns: COLUMNS,
        scope: scopeName(scope),
        conditions: [
          ...equalTo(filters, 'status', 'destination_id'),
          ...createPeriodConditions(filters),
        ],
      },
      filters,
    );
    return mapPage(page, (row) => this.views.view(readRecord(row)));
  }
}

@QueryHandler(ListAllReplays)
export class ListAllReplaysHandler implements IQueryHandler<ListAllReplays> {
  constructor(
    private readonly database: Database,
    private readonly views: ReplayViews,
  ) {}

  async execute({ filters }: ListAllReplays): Promise<Page<TenantReplay>> {
    const page = await readPage<ReplayRow & { readonly scope: string }>(
      this.database,
      {
        from: 'replays',
        columns: `${COLUMNS}, scope`,
        scope: null,
        conditions: [
          ...equalTo(filters, 'status'),
          [`split_part(scope, '.', 1) = ?`, filters.tenant_id],
          ...createPeriodConditions(filters),
        ],
      },
      filters,
    );
    return mapPage(page, (row) => {
      const { tenantId: tenant_id, environment } = parseScope(row.scope);
      return { tenant_id, environment, replay: this.views.view(readRecord(row)) };
    });
  }
}

type FailureRow = Omit<FailedEvent, 'event_id'> & { readonly id: string };

@QueryHandler(ListReplayFailures)
export class ListReplayFailuresHandler implements IQueryHandler<ListReplayFailures> {
  constructor(private readonly database: Database) {}

  async execute({ scope, id, page }: ListReplayFailures): Promise<Page<ReplayFailureResource>> {
    await findReplay(this.database, scope, id);
    const found = await readPage<FailureRow>(
      this.database,
      {
        from: 'replay_failures',
        columns:
          'id, created_at, event_type, attempts, last_status_code, last_error, last_attempt_at',
        scope: scopeName(scope),
        conditions: [['replay_id = ?', id]],
      },
      page,
    );
    return mapPage(found, ({ id: event_id, created_at: _, ...failure }) => ({
      event_id,
      ...failure,
    }));
  }
}
