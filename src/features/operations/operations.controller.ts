import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { createPeriodConditions, mapPage, readPage } from '../../http/lists/keyset';
import type { Page } from '../../http/lists/pagination';
import { Answer, AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { ForOperator } from '../../http/pipeline/audience';
import { Database } from '../../read-models/database';
import {
  ListUnprojectedQuery,
  ListUsageQuery,
  Overview,
  UnprojectedEvent,
  Usage,
} from './operations.dto';
import { OverviewReader } from './overview.queries';
import { UsageReader } from './usage.queries';

@ApiTags('Operator')
@ForOperator()
@Controller('operator/v1')
export class OperationsController {
  constructor(
    private readonly overview: OverviewReader,
    private readonly usages: UsageReader,
    private readonly database: Database,
  ) {}

  @Get('overview')
  @Does(
    'Shows the state of the installation: stores, processes, jobs, and the tenants with problems.',
  )
  @Answer(Overview)
  show(): Promise<Overview> {
    return this.overview.read();
  }

  @Get('usage')
  @Refuses('resource_not_found')
  @Does('Shows the objects of each tenant and its activity in a window; newest tenants first.')
  @AnswerPage(Usage)
  usage(@Query() query: ListUsageQuery): Promise<Page<Usage>> {
    return this.usages.list(query);
  }

  @Get('unprojected_events')
  @Does(
    'Lists events that are missing in the read models because they could not be written to SQL, newest first.',
    'The events are in the log and are delivered.',
  )
  @AnswerPage(UnprojectedEvent)
  async unprojected(@Query() query: ListUnprojectedQuery): Promise<Page<UnprojectedEvent>> {
    const page = await readPage<UnprojectedEvent>(
      this.database,
      {
        from: 'unprojected_events',
        columns: 'id, created_at, type, stream, position::text as position, error, seen_at',
        scope: null,
        conditions: [...createPeriodConditions(query)],
      },
      query,
    );
    return mapPage(page, (row) => row);
  }
}
