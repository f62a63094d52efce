import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Answer, Does } from '../../http/answers';
import { Caller, Requires } from '../../http/decorators';
import type { Principal } from '../../http/request-facts';
import { MetricDefinition, MetricQuery, MetricSeries, RecoveryQuery, toCsv } from './metric.dto';
import { definitionOf, GetMetric, type MetricRequest } from './metric.queries';

const CSV = 'text/csv';
const WITH_CSV = 'With `Accept: text/csv` as `timestamp,value,partial,sample_size`.';

@ApiTags('Metrics')
@Controller('v1/metrics')
export class MetricController {
  constructor(private readonly queries: QueryBus) {}

  @Get('recovery')
  @Requires('metrics:read')
  @Does('Measures how many failed recurring payments were recovered.', WITH_CSV)
  @Answer(MetricSeries)
  recovery(
    @Caller() caller: Principal,
    @Query() query: RecoveryQuery,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MetricSeries | string> {
    return this.answer(reply, accept, new GetMetric(caller.scope, 'recovery', requestOf(query)));
  }

  @Get(':metric')
  @Requires('metrics:read')
  @Does('Gets another series: MRR, churn, conversion, deliveries, tickets and more.', WITH_CSV)
  @Answer(MetricSeries)
  get(
    @Caller() caller: Principal,
    @Param('metric') name: string,
    @Query() query: MetricQuery,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MetricSeries | string> {
    return this.answer(reply, accept, new GetMetric(caller.scope, name, requestOf(query)));
  }

  @Get(':metric/definition')
  @Requires('metrics:read')
  @Does('Says how a metric is computed and what it leaves out.')
  @Answer(MetricDefinition)
  definition(@Param('metric') name: string): MetricDefinition {
    return definitionOf(name);
  }

  private async answer(
    reply: FastifyReply,
    accept: string | undefined,
    query: GetMetric,
  ): Promise<MetricSeries | string> {
    const series = await this.queries.execute(query);
    if (accept?.includes(CSV) !== true) return series;
    void reply.header('content-type', `${CSV}; charset=utf-8`);
    return toCsv(series);
  }
}

const requestOf = (query: MetricQuery | RecoveryQuery): MetricRequest => Object.assign({}, query);
