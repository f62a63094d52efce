import { Controller, Delete, Get, Param, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { PageParameters } from '../../http/lists/list-query';
import { readMemoryPage } from '../../http/lists/memory-page';
import type { Page } from '../../http/lists/pagination';
import { AnswerNothing, AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { Audited, ForOperator } from '../../http/pipeline/audience';
import { getFacts } from '../../http/pipeline/request-facts';
import { notFound } from '../../kernel/errors';
import { ConsoleSessions } from './console.sessions';
import { SessionItem } from './member.dto';
import { type SessionRow, SessionStore } from './session.store';

@ApiTags('Operator')
@Controller('operator/v1/sessions')
@ForOperator()
export class OperatorSessionController {
  constructor(
    private readonly store: SessionStore,
    private readonly sessions: ConsoleSessions,
  ) {}

  @Get()
  @Does(
    'Lists the sessions of operators in the console, newest first.',
    'Tokens have no session. Sessions of members that are no operators are in the lists of their tenants.',
  )
  @AnswerPage(SessionItem)
  async list(
    @Req() request: FastifyRequest,
    @Query() query: PageParameters,
  ): Promise<Page<SessionItem>> {
    const page = await readMemoryPage(query, {
      name: 'operator sessions',
      items: await this.findAll(),
      filters: {},
      keyOf: ({ created_at, id }) => ({ createdAt: created_at, id }),
    });
    const current = getFacts(request).session?.id ?? null;
    const view = (row: SessionRow): Promise<SessionItem> => this.sessions.viewItem(row, current);
    return { ...page, data: await Promise.all(page.data.map(view)) };
  }

  @Delete(':sessionId')
  @Audited('session.ended', 'session')
  @Refuses('resource_not_found')
  @Does('Ends a session of an operator at once, in every process.')
  @AnswerNothing()
  async end(@Param('sessionId') sessionId: string): Promise<void> {
    const found = (await this.findAll()).some(({ id }) => id === sessionId);
    if (!found) throw notFound('session', 'sessionId');
    await this.store.end(sessionId);
  }

  private async findAll(): Promise<SessionRow[]> {
    return (await this.store.list()).filter(
      (row) => this.sessions.isOpen(row) && this.sessions.toOpenSession(row).operator !== null,
    );
  }
}
