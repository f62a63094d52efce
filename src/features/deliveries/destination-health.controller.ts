import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Page } from '../../http/lists/pagination';
import { AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { ForOperator, Requires } from '../../http/pipeline/audience';
import { Caller } from '../../http/pipeline/decorators';
import type { Principal } from '../../http/pipeline/request-facts';
import {
  DestinationHealth,
  FailingDestination,
  ListDestinationHealthQuery,
  ListFailingDestinationsQuery,
} from './destination-health.dto';
import { DestinationHealthReader } from './destination-health.queries';

@ApiTags('Destinations')
@Controller('v1/destinations/health')
export class DestinationHealthController {
  constructor(private readonly reader: DestinationHealthReader) {}

  @Get()
  @Refuses('resource_not_found')
  @Does(
    'Shows the health of each destination: since when it fails, its waiting deliveries, and its last 24 hours.',
  )
  @Requires('destinations:read')
  @AnswerPage(DestinationHealth)
  list(
    @Caller() { scope }: Principal,
    @Query() query: ListDestinationHealthQuery,
  ): Promise<Page<DestinationHealth>> {
    return this.reader.list(scope, query);
  }
}

@ApiTags('Operator')
@ForOperator()
@Controller('operator/v1/failing_destinations')
export class FailingDestinationController {
  constructor(private readonly reader: DestinationHealthReader) {}

  @Get()
  @Does('Lists the destinations of all tenants that fail, or were disabled because of failures.')
  @AnswerPage(FailingDestination)
  list(@Query() query: ListFailingDestinationsQuery): Promise<Page<FailingDestination>> {
    return this.reader.listFailing(query);
  }
}
