import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Answer, AnswerPage } from '../../http/pipeline/answers';
import { ForOperator } from '../../http/pipeline/audience';
import { AsOperator } from '../../http/pipeline/decorators';
import { pageOf } from '../../http/lists/memory-page';
import { mapPage } from '../../http/lists/keyset';
import type { Page } from '../../http/lists/pagination';
import type { CommandContext } from '../../kernel/scope';
import { ChangeTenant, CreateTenant } from './tenant.commands';
import { TenantDirectory } from '../../directories/tenant.directory';
import {
  ChangeTenantBody,
  changesOf,
  CreateTenantBody,
  ListTenantsQuery,
  settingsOf,
  TenantResource,
  viewTenant,
} from './tenant.dto';

@ApiTags('Operator')
@Controller('operator/v1/tenants')
@ForOperator()
export class TenantController {
  constructor(
    private readonly commands: CommandBus,
    private readonly directory: TenantDirectory,
  ) {}

  @Post()
  @Answer(TenantResource, { status: 201 })
  async create(
    @AsOperator() context: CommandContext,
    @Body() body: CreateTenantBody,
  ): Promise<TenantResource> {
    const draft = { name: body.name, settings: settingsOf(body.settings) };
    return viewTenant(await this.commands.execute(new CreateTenant(context, draft)));
  }

  @Get()
  @AnswerPage(TenantResource)
  async list(@Query() query: ListTenantsQuery): Promise<Page<TenantResource>> {
    const items = this.directory.all().filter((tenant) => tenant.status === 'known');
    const page = await pageOf(query, {
      name: 'tenants',
      items,
      filters: {},
      keyOf: ({ createdAt, id }) => ({ createdAt, id }),
    });
    return mapPage(page, viewTenant);
  }

  @Get(':tenantId')
  @Answer(TenantResource)
  get(@Param('tenantId') tenantId: string): TenantResource {
    return viewTenant(this.directory.require(tenantId));
  }

  @Patch(':tenantId')
  @Answer(TenantResource)
  async change(
    @AsOperator() context: CommandContext,
    @Param('tenantId') tenantId: string,
    @Body() body: ChangeTenantBody,
  ): Promise<TenantResource> {
    const wanted = changesOf(body);
    return viewTenant(await this.commands.execute(new ChangeTenant(context, tenantId, wanted)));
  }
}
