import {
  Command,
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  Query,
  QueryHandler,
} from '@nestjs/cqrs';
import { Aggregates } from '../../event-store/aggregates';
import { EventStoreConnection } from '../../event-store/connection';
import { streams } from '../../event-store/streams';
import { notFound } from '../../kernel/errors';
import { newId } from '../../kernel/ids';
import { scopeName, type TenantContext } from '../../kernel/scope';
import { requireFreeId } from '../../kernel/required-ids';
import { storeMembers } from '../../replay/progress/members';
import {
  cancelReplay,
  type KnownReplay,
  replayAggregate,
  requestReplay,
  requireReplay,
} from '../../domain/replays/replay.decider';
import { SelectionIndex } from '../../replay/running/selection';
import { ReplaySlots } from '../../replay/planning/replay-slots';
import type { DryRunResource } from './replay.dto';
import {
  type ReplayPlan,
  type ReplayDraft,
  ReplayPlanner,
  type RetryDraft,
} from '../../replay/planning/replay.planner';

type Draft = ReplayDraft | RetryDraft;

export class RequestReplay extends Command<KnownReplay> {
  constructor(
    readonly context: TenantContext,
    readonly draft: Draft,
  ) {
    super();
  }
}

/** Counts the events that a replay would send, without sending them. */
export class MeasureReplay extends Query<DryRunResource> {
  constructor(
    readonly context: TenantContext,
    readonly draft: Draft,
  ) {
    super();
  }
}

export class CancelReplay extends Command<KnownReplay> {
  constructor(
    readonly context: TenantContext,
    readonly replayId: string,
  ) {
    super();
  }
}

const createPlan = (
  planner: ReplayPlanner,
  context: TenantContext,
  draft: Draft,
): Promise<ReplayPlan> =>
  'retryOf' in draft
    ? planner.planRetry(context.scope, draft)
    : planner.plan({ scope: context.scope, now: context.now, draft });

@CommandHandler(RequestReplay)
export class RequestReplayHandler implements ICommandHandler<RequestReplay> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly connection: EventStoreConnection,
    private readonly planner: ReplayPlanner,
    private readonly places: ReplaySlots,
  ) {}

  async execute({ context, draft }: RequestReplay): Promise<KnownReplay> {
    const id = newId('rep', context.entropy);
    const stream = streams.replay(id);
    if (context.resumed) {
      const { state } = await this.aggregates.load(replayAggregate, stream);
      if (state.status !== 'absent') return state;
    }
    const plan = await createPlan(this.planner, context, draft);
    await this.places.reserve(context, id);
    await storeMembers(this.connection, id, { ids: plan.members, context });
    const { state } = await this.aggregates.run(replayAggregate, stream, context, (moment) =>
      requestReplay({ ...plan.request, id })(moment.state),
    );
    return requireReplay(state);
  }
}

@QueryHandler(MeasureReplay)
export class MeasureReplayHandler implements IQueryHandler<MeasureReplay> {
  constructor(
    private readonly planner: ReplayPlanner,
    private readonly index: SelectionIndex,
  ) {}

  async execute({ context, draft }: MeasureReplay): Promise<DryRunResource> {
    const { request: asked, selection } = await createPlan(this.planner, context, draft);
    const { first, last } = await this.index.findEdges(selection);
    return {
      dry_run: true,
      destination_id: asked.destination_id,
      from: asked.from,
      to: asked.to,
      effective_to: asked.effective_to,
      estimated_event_count: asked.events_matched - asked.events_skipped,
      events_matched: asked.events_matched,
      events_skipped: asked.events_skipped,
      first_event: first,
      last_event: last,
    };
  }
}

@CommandHandler(CancelReplay)
export class CancelReplayHandler implements ICommandHandler<CancelReplay> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ context, replayId }: CancelReplay): Promise<KnownReplay> {
    requireFreeId('rep', replayId, 'replay_id');
    const stream = streams.replay(replayId);
    const { state } = await this.aggregates.run(replayAggregate, stream, context, (moment) => {
      const { state: replay } = moment;
      const own = replay.status !== 'absent' && replay.request.scope === scopeName(context.scope);
      if (!own) throw notFound('replay', 'replay_id');
      return cancelReplay(replay);
    });
    return requireReplay(state);
  }
}
