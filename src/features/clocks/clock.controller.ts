import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Answer, AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { Requires, TestOnly } from '../../http/pipeline/audience';
import { Caller, InTenant, ShownBy } from '../../http/pipeline/decorators';
import { toInstant } from '../../http/lists/list-query';
import type { Page } from '../../http/lists/pagination';
import type { Principal } from '../../http/pipeline/request-facts';
import type { TenantContext } from '../../kernel/scope';
import { AdvanceClock, CreateClock, DeleteClock } from './clock.commands';
import {
  AdvanceClockBody,
  ClockResource,
  CreateClockBody,
  ListClocksQuery,
  viewClock,
} from './clock.dto';
import { GetClock, ListClocks } from './clock.queries';

@ApiTags('Test helpers')
@Controller('v1/test_helpers/clocks')
@TestOnly()
export class ClockController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Refuses('quota_exceeded')
  @Does(
    'Creates a test clock.',
    'Subscribers created with it live in its time, which stands still until it is advanced. Events that are dated later than the real time cannot be replayed yet.',
  )
  @Requires('test_helpers:write')
  @Answer(ClockResource, { status: 201 })
  async create(
    @InTenant() context: TenantContext,
    @Body() { name = null, frozen_time }: CreateClockBody,
  ): Promise<ClockResource> {
    const frozenTime = toInstant(frozen_time, 'frozen_time');
    return viewClock(await this.commands.execute(new CreateClock(context, name, frozenTime)));
  }

  @Get()
  @Does('Lists the test clocks, newest first. Deleted clocks are not in the list.')
  @Requires('test_helpers:write')
  @AnswerPage(ClockResource)
  list(
    @Caller() { scope }: Principal,
    @Query() query: ListClocksQuery,
  ): Promise<Page<ClockResource>> {
    return this.queries.execute(new ListClocks(scope, query));
  }

  @Get(':clockId')
  @Does('Shows a test clock.')
  @Requires('test_helpers:write')
  @Answer(ClockResource)
  async get(
    @Caller() { scope }: Principal,
    @Param('clockId') clockId: string,
  ): Promise<ClockResource> {
    return viewClock(await this.queries.execute(new GetClock(scope, clockId)));
  }

  @Post(':clockId/advance')
  @Refuses('invalid_state_transition')
  @Does(
    'Moves a test clock forward.',
    'The response comes at once, with the status `advancing`. The status becomes `ready` when everything that was due has happened. If it becomes `internal_failure`, advance the clock again.',
  )
  @Requires('test_helpers:write')
  @Answer(ClockResource)
  async advance(
    @InTenant() context: TenantContext,
    @Param('clockId') clockId: string,
    @Body() { frozen_time }: AdvanceClockBody,
  ): Promise<ClockResource> {
    const target = toInstant(frozen_time, 'frozen_time');
    return viewClock(await this.commands.execute(new AdvanceClock(context, clockId, target)));
  }

  @Delete(':clockId')
  @ShownBy('clock.deleted')
  @Does(
    'Deletes a test clock and its subscribers with all their objects.',
    'Their subscriptions are cancelled and their personal data is erased. Afterwards the subscribers and their subscriptions, payments, refunds, credits, tickets and motion runs answer 404 and are in no list. Only their events stay, without personal data.',
  )
  @Requires('test_helpers:write')
  @Answer(ClockResource)
  async remove(
    @InTenant() context: TenantContext,
    @Param('clockId') clockId: string,
  ): Promise<ClockResource> {
    return viewClock(await this.commands.execute(new DeleteClock(context, clockId)));
  }
}
