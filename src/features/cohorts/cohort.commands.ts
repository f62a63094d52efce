import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { setTimeout as delay } from 'node:timers/promises';
import { Aggregates, type Committed } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import { newId } from '../../kernel/ids';
import type { Scope, TenantContext } from '../../kernel/scope';
import { MotionDirectory } from '../../directories/motion.directory';
import {
  changeCohort,
  type Cohort,
  cohortAggregate,
  type CohortChange,
  type CohortDraft,
  createCohort,
  deleteCohort,
  type KnownCohort,
  requireCohort,
} from '../../domain/cohorts/cohort.decider';
import { CohortDirectory } from '../../directories/cohort.directory';
import type { CohortFact } from '../../domain/cohorts/cohort.events';
import type { ReservedObject } from '../../domain/quotas/quota-reservations.decider';
import { Quotas, type QuotaUsage } from '../../services/quotas/quotas';
import { CohortStore } from '../../services/cohort-evaluation/cohort.store';

const VISIBILITY_TIMEOUT_MS = 5_000;
/**
 * A response waits at most this long for the evaluation of memberships, so that its `member_count`
 * is up to date.
 */
const EVALUATION_TIMEOUT_MS = 2_000;
const POLL_MS = 20;

export class CreateCohort extends Command<KnownCohort> {
  constructor(
    readonly context: TenantContext,
    readonly draft: Omit<CohortDraft, 'id' | 'scope'>,
  ) {
    super();
  }
}

export class ChangeCohort extends Command<KnownCohort> {
  constructor(
    readonly context: TenantContext,
    readonly cohortId: string,
    readonly change: CohortChange,
  ) {
    super();
  }
}

export class DeleteCohort extends Command<void> {
  constructor(
    readonly context: TenantContext,
    readonly cohortId: string,
  ) {
    super();
  }
}

/**
 * Waits until this process knows a change of a cohort, and for a limited time until the change is
 * evaluated for all subscribers.
 */
export class CohortChangeWaiter {
  constructor(
    private readonly directory: CohortDirectory,
    private readonly store: CohortStore,
  ) {}

  async waitUntilEvaluated(
    { scope }: TenantContext,
    cohortId: string,
    { state, revision }: Committed<Cohort, CohortFact>,
  ): Promise<KnownCohort> {
    await this.waitUntilLoaded(cohortId, revision);
    const cohort = requireCohort(state, scope);
    const deadline = Date.now() + EVALUATION_TIMEOUT_MS;
    while (Date.now() < deadline && !(await this.store.isEvaluated(cohort))) await delay(POLL_MS);
    return cohort;
  }

  async waitUntilLoaded(cohortId: string, revision: number): Promise<void> {
    await this.directory.waitForRevision(
      streams.cohort(cohortId).name,
      revision,
      VISIBILITY_TIMEOUT_MS,
    );
  }
}

@CommandHandler(CreateCohort)
export class CreateCohortHandler implements ICommandHandler<CreateCohort> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly changeWaiter: CohortChangeWaiter,
    private readonly directory: CohortDirectory,
    private readonly quotas: Quotas,
  ) {}

  async execute({ context, draft }: CreateCohort): Promise<KnownCohort> {
    const id = newId('cohort', context.entropy);
    const { scope } = context;
    await this.quotas.reserve(context, {
      quota: 'max_cohorts',
      id,
      count: () => this.countOthers(scope, id),
      loadObject: (cohortId) => this.loadReserved(cohortId),
    });
    const committed = await this.aggregates.run(
      cohortAggregate,
      streams.cohort(id),
      context,
      ({ state }) => createCohort({ ...draft, id, scope })(state),
    );
    return this.changeWaiter.waitUntilEvaluated(context, id, committed);
  }

  private countOthers(scope: Scope, id: string): QuotaUsage {
    const others = this.directory.listInScope(scope).filter((cohort) => cohort.id !== id);
    return { used: others.length, counted: new Set(others.map((cohort) => cohort.id)) };
  }

  private async loadReserved(cohortId: string): Promise<ReservedObject> {
    const { state } = await this.aggregates.load(cohortAggregate, streams.cohort(cohortId));
    if (state.status === 'absent') return 'absent';
    return state.status === 'deleted' ? 'gone' : 'stored';
  }
}

@CommandHandler(ChangeCohort)
export class ChangeCohortHandler implements ICommandHandler<ChangeCohort> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly directory: CohortDirectory,
    private readonly changeWaiter: CohortChangeWaiter,
  ) {}

  async execute({ context, cohortId, change }: ChangeCohort): Promise<KnownCohort> {
    this.directory.require(context.scope, cohortId);
    const committed = await this.aggregates.run(
      cohortAggregate,
      streams.cohort(cohortId),
      context,
      ({ state }) => changeCohort(context.scope, change)(state),
    );
    return this.changeWaiter.waitUntilEvaluated(context, cohortId, committed);
  }
}

@CommandHandler(DeleteCohort)
export class DeleteCohortHandler implements ICommandHandler<DeleteCohort> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly directory: CohortDirectory,
    private readonly motions: MotionDirectory,
    private readonly changeWaiter: CohortChangeWaiter,
  ) {}

  async execute({ context, cohortId }: DeleteCohort): Promise<void> {
    this.directory.require(context.scope, cohortId);
    const usedBy = this.motions.findUsingCohort(context.scope, cohortId);
    const { revision } = await this.aggregates.run(
      cohortAggregate,
      streams.cohort(cohortId),
      context,
      ({ state, now }) => deleteCohort(context.scope, usedBy, now)(state),
    );
    await this.changeWaiter.waitUntilLoaded(cohortId, revision);
  }
}
