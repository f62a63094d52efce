import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Aggregates } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import { newId } from '../../kernel/ids';
import type { Scope, TenantContext } from '../../kernel/scope';
import { CohortDirectory } from '../../directories/cohort.directory';
import { Billing } from '../../services/billing/billing';
import {
  changeMotion,
  createMotion,
  deleteMotion,
  type KnownMotion,
  type Motion,
  motionAggregate,
  type MotionCommand,
  requireMotion,
  changeMotionStatus,
} from '../../domain/motions/motion.decider';
import { MotionDirectory } from '../../directories/motion.directory';
import type { MotionFact, MotionTerms } from '../../domain/motions/motion.events';

const VISIBILITY_TIMEOUT_MS = 5_000;

export class CreateMotion extends Command<KnownMotion> {
  constructor(
    readonly context: TenantContext,
    readonly terms: MotionTerms,
  ) {
    super();
  }
}

export class ChangeMotion extends Command<KnownMotion> {
  constructor(
    readonly context: TenantContext,
    readonly motionId: string,
    readonly change: Partial<MotionTerms>,
  ) {
    super();
  }
}

export class ChangeMotionStatus extends Command<KnownMotion> {
  constructor(
    readonly context: TenantContext,
    readonly motionId: string,
    readonly command: MotionCommand,
  ) {
    super();
  }
}

export class DeleteMotion extends Command<void> {
  constructor(
    readonly context: TenantContext,
    readonly motionId: string,
  ) {
    super();
  }
}

/** Decides changes of motions and waits until this process knows the result. */
export class MotionDefinitions {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly directory: MotionDirectory,
    private readonly cohorts: CohortDirectory,
    private readonly billing: Billing,
  ) {}

  require(scope: Scope, motionId: string): KnownMotion {
    return this.directory.require(scope, motionId);
  }

  async decide(
    context: TenantContext,
    motionId: string,
    decision: (motion: Motion) => MotionFact[],
  ): Promise<Motion> {
    const stream = streams.motion(motionId);
    const { state, revision } = await this.aggregates.run(
      motionAggregate,
      stream,
      context,
      (moment) => decision(moment.state),
    );
    await this.directory.waitForRevision(stream.name, revision, VISIBILITY_TIMEOUT_MS);
    return state;
  }

  /** Throws if a cohort or the plan that the terms name does not exist in the environment. */
  async check(scope: Scope, { cohort_ids = [], offer }: Partial<MotionTerms>): Promise<void> {
    for (const id of cohort_ids) this.cohorts.require(scope, id, 'cohort_ids');
    if (offer?.type === 'plan_switch') {
      await this.billing.requirePlan(scope, offer.to_plan, 'offer.to_plan');
    }
  }
}

@CommandHandler(CreateMotion)
export class CreateMotionHandler implements ICommandHandler<CreateMotion> {
  constructor(private readonly definitions: MotionDefinitions) {}

  async execute({ context, terms }: CreateMotion): Promise<KnownMotion> {
    const { scope } = context;
    await this.definitions.check(scope, terms);
    const id = newId('mot', context.entropy);
    const create = createMotion({ id, scope, terms });
    return requireMotion(await this.definitions.decide(context, id, create), scope);
  }
}

@CommandHandler(ChangeMotion)
export class ChangeMotionHandler implements ICommandHandler<ChangeMotion> {
  constructor(private readonly definitions: MotionDefinitions) {}

  async execute({ context, motionId, change }: ChangeMotion): Promise<KnownMotion> {
    const { scope } = context;
    this.definitions.require(scope, motionId);
    await this.definitions.check(scope, change);
    const decision = changeMotion(scope, change);
    return requireMotion(await this.definitions.decide(context, motionId, decision), scope);
  }
}

@CommandHandler(ChangeMotionStatus)
export class ChangeMotionStatusHandler implements ICommandHandler<ChangeMotionStatus> {
  constructor(private readonly definitions: MotionDefinitions) {}

  async execute({ context, motionId, command }: ChangeMotionStatus): Promise<KnownMotion> {
    const { scope } = context;
    this.definitions.require(scope, motionId);
    const decision = changeMotionStatus(scope, command);
    return requireMotion(await this.definitions.decide(context, motionId, decision), scope);
  }
}

@CommandHandler(DeleteMotion)
export class DeleteMotionHandler implements ICommandHandler<DeleteMotion> {
  constructor(private readonly definitions: MotionDefinitions) {}

  async execute({ context, motionId }: DeleteMotion): Promise<void> {
    this.definitions.require(context.scope, motionId);
    const decision = deleteMotion(context.scope, context.now);
    await this.definitions.decide(context, motionId, decision);
  }
}
