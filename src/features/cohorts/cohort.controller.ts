import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Answer, AnswerNothing, AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { Requires } from '../../http/pipeline/audience';
import { Caller, InTenant, ReadsOwnWrites } from '../../http/pipeline/decorators';
import type { Page } from '../../http/lists/pagination';
import type { Principal } from '../../http/pipeline/request-facts';
import type { TenantContext } from '../../kernel/scope';
import { ChangeCohort, CreateCohort, DeleteCohort } from './cohort.commands';
import {
  ChangeCohortBody,
  CohortDefinitionBody,
  CohortPreview,
  CohortResource,
  CreateCohortBody,
  ListCohortsQuery,
  ListMembersQuery,
  MemberResource,
  PreviewCohortBody,
} from './cohort.dto';
import type { CohortDefinition } from '../../domain/cohorts/cohort.events';
import { CohortPreviews } from './cohort.preview';
import { CohortViews, GetCohort, ListCohorts, ListMembers } from './cohort.queries';

@ApiTags('Cohorts')
@Controller('v1/cohorts')
export class CohortController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly views: CohortViews,
    private readonly previews: CohortPreviews,
  ) {}

  @Post()
  @Refuses('quota_exceeded')
  @Does(
    'Creates a cohort.',
    'Subscribers who match now become members without an event. Subscribers who match later enter with the event `cohort.entered`. ' +
      'Memberships follow every change of a subscriber, usually within a second. An entry and an exit that cancel out within that time may cause no events. `cohort.entered` and `cohort.exited` always alternate, and the last one gives the current membership. Deleting a cohort or erasing a subscriber ends memberships without an event.',
  )
  @Requires('cohorts:write')
  @Answer(CohortResource, { status: 201 })
  async create(
    @InTenant() context: TenantContext,
    @Body() body: CreateCohortBody,
  ): Promise<CohortResource> {
    const cohort = await this.commands.execute(
      new CreateCohort(context, {
        name: body.name,
        description: body.description ?? null,
        definition: toDefinition(body.definition),
      }),
    );
    return this.views.view(cohort);
  }

  @Post('preview')
  @ReadsOwnWrites()
  @Does(
    'Counts who would be in a cohort of this definition, without creating it.',
    'If the definition uses the tenure, subscribers with a test clock are not counted.',
  )
  @Requires('cohorts:read')
  @Answer(CohortPreview)
  preview(
    @InTenant() { scope, now }: TenantContext,
    @Body() { definition }: PreviewCohortBody,
  ): Promise<CohortPreview> {
    return this.previews.preview(scope, toDefinition(definition), now);
  }

  @Get()
  @Does('Lists cohorts, newest first.')
  @Requires('cohorts:read')
  @AnswerPage(CohortResource)
  list(
    @Caller() { scope }: Principal,
    @Query() query: ListCohortsQuery,
  ): Promise<Page<CohortResource>> {
    return this.queries.execute(new ListCohorts(scope, query));
  }

  @Get(':cohortId')
  @Does('Shows a cohort.')
  @Requires('cohorts:read')
  @Answer(CohortResource)
  get(@Caller() { scope }: Principal, @Param('cohortId') id: string): Promise<CohortResource> {
    return this.queries.execute(new GetCohort(scope, id));
  }

  @Patch(':cohortId')
  @Does(
    'Changes a cohort.',
    'A new definition replaces the whole old one; members enter and exit with `reason: definition_changed`.',
  )
  @Requires('cohorts:write')
  @Answer(CohortResource)
  async change(
    @InTenant() context: TenantContext,
    @Param('cohortId') id: string,
    @Body() body: ChangeCohortBody,
  ): Promise<CohortResource> {
    const { name, description, definition } = body;
    const change = {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(definition === undefined ? {} : { definition: toDefinition(definition) }),
    };
    return this.views.view(await this.commands.execute(new ChangeCohort(context, id, change)));
  }

  @Delete(':cohortId')
  @Refuses('cohort_in_use')
  @Does(
    'Deletes a cohort.',
    'Refused with `cohort_in_use` while a motion that is not archived targets it.',
  )
  @Requires('cohorts:write')
  @AnswerNothing()
  delete(@InTenant() context: TenantContext, @Param('cohortId') id: string): Promise<void> {
    return this.commands.execute(new DeleteCohort(context, id));
  }

  @Get(':cohortId/members')
  @Does('Lists the members of a cohort, newest first.')
  @Requires('cohorts:read')
  @AnswerPage(MemberResource)
  members(
    @Caller() { scope }: Principal,
    @Param('cohortId') id: string,
    @Query() query: ListMembersQuery,
  ): Promise<Page<MemberResource>> {
    return this.queries.execute(new ListMembers(scope, id, query));
  }
}

/** Copies the fields of the body to a plain object. */
const toDefinition = (body: CohortDefinitionBody): CohortDefinition => Object.assign({}, body);
