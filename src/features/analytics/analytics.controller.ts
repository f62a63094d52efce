import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Audited, ForOperator } from '../../http/pipeline/audience';
import type { Page } from '../../http/lists/pagination';
import { Answer, AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { TenantDirectory } from '../../directories/tenant.directory';
import { type Analyst, AnalystStore } from './analyst.store';
import {
  AnalystResource,
  CreateAnalystBody,
  ExportChunk,
  ExportQuery,
  KnownAnalyst,
  Verification,
  VerifyBody,
} from './analytics.dto';
import { ExportRows } from './export.queries';
import { VerifyProjections } from './verify.queries';

@ApiTags('Operator')
@Controller('operator/v1')
@ForOperator()
export class AnalyticsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly analysts: AnalystStore,
    private readonly tenants: TenantDirectory,
  ) {}

  @Audited('analyst.created', 'analyst')
  @Post('analysts')
  @Refuses('analysts_need_postgresql', 'role_name_in_use')
  @Does(
    'Creates a database role that may read the schema `analytics` and nothing else.',
    'Works only with DATABASE_URL. The role can only read, has time limits of 60 s and at most five connections; with `tenant_id` it sees the rows of that tenant only. If the analyst exists already, it gets a new password. Another role of that name is never changed.',
  )
  @Answer(AnalystResource, { status: 201 })
  createAnalyst(@Body() { name, tenant_id: tenantId }: CreateAnalystBody): Promise<Analyst> {
    if (tenantId !== undefined) this.tenants.requireUndeleted(tenantId, 'tenant_id');
    return this.analysts.create(name, tenantId ?? null);
  }

  @Get('analysts')
  @Does('Lists the database roles of analysts.', 'The list is short: one page.')
  @AnswerPage(KnownAnalyst)
  async listAnalysts(): Promise<Page<KnownAnalyst>> {
    const data = await this.analysts.list();
    return { data, has_more: false, next_cursor: null, previous_cursor: null };
  }

  @Audited('analytics.exported', 'view')
  @Get('exports')
  @Refuses('invalid_cursor', 'resource_not_found')
  @Does(
    'Exports a view of the schema `analytics`, oldest rows first.',
    'The rows contain no personal data.',
  )
  @Answer(ExportChunk)
  export(
    @Query() { view, tenant_id: tenantId, environment, rows = 1_000, after }: ExportQuery,
  ): Promise<ExportChunk> {
    this.tenants.require(tenantId, 'tenant_id');
    return this.queries.execute(new ExportRows({ tenantId, environment }, view, { rows, after }));
  }

  @Post('projections/verify')
  @Refuses('resource_not_found')
  @Does(
    'Compares read models with the log.',
    'Computes the rows of a sample of subscribers again from their events, and reports every row that differs.',
  )
  @Answer(Verification)
  verify(@Body() { sample = 100, subscriber_id }: VerifyBody): Promise<Verification> {
    const asked = { sample, subscriberId: subscriber_id ?? null };
    return this.queries.execute(new VerifyProjections(asked));
  }
}
