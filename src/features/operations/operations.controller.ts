import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { mapPage, readPage } from '../../http/lists/keyset';
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
  @Does('Shows how the installation does: stores, processes, jobs, and the tenants with problems.')
  @Answer(Overview)
  show(): Promise<Overview> {
    return this.overview.read();
  }

  @Get('usage')
  @Refuses('resource_not_found')
  @Does('Shows how much each tenant has, and had done in a window; newest tenants first.')
  @AnswerPage(Usage)
  usage(@Query() query: ListUsageQuery): Promise<Page<Usage>> {
    return this.usages.list(query);
  }

  @Get('unprojected_events')
  @Does(
    'Lists events that the read models leave out because no row can hold them, newest first.',
    'They are in the log, and were delivered.',
  )
  @AnswerPage(UnprojectedEvent)
  async unprojected(@Query() query: ListUnprojectedQuery): Promise<Page<UnprojectedEvent>> {
    const page = await readPage<UnprojectedEvent>(
      this.database,
      {
        from: 'unprojected_events',
        columns: 'id, created_at, type, stream, position::text as position, error, seen_at',
        scope: null,
        conditions: [
          ['created_at >= ?', query.created_after],
          ['created_at < ?', query.created_before],
        ],
      },
      query,
    );
    return mapPage(page, (row) => row);
  }
}
