import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Page } from '../../http/lists/pagination';
import { Answer, AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { Requires } from '../../http/pipeline/audience';
import { Caller } from '../../http/pipeline/decorators';
import type { Principal } from '../../http/pipeline/request-facts';
import { RouteSays } from '../../http/pipeline/route-facts';
import { METRICS } from './catalogue';
import { MetricDefinition, MetricQuery, MetricSeries, RecoveryQuery, toCsv } from './metric.dto';
import { definitionOf, definitions, GetMetric, type MetricRequest } from './metric.queries';

const CSV = 'text/csv';
const NAMES = [...new Set(METRICS.map(({ name }) => name))];
const TABLE = [
  '| Metric | Unit | Parameters | How it is computed |',
  '|---|---|---|---|',
  ...METRICS.filter(({ name }) => name !== 'recovery').map(
    ({ name, unit, parameters, formula }) =>
      `| \`${name}\` | ${unit} | ${parameters.map((each) => `\`${each}\``).join(', ')} | ${formula} |`,
  ),
].join('\n');
const WITH_CSV = 'With `Accept: text/csv` as `timestamp,value,partial,sample_size`.';

@ApiTags('Metrics')
@Controller('v1/metrics')
@RouteSays({ rateLimit: 'metrics' })
export class MetricController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Requires('metrics:read')
  @Does('Lists every metric with its definition.', 'The list is short: one page.')
  @AnswerPage(MetricDefinition)
  list(): Page<MetricDefinition> {
    return { data: definitions(), has_more: false, next_cursor: null, previous_cursor: null };
  }

  @Get('recovery')
  @Requires('metrics:read')
  @Refuses('metric_too_large', 'resource_not_found')
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
  @Refuses('metric_too_large', 'resource_not_found')
  @Does(
    'Answers the series of a metric: MRR, churn, conversion, deliveries, tickets and more.',
    `${WITH_CSV}\n\n${TABLE}`,
  )
  @ApiParam({ name: 'metric', enum: NAMES, description: 'The name of the metric.' })
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
  @ApiParam({ name: 'metric', enum: NAMES, description: 'The name of the metric.' })
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
