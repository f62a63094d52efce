import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Headers,
  Param,
  Query,
  Res,
  UseGuards,
} from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ShortListQuery } from '../../http/lists/list-query';
import type { Page } from '../../http/lists/pagination';
import { readShortPage } from '../../http/lists/short-list';
import { Answer, AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { Requires } from '../../http/pipeline/audience';
import { Caller } from '../../http/pipeline/decorators';
import type { Principal } from '../../http/pipeline/request-facts';
import { chooseMediaType } from '../../http/pipeline/accept';
import { AddRouteFacts } from '../../http/pipeline/route-facts';
import { METRIC_NAMES, METRICS } from './catalogue';
import {
  MetricDefinition,
  MetricQuery,
  MetricSeries,
  RecoveryQuery,
  Retention,
  RetentionQuery,
} from './metric.dto';
import { formatRetentionCsv, formatSeriesCsv } from './metric.csv';
import {
  createDefinition,
  listDefinitions,
  GetMetric,
  type MetricRequest,
  requireKnownParameters,
} from './metric.queries';
import { GetRetention } from './retention.queries';

const CSV = 'text/csv';
const METRIC_PARAMETER = {
  name: 'metric',
  enum: [...METRIC_NAMES],
  description: 'The name of the metric.',
};
const METRIC_TABLE = [
  '| Metric, unit, parameters of its own | How it is computed |',
  '|---|---|',
  ...METRICS.filter(({ name }) => name !== 'recovery').map(
    ({ name, unit, parameters, formula }) => {
      const own = parameters.map((each) => `\`${each}\``);
      return `| ${[`\`${name}\``, unit.replace('_', ' '), ...own].join(', ')} | ${formula} |`;
    },
  ),
  '| `recovery` | the share or the amounts of failed payments that were recovered; `GET /v1/metrics/recovery` has its measures |',
].join('\n');
const CSV_TEXT =
  'With `Accept: text/csv` the response is CSV: `timestamp,value,partial,sample_size`, or all fields with `csv_columns=all`.';

/** Refuses parameters that the metric does not have, before the query is validated. */
class KnownParameters implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { params, query } = context.switchToHttp().getRequest<FastifyRequest>();
    const { metric = 'recovery' } = params as { metric?: string };
    requireKnownParameters(metric, query as object);
    return true;
  }
}

@ApiTags('Metrics')
@Controller('v1/metrics')
@AddRouteFacts({ rateLimit: 'metrics' })
export class MetricController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Requires('metrics:read')
  @Does('Lists every metric with its definition.', 'Without `limit` the list is one page.')
  @AnswerPage(MetricDefinition)
  list(@Query() query: ShortListQuery): Promise<Page<MetricDefinition>> {
    return readShortPage(query, {
      name: 'metrics',
      items: listDefinitions(),
      idOf: ({ metric }) => metric,
    });
  }

  @Get('recovery')
  @UseGuards(KnownParameters)
  @Requires('metrics:read')
  @Refuses('metric_too_large', 'resource_not_found')
  @Does('Measures how many failed recurring payments were recovered.', CSV_TEXT)
  @Answer(MetricSeries)
  recovery(
    @Caller() caller: Principal,
    @Query() query: RecoveryQuery,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MetricSeries | string> {
    return this.readSeries(caller, 'recovery', { query, accept, reply });
  }

  @Get('retention')
  @Requires('metrics:read')
  @Refuses('resource_not_found')
  @Does(
    'Counts by month how many new subscribers stayed.',
    'A subscriber who came back counts as kept. A pause does not count as an end. The current month is counted as of now. With `Accept: text/csv` the response is CSV: `month,subscribers,kept_0,kept_1,…`, where `kept_1` counts one month later; future months are empty.',
  )
  @Answer(Retention)
  async retention(
    @Caller() { scope }: Principal,
    @Query() query: RetentionQuery,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Retention | string> {
    const retention = await this.queries.execute(new GetRetention(scope, query));
    return present(retention, formatRetentionCsv, { accept, reply });
  }

  @Get(':metric')
  @UseGuards(KnownParameters)
  @Requires('metrics:read')
  @Refuses('metric_too_large', 'resource_not_found')
  @Does(
    'Returns the series of a metric: MRR, churn, conversion, deliveries, tickets and more.',
    `${CSV_TEXT}\n\n${METRIC_TABLE}`,
  )
  @ApiParam(METRIC_PARAMETER)
  @Answer(MetricSeries)
  get(
    @Caller() caller: Principal,
    @Param('metric') name: string,
    @Query() query: MetricQuery,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MetricSeries | string> {
    return this.readSeries(caller, name, { query, accept, reply });
  }

  @Get(':metric/definition')
  @Requires('metrics:read')
  @Does('Explains how a metric is computed and what it excludes.')
  @ApiParam(METRIC_PARAMETER)
  @Answer(MetricDefinition)
  definition(@Param('metric') name: string): MetricDefinition {
    return createDefinition(name);
  }

  private async readSeries(
    { scope }: Principal,
    name: string,
    {
      query: { csv_columns: columns, ...asked },
      ...exchange
    }: Exchange & { readonly query: MetricQuery | RecoveryQuery },
  ): Promise<MetricSeries | string> {
    const request: MetricRequest = Object.assign({}, asked);
    const series = await this.queries.execute(new GetMetric(scope, name, request));
    return present(series, (read) => formatSeriesCsv(read, columns), exchange);
  }
}

interface Exchange {
  readonly accept: string | undefined;
  readonly reply: FastifyReply;
}

/** Returns the result as CSV if the caller accepts that, else unchanged. */
const present = <Result>(
  result: Result,
  format: (result: Result) => string,
  { accept, reply }: Exchange,
): Result | string => {
  if (chooseMediaType(accept, ['application/json', CSV]) !== CSV) return result;
  void reply.header('content-type', `${CSV}; charset=utf-8`);
  return format(result);
};
