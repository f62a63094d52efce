import { Readable } from 'node:stream';
import { Body, Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Answer, Does, Refuses } from '../../http/pipeline/answers';
import { Requires, TestOnly } from '../../http/pipeline/audience';
import { InTenant, ShownBy } from '../../http/pipeline/decorators';
import type { TenantContext } from '../../kernel/scope';
import { CreateImport } from './import.commands';
import { ImportResource, SeedBody, viewImport } from './import.dto';

@ApiTags('Test helpers')
@Controller('v1/test_helpers/seed')
@TestOnly()
export class SeedController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  @ShownBy('import.accepted')
  @Refuses('daily_quota_exceeded')
  @Does(
    'Creates many subscribers in a test environment.',
    'This is an import whose events are not delivered.',
  )
  @Requires('test_helpers:write')
  @Answer(ImportResource, { status: 202 })
  async seed(
    @InTenant() context: TenantContext,
    @Body() { subscribers }: SeedBody,
  ): Promise<ImportResource> {
    const body = Readable.from(seedLines(context.commandId, subscribers));
    return viewImport(await this.commands.execute(new CreateImport(context, body, false)));
  }
}

function* seedLines(seed: string, count: number): Generator<Buffer> {
  for (let i = 1; i <= count; i += 1) {
    const external_id = `seed-${seed}-${i}`;
    const line = {
      kind: 'subscriber',
      external_id,
      email: `reader${i}@example.com`,
      tags: ['seed'],
    };
    yield Buffer.from(`${JSON.stringify(line)}\n`);
  }
}
