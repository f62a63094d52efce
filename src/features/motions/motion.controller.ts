import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Answer, AnswerNothing, AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { Requires } from '../../http/pipeline/audience';
import { Caller, InTenant } from '../../http/pipeline/decorators';
import { Versioned } from '../../http/pipeline/presentation';
import type { Page } from '../../http/lists/pagination';
import type { Principal } from '../../http/pipeline/request-facts';
import type { TenantContext } from '../../kernel/scope';
import { ChangeMotion, CreateMotion, DeleteMotion, ChangeMotionStatus } from './motion.commands';
import type { MotionCommand } from '../../domain/motions/motion.decider';
import { MotionDirectory } from '../../directories/motion.directory';
import {
  ChangeMotionBody,
  toChange,
  CreateMotionBody,
  ListMotionsQuery,
  ListRunsQuery,
  MotionPerformance,
  MotionResource,
  RunOutcomeBody,
  PerformanceQuery,
  toTerms,
  TriggerMotionBody,
} from './motion.dto';
import { MotionRun } from '../../domain/motions/motion.events';
import { GetMotion, GetRun, ListMotions, ListRuns, MotionViews } from './motion.queries';
import { toOffer } from './offer.dto';
import { GetPerformance } from './performance.queries';
import { ReportOutcome, TriggerMotion } from './run.commands';

