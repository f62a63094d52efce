import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { OperatorTokenDirectory } from '../../directories/operator-token.directory';
import { requireToken } from '../../domain/operator-tokens/operator-token.decider';
import { PageParameters } from '../../http/lists/list-query';
import { mapPage } from '../../http/lists/keyset';
import { readMemoryPage } from '../../http/lists/memory-page';
import type { Page } from '../../http/lists/pagination';
import { Answer, AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { ForOperator, ForRootOperator } from '../../http/pipeline/audience';
import { AsOperator } from '../../http/pipeline/decorators';
import type { CommandContext } from '../../kernel/scope';
import {
  CreateOperatorToken,
  type IssuedToken,
  RevokeOperatorToken,
  RotateOperatorToken,
} from './operator-token.commands';
import {
  CreateOperatorTokenBody,
  IssuedOperatorTokenResource,
  OperatorTokenResource,
  readTokenExpiry,
  RotateOperatorTokenBody,
  viewToken,
} from './operator-token.dto';

const ROOT_ONLY =
  'Needs the root token, which is `OPERATOR_TOKEN` or the one that the service keeps in its data directory.';

@ApiTags('Operator')
@Controller('operator/v1/operator_tokens')
@ForOperator()
export class OperatorTokenController {
  constructor(
    private readonly commands: CommandBus,
    private readonly tokens: OperatorTokenDirectory,
  ) {}

  @Post()
  @ForRootOperator()
  @Refuses('insufficient_scope')
  @Does(
    'Creates an operator token for one person or machine.',
    `The token is shown in this response only. ${ROOT_ONLY}`,
  )
  @Answer(IssuedOperatorTokenResource, { status: 201 })
  async create(
    @AsOperator() context: CommandContext,
    @Body() { name, expires_at }: CreateOperatorTokenBody,
  ): Promise<IssuedOperatorTokenResource> {
    const expiresAt = readTokenExpiry(expires_at, context.now);
    return viewIssued(
      await this.commands.execute(new CreateOperatorToken(context, { name, expiresAt })),
    );
  }

  @Get()
  @Does('Lists the operator tokens, newest first, without their secrets.')
  @AnswerPage(OperatorTokenResource)
  async list(@Query() query: PageParameters): Promise<Page<OperatorTokenResource>> {
    const page = await readMemoryPage(query, {
      name: 'operator tokens',
      items: this.tokens.listAll(),
      filters: {},
      keyOf: ({ createdAt, id }) => ({ createdAt, id }),
    });
    return mapPage(page, viewToken);
  }

  @Post(':tokenId/rotate')
  @ForRootOperator()
  @Refuses('insufficient_scope', 'invalid_state_transition')
  @Does(
    'Replaces an operator token with a new one of the same name. The old token works until the overlap ends.',
    `The new token is shown in this response only. ${ROOT_ONLY}`,
  )
  @Answer(IssuedOperatorTokenResource, { status: 201 })
  async rotate(
    @AsOperator() context: CommandContext,
    @Param('tokenId') tokenId: string,
    @Body() { overlap_hours, expires_at }: RotateOperatorTokenBody,
  ): Promise<IssuedOperatorTokenResource> {
    const { id } = requireToken(this.tokens.find(tokenId) ?? undefined);
    const expiresAt = readTokenExpiry(expires_at, context.now);
    const options = { overlapHours: overlap_hours ?? 24, expiresAt };
    return viewIssued(await this.commands.execute(new RotateOperatorToken(context, id, options)));
  }

  @Delete(':tokenId')
  @ForRootOperator()
  @Refuses('insufficient_scope')
  @Does(
    'Revokes an operator token at once.',
    `Sessions of the console and links that were made with it end too. ${ROOT_ONLY}`,
  )
  @Answer(OperatorTokenResource)
  async revoke(
    @AsOperator() context: CommandContext,
    @Param('tokenId') tokenId: string,
  ): Promise<OperatorTokenResource> {
    const { id } = requireToken(this.tokens.find(tokenId) ?? undefined);
    return viewToken(await this.commands.execute(new RevokeOperatorToken(context, id)));
  }
}

const viewIssued = ({ token, text }: IssuedToken): IssuedOperatorTokenResource => ({
  ...viewToken(token),
  token: text,
});
