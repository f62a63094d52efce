import type { Readable } from 'node:stream';
import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import { Answer, AnswerPage, Does } from '../../http/answers';
import { Caller, InTenant, Requires, StreamedBody } from '../../http/decorators';
import { THIS_MONTH } from '../../http/openapi-dates';
import type { Page } from '../../http/pagination';
import type { Principal } from '../../http/request-facts';
import type { TenantContext } from '../../kernel/scope';
import { CreateImport } from './import.commands';
import { ImportDirectory } from './import.directory';
import { CreateImportQuery, ImportResource, ListImportErrorsQuery, viewImport } from './import.dto';
import { ImportLineError } from './import.events';
import { ListImportErrors } from './import.queries';

const EXAMPLE = [
  '{"kind":"subscriber","external_id":"crm-1","email":"ada@example.com"}',
  `{"kind":"subscription","external_id":"s-1","subscriber_external_id":"crm-1","plan":"pro","status":"active","current_period_start":"${THIS_MONTH.start}","current_period_end":"${THIS_MONTH.end}"}`,
  `{"kind":"payment","external_id":"p-1","subscription_external_id":"s-1","amount":2000,"currency":"USD","status":"succeeded","occurred_at":"${THIS_MONTH.start}"}`,
].join('\n');

@ApiTags('Imports')
@Controller('v1/imports')
export class ImportController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly directory: ImportDirectory,
  ) {}

  @Post()
  @Does(
    'Imports subscribers, subscriptions and past payments from lines of JSON.',
    'One object per line, each with your own `external_id`; a line may refer to lines before it. ' +
      'A bad line is reported and the rest goes on. A line that says the same as one imported before counts as ok and changes nothing, so a file may be sent again: the order of keys and tags, the zone in which an instant is written and defaults that are spelt out make no difference. Another content under the same `external_id` is reported as `external_id_in_use`. ' +
      'A subscription that is `active` renews from its `current_period_end` on, at once where that has passed; with two renewals due by now ' +
      'the line is refused with `parameter_invalid`: state the period that runs now. The same goes for a trial with a payment method. ' +
      'A payment has the currency of its subscription, else it is reported as `currency_mismatch`. ' +
      'The file is UTF-8: a line that is not is reported as `invalid_json`. ' +
      'Blank lines and a byte order mark are skipped, lines may end in CR LF, and the lines in the report have the numbers of the file. ' +
      'An `Idempotency-Key` stands for the bytes of the file: with another file it answers 422 `idempotency_key_reused`, and nothing of that file is kept. An upload that was cut off leaves its key free. ' +
      'Imports of one environment are worked off in the order of their acceptance; those of different environments take turns.',
  )
  @ApiConsumes('application/x-ndjson')
  @ApiBody({
    required: true,
    schema: { type: 'string', description: 'JSON objects, one per line.', example: EXAMPLE },
  })
  @Requires('subscribers:write', 'subscriptions:write', 'payments:write')
  @Answer(ImportResource, { status: 202 })
  async create(
    @InTenant() context: TenantContext,
    @StreamedBody() body: Readable,
    @Query() { deliver = false }: CreateImportQuery,
  ): Promise<ImportResource> {
    return viewImport(await this.commands.execute(new CreateImport(context, body, deliver)));
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
