import { Body, Controller, Delete, Get, Param, Post, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { AlsoAnswer, Answer, AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { ForOperator, Requires } from '../../http/pipeline/audience';
import { Caller, InTenant, ReadsOwnWrites } from '../../http/pipeline/decorators';
import { toInstant } from '../../http/lists/list-query';
import type { Page } from '../../http/lists/pagination';
import type { Principal } from '../../http/pipeline/request-facts';
import { AddRouteFacts } from '../../http/pipeline/route-facts';
import { createRefusal } from '../../http/fields/validation';
import { DomainError } from '../../kernel/errors';
import type { TenantContext } from '../../kernel/scope';
import { CancelReplay, MeasureReplay, RequestReplay } from './replay.commands';
import {
  COPIED_BY_RETRY,
  DryRunResource,
  ListAllReplaysQuery,
  ListReplayFailuresQuery,
  ListReplaysQuery,
  ReplayFailureResource,
  ReplayResource,
  RequestReplayBody,
  TenantReplay,
} from './replay.dto';
import type { ReplayDraft, RetryDraft } from '../../replay/planning/replay.planner';
import { ReplayViews, toRecord } from './replay.views';
import { GetReplay, ListAllReplays, ListReplayFailures, ListReplays } from './replay.queries';

/** `POST /v1/replay` has a rate limit of its own (`server.ts`, D-84). */
@ApiTags('Replay')
@Controller('v1/replay')
export class ReplayController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly views: ReplayViews,
  ) {}

  @Post()
  @AddRouteFacts({ endpointLimit: 'replay' })
  @Refuses(
    'invalid_replay_window',
    'destination_deleted',
    'destination_disabled',
    'invalid_state_transition',
    'destination_not_replayable',
    'event_types_not_subscribed',
    'too_many_concurrent_replays',
    // A repeated request is refused if its stored response named a subscriber who was erased since.
    'subscriber_erased',
  )
  @ReadsOwnWrites()
  @Does(
    'Sends the events of a window to a destination again.',
    'The destination may be newer than the events. The job runs in the background. Events are sent in the order of the log, so those of one subscriber come in the order of `sequence`; an event that is tried again may come after newer ones, unless the destination has strict order. Live deliveries go first: while there are any, the replay uses only idle time of the process, but sends at least some 20 events a second. A failing event has three attempts, at once, after 30 s and after another 5 min, and delays no other event, unless the destination has strict order. The window ends at the real time now: events that a test clock dates later cannot be replayed yet. Three jobs may be queued or in progress; a fourth is refused with `too_many_concurrent_replays`. Three calls a minute are allowed, dry runs and refused calls included.',
  )
  @Requires('replay:write', 'events:read')
  @Answer(ReplayResource, { status: 202, description: 'The job, which is queued.' })
  @AlsoAnswer(DryRunResource, {
    status: 200,
    description: 'With `dry_run`: the counts; no job is created.',
  })
  async request(
    @InTenant() context: TenantContext,
    @Body() body: RequestReplayBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReplayResource | DryRunResource> {
    const draft = toDraft(body);
    if (body.dry_run === true) {
      void reply.status(200);
      return this.queries.execute(new MeasureReplay(context, draft));
    }
    const replay = await this.commands.execute(new RequestReplay(context, draft));
    void reply.header('location', `/v1/replay/${replay.request.id}`);
    return this.views.view(toRecord(replay));
  }

  @Get()
  @Does('Lists replays, newest first.')
  @Requires('replay:read')
  @AnswerPage(ReplayResource)
  list(
    @Caller() { scope }: Principal,
    @Query() query: ListReplaysQuery,
  ): Promise<Page<ReplayResource>> {
    return this.queries.execute(new ListReplays(scope, query));
  }

  @Get(':replay_id')
  @Does(
    'Shows a replay.',
    'At every moment `events_matched` is the sum of delivered, failed, pending and skipped. The counts of a job that runs are up to a few seconds old.',
  )
  @Requires('replay:read')
  @Answer(ReplayResource)
  get(@Caller() { scope }: Principal, @Param('replay_id') id: string): Promise<ReplayResource> {
    return this.queries.execute(new GetReplay(scope, id));
  }

  @Get(':replay_id/failures')
  @Does(
    'Lists the events that used up their attempts.',
    '`POST /v1/replay {"retry_of": "rep_…"}` sends them again.',
  )
  @Requires('replay:read')
  @AnswerPage(ReplayFailureResource)
  failures(
    @Caller() { scope }: Principal,
    @Param('replay_id') id: string,
    @Query() query: ListReplayFailuresQuery,
  ): Promise<Page<ReplayFailureResource>> {
    return this.queries.execute(new ListReplayFailures(scope, id, query));
  }

  @Delete(':replay_id')
  @Refuses('replay_not_cancellable')
  @Does(
    'Cancels a replay that is queued or in progress.',
    'Requests that have been sent end and are counted. Events that were delivered stay at the receiver.',
  )
  @Requires('replay:write', 'events:read')
  @Answer(ReplayResource)
  async cancel(
    @InTenant() context: TenantContext,
    @Param('replay_id') id: string,
  ): Promise<ReplayResource> {
    const replay = await this.commands.execute(new CancelReplay(context, id));
    return this.views.view(toRecord(replay));
  }
}

@ApiTags('Operator')
@ForOperator()
@Controller('operator/v1/replays')
export class OperatorReplayController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Does('Lists the replays of all tenants, newest first.')
  @AnswerPage(TenantReplay)
  list(@Query() query: ListAllReplaysQuery): Promise<Page<TenantReplay>> {
    return this.queries.execute(new ListAllReplays(query));
  }
}

const toDraft = (body: RequestReplayBody): ReplayDraft | RetryDraft => {
  const ratePerSecond = body.rate_per_second ?? null;
  if (body.retry_of !== undefined) {
    checkRetry(body);
    return { retryOf: body.retry_of, ratePerSecond };
  }
  const { destination_id, from, to } = body;
  if (destination_id === undefined || from === undefined || to === undefined)
    throw missingError(body);
  return {
    destinationId: destination_id,
    from: toInstant(from, 'from'),
    to: toInstant(to, 'to'),
    eventTypes: body.event_types ?? null,
    subscriberIds: readIds(body.subscriber_ids),
    cohortIds: readIds(body.cohort_ids),
    dedupeStrategy: body.dedupe_strategy ?? 'skip_existing',
    ratePerSecond,
  };
};

const missingError = (body: RequestReplayBody): DomainError =>
  createRefusal(
    (['destination_id', 'from', 'to'] as const)
      .filter((param) => body[param] === undefined)
      .map((param) => ({ param, code: 'parameter_missing', message: `${param} is required.` })),
  );

const readIds = (ids: readonly string[] | undefined): readonly string[] | null =>
  ids === undefined ? null : [...new Set(ids)];

/**
 * Throws if a request with `retry_of` contains a field that the retry copies from the other replay.
 */
const checkRetry = (body: RequestReplayBody): void => {
  const param =
    COPIED_BY_RETRY.find((name) => body[name] !== undefined) ??
    (body.dedupe_strategy === 'skip_existing' ? 'dedupe_strategy' : undefined);
  if (param === undefined) return;
  throw new DomainError('parameter_invalid', `${param} cannot be combined with retry_of.`, {
    param,
  });
};
