import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiKeyDirectory } from '../../directories/api-key.directory';
import type { KnownApiKey } from '../../domain/api-keys/api-key.decider';
import type { Page } from '../../http/lists/pagination';
import { Answer, AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { ForMember } from '../../http/pipeline/audience';
import { AsMember } from '../../http/pipeline/decorators';
import { getMembership } from '../../http/pipeline/request-facts';
import { listScopes } from '../../http/pipeline/roles';
import { DomainError } from '../../kernel/errors';
import type { CommandContext, Environment } from '../../kernel/scope';
import { ApiKeyActions } from './api-key.actions';
import {
  ApiKeyResource,
  ChangeApiKeyBody,
  expandScopes,
  IssueApiKeyBody,
  IssuedApiKeyResource,
  ListApiKeysQuery,
  RotateApiKeyBody,
} from './api-key.dto';

/**
 * Lets the members of a tenant manage its API keys. Nobody can give a key a scope that their role
 * lacks.
 */
@ApiTags('Console')
@Controller('console/v1/api_keys')
@ForMember('keys')
export class ConsoleKeyController {
  constructor(
    private readonly actions: ApiKeyActions,
    private readonly keys: ApiKeyDirectory,
  ) {}

  @Get()
  @Does('Lists the API keys of the tenant, newest first.')
  @AnswerPage(ApiKeyResource)
  list(
    @Req() request: FastifyRequest,
    @Query() query: ListApiKeysQuery,
  ): Promise<Page<ApiKeyResource>> {
    const { tenant, environments } = getMembership(request);
    const { id: tenantId } = tenant;
    const name = `own api keys of ${tenantId}`;
    return this.actions.list(query, { name, tenantId, environments });
  }

  @Post()
  @Refuses('insufficient_scope')
  @Does(
    'Creates an API key. It is shown this once.',
    'Without `scopes` the key may do what the role of the person may do in the environment.',
  )
  @Answer(IssuedApiKeyResource, { status: 201 })
  create(
    @AsMember() context: CommandContext,
    @Req() request: FastifyRequest,
    @Body() body: IssueApiKeyBody,
  ): Promise<IssuedApiKeyResource> {
    const own = getOwnScopes(request, body.environment);
    const scopes = body.scopes === undefined ? own : expandScopes(body);
    requireOwnScopes(own, scopes);
    return this.actions.issue(context, getMembership(request).tenant.id, { body, scopes });
  }

  @Patch(':keyId')
  @Refuses('insufficient_scope', 'invalid_state_transition')
  @Does(
    'Changes the name, the end and the allowed addresses of an API key.',
    'Fields that you leave out keep their value. A key that was revoked or has expired cannot be changed.',
  )
  @Answer(ApiKeyResource)
  change(
    @AsMember() context: CommandContext,
    @Req() request: FastifyRequest,
    @Param('keyId') keyId: string,
    @Body() body: ChangeApiKeyBody,
  ): Promise<ApiKeyResource> {
    const key = this.requireOwn(request, keyId);
    requireOwnScopes(getOwnScopes(request, key.environment), key.scopes);
    return this.actions.change(context, key, body);
  }

  @Post(':keyId/rotate')
  @Refuses('insufficient_scope', 'invalid_state_transition')
  @Does('Replaces an API key with a new one. The old key works until the overlap ends.')
  @Answer(IssuedApiKeyResource, { status: 201 })
  rotate(
    @AsMember() context: CommandContext,
    @Req() request: FastifyRequest,
    @Param('keyId') keyId: string,
    @Body() body: RotateApiKeyBody,
  ): Promise<IssuedApiKeyResource> {
    const key = this.requireOwn(request, keyId);
    requireOwnScopes(getOwnScopes(request, key.environment), key.scopes);
    return this.actions.rotate(context, key, body);
  }

  @Delete(':keyId')
  @Does('Revokes an API key at once.')
  @Answer(ApiKeyResource)
  revoke(
    @AsMember() context: CommandContext,
    @Req() request: FastifyRequest,
    @Param('keyId') keyId: string,
  ): Promise<ApiKeyResource> {
    return this.actions.revoke(context, this.requireOwn(request, keyId));
  }

  private requireOwn(request: FastifyRequest, keyId: string): KnownApiKey {
    const key = this.keys.requireInTenant(getMembership(request).tenant.id, keyId);
    getOwnScopes(request, key.environment);
    return key;
  }
}

/**
 * Returns the scopes of the person's role in the environment. Throws if the person is no member of
 * it.
 */
const getOwnScopes = (request: FastifyRequest, environment: Environment): string[] => {
  const { role, environments } = getMembership(request);
  if (environments.includes(environment)) return listScopes(role, environment);
  throw new DomainError(
    'role_not_allowed',
    `You are not a member of the ${environment} environment.`,
  );
};

const requireOwnScopes = (own: readonly string[], wanted: readonly string[]): void => {
  const lacking = wanted.find((scope) => !own.includes(scope));
  if (lacking === undefined) return;
  throw new DomainError('insufficient_scope', `Your role lacks the scope ${lacking}.`, {
    param: 'scopes',
    details: { required_scope: lacking },
  });
};
