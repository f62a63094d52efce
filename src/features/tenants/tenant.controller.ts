import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Answer, AnswerPage, Does } from '../../http/pipeline/answers';
import { ForOperator } from '../../http/pipeline/audience';
import { AsOperator } from '../../http/pipeline/decorators';
import { readMemoryPage } from '../../http/lists/memory-page';
import { mapPage } from '../../http/lists/keyset';
import type { Page } from '../../http/lists/pagination';
import type { CommandContext } from '../../kernel/scope';
import {
  ChangeTenant,
  CreateTenant,
  DeleteTenant,
  ResumeTenant,
  SuspendTenant,
} from './tenant.commands';
import { TenantDirectory } from '../../directories/tenant.directory';
import {
  ChangeTenantBody,
  toChanges,
  CreateTenantBody,
  ListTenantsQuery,
  selectSettings,
  SuspendTenantBody,
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
    const draft = { name: body.name, settings: selectSettings(body.settings) };
    return viewTenant(await this.commands.execute(new CreateTenant(context, draft)));
  }

  @Get()
  @AnswerPage(TenantResource)
  async list(@Query() query: ListTenantsQuery): Promise<Page<TenantResource>> {
    const { status } = query;
    const all =
      status === 'deleted' ? this.directory.listDeleted() : this.directory.listUndeleted();
    const items = all.filter(
      (tenant) => status === undefined || viewTenant(tenant).status === status,
    );
    const page = await readMemoryPage(query, {
      name: 'tenants',
      items,
      filters: { status },
      keyOf: ({ createdAt, id }) => ({ createdAt, id }),
    });
    return mapPage(page, viewTenant);
  }

  @Get(':tenantId')
  @Answer(TenantResource)
  get(@Param('tenantId') tenantId: string): TenantResource {
    return viewTenant(this.directory.require(tenantId));
  }

  @Delete(':tenantId')
  @Does(
    'Deletes a tenant for good.',
    'Its keys and members are refused at once. Soon after, its destinations and members are removed and its subscribers erased.',
  )
  @Answer(TenantResource)
  async delete(
    @AsOperator() context: CommandContext,
    @Param('tenantId') tenantId: string,
  ): Promise<TenantResource> {
    const { id } = this.directory.require(tenantId);
    return viewTenant(await this.commands.execute(new DeleteTenant(context, id)));
  }

  @Patch(':tenantId')
  @Answer(TenantResource)
  async change(
    @AsOperator() context: CommandContext,
    @Param('tenantId') tenantId: string,
    @Body() body: ChangeTenantBody,
  ): Promise<TenantResource> {
    const { id } = this.directory.requireUndeleted(tenantId);
    const wanted = toChanges(body);
    return viewTenant(await this.commands.execute(new ChangeTenant(context, id, wanted)));
  }

  @Post(':tenantId/suspend')
  @HttpCode(200)
  @Does(
    'Suspends a tenant: its API keys and members are refused until it is resumed.',
    'Nothing is lost: renewals, timers and deliveries go on. Suspending it again changes nothing.',
  )
  @Answer(TenantResource)
  async suspend(
    @AsOperator() context: CommandContext,
    @Param('tenantId') tenantId: string,
    @Body() { reason }: SuspendTenantBody,
  ): Promise<TenantResource> {
    const { id } = this.directory.requireUndeleted(tenantId);
    const command = new SuspendTenant(context, id, reason ?? null);
    return viewTenant(await this.commands.execute(command));
  }

  @Post(':tenantId/resume')
  @HttpCode(200)
  @Does('Ends the suspension of a tenant.')
  @Answer(TenantResource)
  async resume(
    @AsOperator() context: CommandContext,
    @Param('tenantId') tenantId: string,
  ): Promise<TenantResource> {
    const { id } = this.directory.requireUndeleted(tenantId);
    return viewTenant(await this.commands.execute(new ResumeTenant(context, id)));
  }
}
