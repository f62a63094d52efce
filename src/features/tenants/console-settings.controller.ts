import { Body, Controller, Get, Patch, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { TenantDirectory } from '../../directories/tenant.directory';
import { Answer, Does } from '../../http/pipeline/answers';
import { ForMember } from '../../http/pipeline/audience';
import { AsMember } from '../../http/pipeline/decorators';
import { getMembership } from '../../http/pipeline/request-facts';
import type { CommandContext } from '../../kernel/scope';
import { ChangeTenant } from './tenant.commands';
import { ChangeOwnSettingsBody, toChanges, TenantResource, viewTenant } from './tenant.dto';

/** The settings that a tenant changes itself. Quotas belong to the operator. */
@ApiTags('Console')
@Controller('console/v1/settings')
export class ConsoleSettingsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly tenants: TenantDirectory,
  ) {}

  @Get()
  @ForMember('tenant')
  @Does('Shows the name and the settings of the tenant.')
  @Answer(TenantResource)
  get(@Req() request: FastifyRequest): TenantResource {
    return viewTenant(this.tenants.require(getMembership(request).tenant.id));
  }

  @Patch()
  @ForMember('settings')
  @Does('Changes the name and the settings of the tenant.', 'Quotas are set by the operator.')
  @Answer(TenantResource)
  async change(
    @AsMember() context: CommandContext,
    @Req() request: FastifyRequest,
    @Body() body: ChangeOwnSettingsBody,
  ): Promise<TenantResource> {
    const { id } = getMembership(request).tenant;
    return viewTenant(await this.commands.execute(new ChangeTenant(context, id, toChanges(body))));
  }
}