@ApiTags('Motions')
@Controller('v1/motions')
export class MotionController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly directory: MotionDirectory,
    private readonly views: MotionViews,
  ) {}

  @Post()
  @Requires('motions:write')
  @Does('Creates a motion.', 'It is a draft until it is activated.')
  @Answer(MotionResource, { status: 201 })
  async create(
    @InTenant() context: TenantContext,
    @Body() body: CreateMotionBody,
  ): Promise<MotionResource> {
    return this.views.view(await this.commands.execute(new CreateMotion(context, toTerms(body))));
  }

  @Get()
  @Requires('motions:read')
  @Does('Lists motions, newest first.')
  @AnswerPage(MotionResource)
  list(
    @Caller() { scope }: Principal,
    @Query() query: ListMotionsQuery,
  ): Promise<Page<MotionResource>> {
    return this.queries.execute(new ListMotions(scope, query));
  }

  @Get(':motionId')
  @Requires('motions:read')
  @Does('Shows a motion with its stats: how many runs ever reached each state.')
  @Answer(MotionResource)
  get(@Caller() { scope }: Principal, @Param('motionId') id: string): Promise<MotionResource> {
    return this.queries.execute(new GetMotion(scope, id));
  }

  @Patch(':motionId')
  @Refuses('invalid_state_transition')
  @Requires('motions:write')
  @Does('Changes a motion that is not archived.', 'Runs that have begun keep their offer.')
  @Answer(MotionResource)
  async change(
    @InTenant() context: TenantContext,
    @Param('motionId') id: string,
    @Body() body: ChangeMotionBody,
  ): Promise<MotionResource> {
    const { terms } = this.directory.require(context.scope, id);
    const command = new ChangeMotion(context, id, toChange(body, terms.limits));
    return this.views.view(await this.commands.execute(command));
  }

  @Delete(':motionId')
  @Refuses('invalid_state_transition')
  @Requires('motions:write')
  @Does(
    'Deletes a draft.',
    'Only a draft can be deleted. Archive a motion that was active; its runs and figures stay.',
  )
  @AnswerNothing()
  delete(@InTenant() context: TenantContext, @Param('motionId') id: string): Promise<void> {
    return this.commands.execute(new DeleteMotion(context, id));
  }

  @Post(':motionId/activate')
  @Refuses('invalid_state_transition')
  @Requires('motions:write')
  @Does('Activates a draft or paused motion.')
  @Answer(MotionResource)
  activate(
    @InTenant() context: TenantContext,
    @Param('motionId') id: string,
  ): Promise<MotionResource> {
    return this.changeStatus(context, id, 'activate');
  }

  @Post(':motionId/pause')
  @Refuses('invalid_state_transition')
  @Requires('motions:write')
  @Does('Pauses an active motion.', 'Runs that have begun continue.')
  @Answer(MotionResource)
  pause(
    @InTenant() context: TenantContext,
    @Param('motionId') id: string,
  ): Promise<MotionResource> {
    return this.changeStatus(context, id, 'pause');
  }

  @Post(':motionId/archive')
  @Refuses('invalid_state_transition')
  @Requires('motions:write')
  @Does('Archives a motion. This cannot be undone.')
  @Answer(MotionResource)
  archive(
    @InTenant() context: TenantContext,
    @Param('motionId') id: string,
  ): Promise<MotionResource> {
    return this.changeStatus(context, id, 'archive');
  }

  private async changeStatus(
    context: TenantContext,
    id: string,
    command: MotionCommand,
  ): Promise<MotionResource> {
    return this.views.view(
      await this.commands.execute(new ChangeMotionStatus(context, id, command)),
    );
  }

  @Post(':motionId/trigger')
  @Refuses('motion_not_active', 'subscriber_not_eligible', 'subscriber_erased')
  @Requires('motions:trigger')
  @Does(
    'Triggers a motion for a subscriber.',
    'If the subscriber is not eligible, the response is `subscriber_not_eligible`, and `details.reason` says why. ' +
      'Membership in the cohorts is decided by their definitions on the current record of the subscriber, so a change counts even before its `cohort.*` event. ' +
      'An offer is about the primary subscription, the one that the record of the subscriber shows (active before trialing before paused, then the newest). ' +
      'If the offer cannot be given to that subscription, or if a discount would make no coming period cheaper, the reason is `offer_not_applicable`. ' +
      'The results arrive as `motion.*` events.',
  )
  @Answer(MotionRun, { status: 202 })
  async trigger(
    @InTenant() context: TenantContext,
    @Param('motionId') id: string,
    @Body() body: TriggerMotionBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Versioned<MotionRun>> {
    const offerOverride = body.offer_override && toOffer(body.offer_override);
    const request = { subscriberId: body.subscriber_id, offerOverride };
    const { body: run, sequence } = await this.commands.execute(
      new TriggerMotion(context, id, request),
    );
    void reply.header('location', `/v1/motion_runs/${run.id}`);
    // The response only confirms the request. The run and its events show the result.
    return new Versioned({ ...run, status: 'queued', reason: null, ended_at: null }, sequence);
  }

  @Get(':motionId/runs')
  @Requires('motions:read')
  @Does('Lists the runs of a motion, newest first.')
  @AnswerPage(MotionRun)
  runs(
    @Caller() { scope }: Principal,
    @Param('motionId') id: string,
    @Query() query: ListRunsQuery,
  ): Promise<Page<MotionRun>> {
    return this.queries.execute(new ListRuns(scope, id, query));
  }

  @Get(':motionId/performance')
  @Refuses('metric_too_large')
  @Requires('metrics:read')
  @Does(
    'Measures the results of a motion.',
    'Each run counts on the day on which it was triggered, in every state that it ever reached.',
  )
  @Answer(MotionPerformance)
  performance(
    @Caller() { scope }: Principal,
    @Param('motionId') id: string,
    @Query() { window = 'last_30d', granularity = 'day' }: PerformanceQuery,
  ): Promise<MotionPerformance> {
    return this.queries.execute(new GetPerformance(scope, id, { window, granularity }));
  }
}

@ApiTags('Motions')
@Controller('v1/motion_runs')
export class MotionRunController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get(':runId')
  @Requires('motions:read')
  @Does('Shows a motion run.')
  @Answer(MotionRun)
  get(@Caller() { scope }: Principal, @Param('runId') id: string): Promise<Versioned<MotionRun>> {
    return this.queries.execute(new GetRun(scope, id));
  }

  @Post(':runId/outcome')
  @Refuses('invalid_state_transition', 'subscriber_erased')
  @Requires('motions:trigger')
  @Does(
    'Reports that an offer was presented, accepted or declined.',
    'An accepted offer is applied at once, completely or not at all: the run is then `applied` or `failed`. It changes the primary subscription of the subscriber. Accepting a `cancel_save` motion also undoes a scheduled cancellation of that subscription (`subscription.cancellation_unscheduled` comes first). A `redirect` does not undo it: that is up to you.',
  )
  @Answer(MotionRun)
  report(
    @InTenant() context: TenantContext,
    @Param('runId') id: string,
    @Body() { outcome, reason }: RunOutcomeBody,
  ): Promise<Versioned<MotionRun>> {
    return this.commands.execute(new ReportOutcome(context, id, outcome, reason ?? null));
  }
}
