import { Readable } from 'node:stream';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiConsumes, ApiExtension, ApiTags } from '@nestjs/swagger';
import { Answer, AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { ForOperator, Requires } from '../../http/pipeline/audience';
import { Caller, InTenant, ShownBy } from '../../http/pipeline/decorators';
import { validateAs } from '../../http/fields/validation';
import { MEDIA } from '../../http/reference/openapi-node';
import { THIS_MONTH } from '../../http/reference/openapi-dates';
import type { Page } from '../../http/lists/pagination';
import type { Principal } from '../../http/pipeline/request-facts';
import type { TenantContext } from '../../kernel/scope';
import { CreateImport } from './import.commands';
import { ImportDirectory } from '../../directories/import.directory';
import {
  CreateImportQuery,
  ImportLinesBody,
  ImportResource,
  ListAllImportsQuery,
  ListImportErrorsQuery,
  ListImportsQuery,
  TenantImport,
  viewImport,
} from './import.dto';
import { ImportLineError } from '../../domain/imports/import.events';
import { ListAllImports, ListImportErrors, ListImports } from './import.queries';

const EXAMPLE_LINES = [
  '{"kind":"subscriber","external_id":"crm-1","email":"ada@example.com"}',
  `{"kind":"subscription","external_id":"s-1","subscriber_external_id":"crm-1","plan":"pro","status":"active","current_period_start":"${THIS_MONTH.start}","current_period_end":"${THIS_MONTH.end}"}`,
  `{"kind":"payment","external_id":"p-1","subscription_external_id":"s-1","amount":2000,"currency":"USD","status":"succeeded","occurred_at":"${THIS_MONTH.start}"}`,
].join('\n');

const LINES_TYPE = 'application/x-ndjson';

/** Converts a JSON body to a stream of lines, as if they had been uploaded as a file. */
const readLines = async (body: unknown): Promise<Readable> => {
  const { lines } = await validateAs(ImportLinesBody, body ?? {});
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  return Readable.from([Buffer.from(text)], { objectMode: false });
};

@ApiTags('Imports')
@Controller('v1/imports')
export class ImportController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly directory: ImportDirectory,
  ) {}

  @Post()
  @ShownBy('import.accepted')
  @Refuses('daily_quota_exceeded')
  @Does(
    'Imports subscribers, subscriptions and past payments from lines of JSON.',
    [
      'Each line is one object with an `external_id` of your own, and may refer to lines before it. Send lines as `application/x-ndjson`, one object per line and as many as you like, or as `application/json`, an object with the list `lines` of at most 200 objects.',
      'A wrong line is reported and the other lines are imported. A line with the same content as a line that was imported before counts as imported and changes nothing, so you may send a file again. The order of keys and tags, the time zone of a date and default values that are written out make no difference. Other content under the same `external_id` is reported as `external_id_in_use`, and every line of an erased subscriber as `subscriber_erased`.',
      'A subscription that is `active` renews at its `current_period_end`, and at once if that has passed. If two renewals are due already, the line is refused with `parameter_invalid`: send the period that runs now. The same rule holds for a trial with a payment method. A payment must have the currency of its subscription, otherwise it is reported as `currency_mismatch`.',
      'The file is UTF-8; a line that is not is reported as `invalid_json`. Blank lines and a byte order mark are skipped, lines may end with CR LF, and the report gives the line numbers of the file.',
      'An `Idempotency-Key` belongs to the bytes of the file: with another file the response is 422 `idempotency_key_reused`, and nothing of that file is stored. An upload that was interrupted leaves its key unused.',
      'The imports of one environment run one after the other, in the order in which they were accepted. Imports of different environments take turns.',
    ].join('\n\n'),
  )
  @ApiConsumes('application/json', LINES_TYPE)
  @ApiBody({ required: true, type: ImportLinesBody })
  @ApiExtension(MEDIA, {
    [LINES_TYPE]: {
      schema: {
        type: 'string',
        description: 'JSON objects, one per line.',
        example: EXAMPLE_LINES,
      },
    },
  })
  @Requires('subscribers:write', 'subscriptions:write', 'payments:write')
  @Answer(ImportResource, { status: 202 })
  async create(
    @InTenant() context: TenantContext,
    @Body() body: unknown,
    @Query() { deliver = false }: CreateImportQuery,
  ): Promise<ImportResource> {
    const lines = body instanceof Readable ? body : await readLines(body);
    return viewImport(await this.commands.execute(new CreateImport(context, lines, deliver)));
  }

  @Get()
  @Does('Lists the imports of the environment, newest first.')
  @Requires('subscribers:read')
  @AnswerPage(ImportResource)
  list(
    @Caller() { scope }: Principal,
    @Query() query: ListImportsQuery,
  ): Promise<Page<ImportResource>> {
    return this.queries.execute(new ListImports(scope, query));
  }

  @Get(':importId')
  @Does('Shows how far an import has come.')
  @Requires('subscribers:read')
  @Answer(ImportResource)
  get(@Caller() { scope }: Principal, @Param('importId') id: string): ImportResource {
    return viewImport(this.directory.require(scope, id));
  }

  @Get(':importId/errors')
  @Does('Lists the lines that could not be imported, in their order.')
  @Requires('subscribers:read')
  @AnswerPage(ImportLineError)
  errors(
    @Caller() { scope }: Principal,
    @Param('importId') id: string,
    @Query() query: ListImportErrorsQuery,
  ): Promise<Page<ImportLineError>> {
    return this.queries.execute(new ListImportErrors(scope, id, query));
  }
}

@ApiTags('Operator')
@ForOperator()
@Controller('operator/v1/imports')
export class OperatorImportController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Does('Lists the imports of all tenants, newest first.')
  @AnswerPage(TenantImport)
  list(@Query() query: ListAllImportsQuery): Promise<Page<TenantImport>> {
    return this.queries.execute(new ListAllImports(query));
  }
}
