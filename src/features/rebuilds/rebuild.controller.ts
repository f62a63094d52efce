import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answer, AnswerPage, Does } from '../../http/pipeline/answers';
import { Audited, ForOperator } from '../../http/pipeline/audience';
import { AsOperator } from '../../http/pipeline/decorators';
import type { Page } from '../../http/lists/pagination';
import { DomainError, notFound } from '../../kernel/errors';
import { newId } from '../../kernel/ids';
import type { CommandContext } from '../../kernel/scope';
import { Projections } from '../../projections/projection';
import { RebuildStore } from '../../projections/rebuild-store';
import { RebuildResource, RequestRebuildBody, viewRebuild } from './rebuild.dto';

@ApiTags('Operator')
@Controller('operator/v1/rebuilds')
@ForOperator()
export class RebuildController {
  constructor(
    private readonly store: RebuildStore,
    private readonly projections: Projections,
  ) {}

  /**
   * Builds read models anew from the log, beside the live ones, and swaps them when they are
   * complete. With `compare` it only reports the live rows that differ from the log.
   */
  @Audited('rebuild.requested', 'projections')
  @Post()
  @Answer(RebuildResource, { status: 202 })
  async request(
    @AsOperator() context: CommandContext,
    @Body() body: RequestRebuildBody,
  ): Promise<RebuildResource> {
    const known = this.projections.all.map(({ name }) => name);
    const unknown = body.projections?.find((name) => !known.includes(name));
    if (unknown !== undefined) {
      throw new DomainError(
        'parameter_invalid',
        `There is no projection "${unknown}". There are: ${known.join(', ')}.`,
        {
          param: 'projections',
          details: { value: unknown, projections: known },
        },
      );
    }
    const id = newId('rbd', context.entropy);
    const chosen = [...new Set(body.projections ?? known)];
    const order = { id, projections: chosen, compare: body.compare ?? false };
    return viewRebuild(await this.store.request(order, context.now));
  }

  @Get()
  @Does('Lists the latest 100 rebuilds.')
  @AnswerPage(RebuildResource)
  async list(): Promise<Page<RebuildResource>> {
    const data = (await this.store.list()).map(viewRebuild);
    return { data, has_more: false, next_cursor: null, previous_cursor: null };
  }

  @Get(':rebuildId')
  @Answer(RebuildResource)
  async get(@Param('rebuildId') id: string): Promise<RebuildResource> {
    const found = await this.store.find(id);
    if (found === undefined) throw notFound('rebuild', 'rebuildId');
    return viewRebuild(found);
  }
}
