import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Answer, AnswerPage, Does, HasVersion, Refuses } from '../../http/pipeline/answers';
import { Requires } from '../../http/pipeline/audience';
import { Caller, InTenant } from '../../http/pipeline/decorators';
import { toInstant } from '../../http/lists/list-query';
import type { Page } from '../../http/lists/pagination';
import { Versioned } from '../../http/pipeline/presentation';
import { requireScopes } from '../../http/pipeline/scopes';
import type { Principal } from '../../http/pipeline/request-facts';
import { DomainError } from '../../kernel/errors';
import type { TenantContext } from '../../kernel/scope';
import { CohortMembership } from '../../services/cohort-evaluation/cohort-membership';
import {
  EraseSubscriber,
  ObserveEngagement,
  RegisterSubscriber,
  UpdateSubscriber,
  type WrittenSubscriber,
} from './subscriber.commands';
import type { ProfileChange } from '../../domain/subscribers/subscriber.decider';
import {
  CreateSubscriberBody,
  EngagementScoreBody,
  Erasure,
  GetSubscriberQuery,
  ListSubscribersQuery,
  toRecord,
  SubscriberResource,
  UpdateSubscriberBody,
  viewSubscriber,
} from './subscriber.dto';
import { GetSubscriber, GetSubscriberAt, ListSubscribers } from './subscriber.queries';

type SubscriberResponse = Promise<Versioned<SubscriberResource>>;

@ApiTags('Subscribers')
@Controller('v1/subscribers')
export class SubscriberController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly membership: CohortMembership,
  ) {}

  @Post()
  @Refuses('external_id_in_use', 'subscriber_erased', 'test_helpers_live_forbidden')
  @Does('Creates a subscriber.')
  @Requires('subscribers:write')
  @HasVersion(false)
  @Answer(SubscriberResource, { status: 201 })
  async create(
    @InTenant() context: TenantContext,
    @Body() body: CreateSubscriberBody,
  ): SubscriberResponse {
    const registration = {
      email: body.email,
      externalId: body.external_id ?? null,
      tags: [...new Set(body.tags)],
      metadata: body.metadata ?? {},
      testClock: readTestClock(context, body),
    };
    // Cohorts are evaluated later, so a new subscriber is in none yet.
    return view(await this.commands.execute(new RegisterSubscriber(context, registration)), []);
  }

  @Get()
  @Does('Lists subscribers, newest first.')
  @Requires('subscribers:read')
  @AnswerPage(SubscriberResource)
  list(
    @Caller() { scope, scopes }: Principal,
    @Query() query: ListSubscribersQuery,
  ): Promise<Page<SubscriberResource>> {
    // A caller who may not read addresses must not learn whether a subscriber has a given one.
    if (query.email !== undefined) requireScopes(scopes, ['pii:read']);
    return this.queries.execute(new ListSubscribers(scope, query));
  }

  @Get(':subscriberId')
  @Does(
    'Shows a subscriber as it is now, or as it was at a moment in the past.',
    'After an erasure the response has `erased_at` and no personal data.',
  )
  @Requires('subscribers:read')
  @HasVersion(false)
  @Answer(SubscriberResource)
  get(
    @Caller() { scope }: Principal,
    @Param('subscriberId') id: string,
    @Query() { at }: GetSubscriberQuery,
  ): Promise<Versioned<SubscriberResource> | SubscriberResource> {
    return at === undefined
      ? this.queries.execute(new GetSubscriber(scope, id))
      : this.queries.execute(new GetSubscriberAt(scope, id, toInstant(at, 'at')));
  }

  @Patch(':subscriberId')
  @Refuses('subscriber_erased')
  @Does('Changes address, tags and metadata.', 'Fields that you leave out keep their value.')
  @Requires('subscribers:write')
  @Answer(SubscriberResource)
  async update(
    @InTenant() context: TenantContext,
    @Param('subscriberId') id: string,
    @Body() body: UpdateSubscriberBody,
  ): SubscriberResponse {
    const change = toChange(body);
    const written = await this.commands.execute(new UpdateSubscriber(context, id, change));
    return view(written, await this.membership.findCohorts(context.scope, id));
  }

  @Put(':subscriberId/engagement_score')
  @Refuses('subscriber_erased')
  @Does(
    'Stores an engagement score that you computed for a subscriber.',
    'Cohorts can select by it. A score that was observed earlier than the stored one is ignored; a score of the same moment replaces it.',
  )
  @Requires('subscribers:write')
  @Answer(SubscriberResource)
  async observe(
    @InTenant() context: TenantContext,
    @Param('subscriberId') id: string,
    @Body() { score, observed_at }: EngagementScoreBody,
  ): SubscriberResponse {
    const observedAt = observed_at === undefined ? null : toInstant(observed_at, 'observed_at');
    const command = new ObserveEngagement(context, id, { score, observedAt });
    const written = await this.commands.execute(command);
    return view(written, await this.membership.findCohorts(context.scope, id));
  }

  @Delete(':subscriberId')
  @Does(
    'Erases the personal data of a subscriber everywhere, also in past events.',
    'Before that, running subscriptions are cancelled, motion runs that wait for an answer expire, credits are voided and tickets are closed. Data that is not personal stays: amounts, dates, states. If the service has several processes, the others drop the data from memory within 30 seconds of the response.',
  )
  @Requires('subscribers:write')
  @HasVersion(true)
  @Answer(Erasure)
  erase(@InTenant() context: TenantContext, @Param('subscriberId') id: string): Promise<Erasure> {
    return this.commands.execute(new EraseSubscriber(context, id));
  }
}

const view = (
  { id, subscriber, sequence }: WrittenSubscriber,
  cohortIds: readonly string[],
): Versioned<SubscriberResource> =>
  new Versioned(viewSubscriber(toRecord(id, subscriber, cohortIds)), sequence);

/** Returns the test clock. Live environments refuse one, because their time cannot be moved. */
const readTestClock = (
  { scope }: TenantContext,
  { test_clock = null }: CreateSubscriberBody,
): string | null => {
  if (test_clock === null || scope.environment === 'test') return test_clock;
  throw new DomainError(
    'test_helpers_live_forbidden',
    'Test clocks exist in test environments only. Use a test key, or leave test_clock out.',
    {
      param: 'test_clock',
    },
  );
};

const toChange = (body: UpdateSubscriberBody): ProfileChange => {
  const { email, tags, tags_add: tagsAdd, tags_remove: tagsRemove, metadata } = body;
  if (tags !== undefined && (tagsAdd !== undefined || tagsRemove !== undefined)) {
    throw new DomainError('parameter_invalid', 'Send tags, or tags_add and tags_remove.', {
      param: tagsAdd === undefined ? 'tags_remove' : 'tags_add',
    });
  }
  return {
    ...(email === undefined ? {} : { email }),
    ...(tags === undefined ? {} : { tags }),
    ...(tagsAdd === undefined ? {} : { tagsAdd }),
    ...(tagsRemove === undefined ? {} : { tagsRemove }),
    ...(metadata === undefined ? {} : { metadata }),
  };
};
