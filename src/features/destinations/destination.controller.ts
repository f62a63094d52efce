import {
  Body,
  Controller,
  Delete,
  Get,
  HttpStatus,
  Param,
  Patch,
  Post,
  Query,
  Res,
} from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Preview } from '../../delivery/model/channel';
import { Answer, AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { Audited, ForOperator, Requires } from '../../http/pipeline/audience';
import { AsOperator, Caller, InTenant, ReadsOwnWrites } from '../../http/pipeline/decorators';
import type { Page } from '../../http/lists/pagination';
import type { Principal } from '../../http/pipeline/request-facts';
import { requireScopes } from '../../http/pipeline/scopes';
import { type CommandContext, type TenantContext, ENVIRONMENTS } from '../../kernel/scope';
import { TenantDirectory } from '../../directories/tenant.directory';
import type { KnownDestination } from '../../domain/destinations/destination.decider';
import { DestinationActions } from './destination.actions';
import { DestinationDirectory } from '../../directories/destination.directory';
import {
  ChangeDestinationBody,
  DeletedDestination,
  DeleteDestinationQuery,
  DeliveryPreview,
  DestinationResource,
  DestinationTest,
  ListDestinationsAsOperatorQuery,
  ListDestinationsQuery,
  PreviewBody,
  RegisterDestinationAsOperatorBody,
  RegisterDestinationBody,
  RegisteredDestinationResource,
  RotatedSecret,
  RotateSecretBody,
} from './destination.dto';
import type { TestResult } from './destination.trial';

const DELETED_FOR_GOOD = ApiResponse({
  status: 204,
  description: 'Deleted for good (`force=true`).',
});

@ApiTags('Destinations')
@Controller('v1/destinations')
export class DestinationController {
  constructor(
    private readonly actions: DestinationActions,
    private readonly directory: DestinationDirectory,
  ) {}

  @Post()
  @Does('Creates a destination.', 'Its signing secret is shown in this response only.')
  @Refuses('url_not_https', 'url_not_allowed', 'template_invalid', 'destination_limit_reached')
  @Requires('destinations:write')
  @Answer(RegisteredDestinationResource, { status: 201 })
  register(
    @InTenant() context: TenantContext,
    @Body() body: RegisterDestinationBody,
  ): Promise<RegisteredDestinationResource> {
    return this.actions.register(context, context.scope, body);
  }

  @Get()
  @Requires('destinations:read')
  @AnswerPage(DestinationResource)
  list(
    @Caller() { scope }: Principal,
    @Query() { status, ...query }: ListDestinationsQuery,
  ): Promise<Page<DestinationResource>> {
    return this.actions.list(query, this.directory.listInScope(scope), { ...scope, status });
  }

  @Get(':destinationId')
  @Requires('destinations:read')
  @Answer(DestinationResource)
  get(@Caller() { scope }: Principal, @Param('destinationId') id: string): DestinationResource {
    return this.actions.view(this.directory.require(scope, id));
  }

  @Patch(':destinationId')
  @Does(
    'Changes the settings of a destination, or disables or enables it.',
    'No event is lost while it is disabled.',
  )
  @Refuses(
    'url_not_https',
    'url_not_allowed',
    'template_invalid',
    'destination_deleted',
    'invalid_state_transition',
  )
  @Requires('destinations:write')
  @Answer(DestinationResource)
  change(
    @InTenant() context: TenantContext,
    @Param('destinationId') id: string,
    @Body() body: ChangeDestinationBody,
  ): Promise<DestinationResource> {
    return this.actions.change(context, this.directory.require(context.scope, id), body);
  }

  @Post(':destinationId/rotate-secret')
  @Does(
    'Creates a new signing secret.',
    'For 24 hours, or `overlap_hours`, deliveries are signed with both secrets. At most two secrets are valid: another rotation within that time ends the oldest one at once, earlier than its `previous_secret_expires_at` said.',
  )
  @Refuses('destination_deleted', 'invalid_state_transition')
  @Requires('destinations:write')
  @Answer(RotatedSecret)
  rotateSecret(
    @InTenant() context: TenantContext,
    @Param('destinationId') id: string,
    @Body() body: RotateSecretBody,
  ): Promise<RotatedSecret> {
    return this.actions.rotateSecret(context, this.directory.require(context.scope, id), body);
  }

  @Delete(':destinationId')
  @Does(
    'Deletes a destination.',
    'You can restore it for 30 days. With `force=true` it is deleted for good, and the response is 204.',
  )
  @Requires('destinations:write')
  @Answer(DeletedDestination)
  @DELETED_FOR_GOOD
  async delete(
    @InTenant() context: TenantContext,
    @Param('destinationId') id: string,
    @Query() { force }: DeleteDestinationQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DeletedDestination | undefined> {
    const destination = this.directory.require(context.scope, id);
    return sendOrNoContent(await this.actions.delete(context, destination, force ?? false), reply);
  }

  @Post(':destinationId/restore')
  @Does('Restores a deleted destination.', 'Deliveries continue where they stopped.')
  @Refuses('destination_limit_reached')
  @Requires('destinations:write')
  @Answer(DestinationResource)
  restore(
    @InTenant() context: TenantContext,
    @Param('destinationId') id: string,
  ): Promise<DestinationResource> {
    return this.actions.restore(context, this.directory.require(context.scope, id));
  }

  @Audited('destination.tested', 'destination')
  @Post(':destinationId/test')
  @Does('Sends a `test.ping` event now and shows the result.')
  @Refuses('destination_deleted')
  @Requires('destinations:write')
  @Answer(DestinationTest)
  test(@Caller() { scope }: Principal, @Param('destinationId') id: string): Promise<TestResult> {
    return this.actions.test(this.directory.require(scope, id));
  }

  @Post(':destinationId/preview')
  @Does(
    'Shows the exact headers and body of a delivery.',
    'Nothing is sent. X-Service-Attempt is 1. Without `pii_mode` and `schema_version` it is the message that the next attempt would send, with X-Service-Redacted if it shows less than the first one did.',
  )
  @Refuses('destination_deleted', 'subscriber_erased')
  @ReadsOwnWrites()
  @Requires('destinations:write')
  @Answer(DeliveryPreview)
  preview(
    @Caller() { scope, scopes }: Principal,
    @Param('destinationId') id: string,
    @Body() body: PreviewBody,
  ): Promise<Preview> {
    const destination = this.directory.require(scope, id);
    if ((body.pii_mode ?? destination.pii_mode) === 'full') requireScopes(scopes, ['pii:read']);
    return this.actions.preview(destination, body);
  }
}

@ApiTags('Operator')
@Controller('operator/v1/tenants/:tenantId/destinations')
@ForOperator()
export class OperatorDestinationController {
  constructor(
    private readonly actions: DestinationActions,
    private readonly directory: DestinationDirectory,
    private readonly tenants: TenantDirectory,
  ) {}

  @Post()
  @Does('Creates a destination of a tenant.', 'Its signing secret is shown in this response only.')
  @Refuses('url_not_https', 'url_not_allowed', 'template_invalid', 'destination_limit_reached')
  @Answer(RegisteredDestinationResource, { status: 201 })
  register(
    @AsOperator() context: CommandContext,
    @Param('tenantId') tenantId: string,
    @Body() body: RegisterDestinationAsOperatorBody,
  ): Promise<RegisteredDestinationResource> {
    this.tenants.requireUndeleted(tenantId);
    return this.actions.register(context, { tenantId, environment: body.environment }, body);
  }

  @Get()
  @AnswerPage(DestinationResource)
  list(
    @Param('tenantId') tenantId: string,
    @Query() { environment, status, ...query }: ListDestinationsAsOperatorQuery,
  ): Promise<Page<DestinationResource>> {
    this.tenants.requireUndeleted(tenantId);
    const environments = environment === undefined ? ENVIRONMENTS : [environment];
    const items = environments.flatMap((each) =>
      this.directory.listInScope({ tenantId, environment: each }),
    );
    return this.actions.list(query, items, { tenantId, environment, status });
  }

  @Get(':destinationId')
  @Answer(DestinationResource)
  get(
    @Param('tenantId') tenantId: string,
    @Param('destinationId') id: string,
  ): DestinationResource {
    return this.actions.view(this.readDestination(tenantId, id));
  }

  @Patch(':destinationId')
  @Refuses(
    'url_not_https',
    'url_not_allowed',
    'template_invalid',
    'destination_deleted',
    'invalid_state_transition',
  )
  @Answer(DestinationResource)
  change(
    @AsOperator() context: CommandContext,
    @Param('tenantId') tenantId: string,
    @Param('destinationId') id: string,
    @Body() body: ChangeDestinationBody,
  ): Promise<DestinationResource> {
    return this.actions.change(context, this.readDestination(tenantId, id), body);
  }

  @Post(':destinationId/rotate-secret')
  @Refuses('destination_deleted', 'invalid_state_transition')
  @Answer(RotatedSecret)
  rotateSecret(
    @AsOperator() context: CommandContext,
    @Param('tenantId') tenantId: string,
    @Param('destinationId') id: string,
    @Body() body: RotateSecretBody,
  ): Promise<RotatedSecret> {
    return this.actions.rotateSecret(context, this.readDestination(tenantId, id), body);
  }

  @Delete(':destinationId')
  @Answer(DeletedDestination)
  @DELETED_FOR_GOOD
  async delete(
    @AsOperator() context: CommandContext,
    @Param('tenantId') tenantId: string,
    @Param('destinationId') id: string,
    @Query() { force }: DeleteDestinationQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DeletedDestination | undefined> {
    const destination = this.readDestination(tenantId, id);
    return sendOrNoContent(await this.actions.delete(context, destination, force ?? false), reply);
  }

  @Post(':destinationId/restore')
  @Refuses('destination_limit_reached')
  @Answer(DestinationResource)
  restore(
    @AsOperator() context: CommandContext,
    @Param('tenantId') tenantId: string,
    @Param('destinationId') id: string,
  ): Promise<DestinationResource> {
    return this.actions.restore(context, this.readDestination(tenantId, id));
  }

  @Audited('destination.tested', 'destination')
  @Post(':destinationId/test')
  @Refuses('destination_deleted')
  @Answer(DestinationTest)
  test(
    @Param('tenantId') tenantId: string,
    @Param('destinationId') id: string,
  ): Promise<TestResult> {
    return this.actions.test(this.readDestination(tenantId, id));
  }

  @Audited('destination.previewed', 'destination')
  @Post(':destinationId/preview')
  @Refuses('destination_deleted', 'subscriber_erased')
  @Answer(DeliveryPreview)
  preview(
    @Param('tenantId') tenantId: string,
    @Param('destinationId') id: string,
    @Body() body: PreviewBody,
  ): Promise<Preview> {
    return this.actions.preview(this.readDestination(tenantId, id), body);
  }

  private readDestination(tenantId: string, id: string): KnownDestination {
    this.tenants.require(tenantId);
    return this.directory.requireInTenant(tenantId, id);
  }
}

/** Sets the status 204 if there is no body to return. */
const sendOrNoContent = <T>(answer: T | null, reply: FastifyReply): T | undefined => {
  if (answer !== null) return answer;
  void reply.status(HttpStatus.NO_CONTENT);
  return undefined;
};
