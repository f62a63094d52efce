import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Answer, AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { Requires } from '../../http/pipeline/audience';
import { Caller, InTenant } from '../../http/pipeline/decorators';
import type { Page } from '../../http/lists/pagination';
import type { Principal } from '../../http/pipeline/request-facts';
import { DomainError } from '../../kernel/errors';
import type { Currency } from '../../kernel/money';
import type { TenantContext } from '../../kernel/scope';
import { SavePlan } from './plan.commands';
import { ListPlansQuery, PlanResource, SavePlanBody, viewPlan } from './plan.dto';
import { GetPlan, ListPlans, PLAN_ID } from './plan.queries';

@ApiTags('Plans')
@Controller('v1/plans')
export class PlanController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Put(':planId')
  @ApiParam({ name: 'planId', schema: { type: 'string', pattern: PLAN_ID.source } })
  @Does(
    'Creates or changes a plan.',
    'A new price creates a new version of the plan; running periods keep their version. The currency of a plan cannot be changed: create another plan instead.',
  )
  @Refuses('quota_exceeded', 'external_id_in_use', 'currency_mismatch')
  @Requires('subscriptions:write')
  @Answer(PlanResource)
  async save(
    @InTenant() context: TenantContext,
    @Param('planId') id: string,
    @Body() body: SavePlanBody,
  ): Promise<PlanResource> {
    if (!PLAN_ID.test(id)) throw invalidPlanIdError();
    const plan = await this.commands.execute(
      new SavePlan(context, {
        id,
        name: body.name,
        amount: body.amount,
        currency: body.currency as Currency,
        interval: body.interval,
        intervalCount: body.interval_count ?? 1,
        trialDays: body.trial_days ?? 0,
        externalId: body.external_id ?? null,
      }),
    );
    return viewPlan(plan);
  }

  @Get()
  @Requires('subscriptions:read')
  @AnswerPage(PlanResource)
  list(
    @Caller() { scope }: Principal,
    @Query() query: ListPlansQuery,
  ): Promise<Page<PlanResource>> {
    return this.queries.execute(new ListPlans(scope, query));
  }

  @Get(':planId')
  @Requires('subscriptions:read')
  @Answer(PlanResource)
  async get(@Caller() { scope }: Principal, @Param('planId') id: string): Promise<PlanResource> {
    return viewPlan(await this.queries.execute(new GetPlan(scope, id)));
  }
}

/**
 * The plans for callers who read metrics and no subscriptions, such as analysts. A metric of one
 * plan already tells its price.
 */
@ApiTags('Metrics')
@Controller('v1/metrics/plans')
export class MetricPlanController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Requires('metrics:read')
  @Does(
    'Lists the plans by which metrics can be filtered.',
    'The same list as `GET /v1/plans`, for keys that read metrics and no subscriptions.',
  )
  @AnswerPage(PlanResource)
  list(
    @Caller() { scope }: Principal,
    @Query() query: ListPlansQuery,
  ): Promise<Page<PlanResource>> {
    return this.queries.execute(new ListPlans(scope, query));
  }
}

const invalidPlanIdError = (): DomainError =>
  new DomainError(
    'parameter_invalid',
    'planId must have 1 to 64 characters, each a letter, a digit, "_", ".", ":" or "-".',
    { param: 'planId' },
  );
