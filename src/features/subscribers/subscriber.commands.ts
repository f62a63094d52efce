import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Aggregates } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import { Vault } from '../../event-store/vault';
import { DomainError, notFound } from '../../kernel/errors';
import { newSubscriberId } from '../../kernel/ids';
import { scopeName, type TenantContext } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { requireFreeId, requireSubscriberId } from '../../kernel/required-ids';
import { clockAggregate, requireClock, getTime } from '../../domain/clocks/clock.decider';
import {
  type Subscriber,
  subscriberAggregate,
  type SubscriberStreamFact,
} from '../../domain/subscriber-stream/subscriber.aggregate';
import {
  type EngagementReport,
  observeEngagement,
  type ProfileChange,
  registerSubscriber,
  type Registration,
  updateSubscriber,
} from '../../domain/subscribers/subscriber.decider';
import type { Erasure } from './subscriber.dto';
import { Eraser } from '../../services/erasure/eraser';
import { ExternalSubscriberIds } from '../../services/external-ids/external-subscriber-ids';

/** The state of a subscriber after a command. */
export interface WrittenSubscriber {
  readonly id: string;
  readonly subscriber: Subscriber;
  readonly sequence: number;
}

export class RegisterSubscriber extends Command<WrittenSubscriber> {
  constructor(
    readonly context: TenantContext,
    readonly fields: Omit<Registration, 'actor'>,
  ) {
    super();
  }
}

export class UpdateSubscriber extends Command<WrittenSubscriber> {
  constructor(
    readonly context: TenantContext,
    readonly id: string,
    readonly change: ProfileChange,
  ) {
    super();
  }
}

export class ObserveEngagement extends Command<WrittenSubscriber> {
  constructor(
    readonly context: TenantContext,
    readonly id: string,
    readonly engagement: EngagementReport,
  ) {
    super();
  }
}

export class EraseSubscriber extends Command<Erasure> {
  constructor(
    readonly context: TenantContext,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(RegisterSubscriber)
export class RegisterSubscriberHandler implements ICommandHandler<RegisterSubscriber> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly vault: Vault,
    private readonly externalIds: ExternalSubscriberIds,
    private readonly eraser: Eraser,
  ) {}

  async execute({ context: asked, fields }: RegisterSubscriber): Promise<WrittenSubscriber> {
    const context = await this.moveToClockTime(asked, fields.testClock);
    const id =
      fields.externalId === null
        ? newSubscriberId(context.entropy)
        : await this.externalIds.choose(context.scope, fields.externalId);
    await this.vault.create(id, context);
    const stream = streams.subscriber(context.scope, id);
    const { state, facts, revision } = await this.aggregates.run(
      subscriberAggregate,
      stream,
      { ...context, assumesNew: true },
      (moment) => registerSubscriber({ ...fields, actor: context.actor })(moment.state),
    );
    if (facts.length === 0) throw externalIdInUseError();
    await this.removeIfClockDeleted(context, id, fields.testClock);
    return { id, subscriber: state, sequence: revision + 1 };
  }

  /** Returns the context at the clock's time if the subscriber has a test clock. */
  private async moveToClockTime(
    context: TenantContext,
    testClock: string | null,
  ): Promise<TenantContext> {
    if (testClock === null) return context;
    requireFreeId('clock', testClock, 'test_clock');
    const { state } = await this.aggregates.load(clockAggregate, streams.clock(testClock));
    const clock = requireClock(state, scopeName(context.scope), 'test_clock');
    return { ...context, now: getTime(clock) };
  }

  /**
   * Removes the new subscriber if its test clock was deleted during the registration. The deletion
   * removed only the subscribers that existed at its time.
   */
  private async removeIfClockDeleted(
    context: TenantContext,
    id: string,
    testClock: string | null,
  ): Promise<void> {
    if (testClock === null) return;
    const { state } = await this.aggregates.load(clockAggregate, streams.clock(testClock));
    if (state.status !== 'deleted') return;
    await this.eraser.remove(context, id);
    throw notFound('test_clock', 'test_clock');
  }
}

@CommandHandler(UpdateSubscriber)
export class UpdateSubscriberHandler implements ICommandHandler<UpdateSubscriber> {
  constructor(private readonly aggregates: Aggregates) {}

  execute({ context, id, change }: UpdateSubscriber): Promise<WrittenSubscriber> {
    return write(this.aggregates, context, id, updateSubscriber(change, context.actor));
  }
}

@CommandHandler(ObserveEngagement)
export class ObserveEngagementHandler implements ICommandHandler<ObserveEngagement> {
  constructor(private readonly aggregates: Aggregates) {}

  execute({ context, id, engagement }: ObserveEngagement): Promise<WrittenSubscriber> {
    return write(this.aggregates, context, id, (state, now) =>
      observeEngagement(engagement, now, context.actor)(state),
    );
  }
}

@CommandHandler(EraseSubscriber)
export class EraseSubscriberHandler implements ICommandHandler<EraseSubscriber> {
  constructor(private readonly eraser: Eraser) {}

  async execute({ context, id }: EraseSubscriber): Promise<Erasure> {
    requireSubscriberId(id, 'subscriberId');
    const { erasedAt } = await this.eraser.erase(context, id);
    return { id, erased_at: erasedAt };
  }
}

const write = async (
  aggregates: Aggregates,
  context: TenantContext,
  id: string,
  decide: (state: Subscriber, now: Instant) => readonly SubscriberStreamFact[],
): Promise<WrittenSubscriber> => {
  requireSubscriberId(id, 'subscriberId');
  const stream = streams.subscriber(context.scope, id);
  const { state, revision } = await aggregates.run(subscriberAggregate, stream, context, (moment) =>
    decide(moment.state, moment.now),
  );
  return { id, subscriber: state, sequence: revision + 1 };
};

const externalIdInUseError = (): DomainError =>
  new DomainError(
    'external_id_in_use',
    'Another subscriber has this external_id. GET /v1/subscribers?external_id= finds it.',
    { param: 'external_id' },
  );
