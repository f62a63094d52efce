import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiKeyDirectory } from '../../directories/api-key.directory';
import type { KnownApiKey } from '../../domain/api-keys/api-key.decider';
import { mapPage } from '../../http/lists/keyset';
import { pageOf } from '../../http/lists/memory-page';
import type { Page } from '../../http/lists/pagination';
import { Answer, AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { ForMember } from '../../http/pipeline/audience';
import { AsMember } from '../../http/pipeline/decorators';
import { membershipOf } from '../../http/pipeline/request-facts';
import { scopesOfRole } from '../../http/pipeline/roles';
import { DomainError } from '../../kernel/errors';
import type { CommandContext, Environment } from '../../kernel/scope';
import { readAllowedIps } from './allowed-ips';
import {
  ChangeApiKey,
  IssueApiKey,
  type IssuedKey,
  RevokeApiKey,
  RotateApiKey,
} from './api-key.commands';
import {
  ApiKeyResource,
  ChangeApiKeyBody,
  expandScopes,
  IssueApiKeyBody,
  IssuedApiKeyResource,
  ListApiKeysQuery,
  readExpiry,
  readKeyChange,
  RotateApiKeyBody,
  viewApiKey,
} from './api-key.dto';
import { ApiKeyUses } from './api-key.uses';

/**
 * Lets the members of a tenant manage its API keys. Nobody can give a key a scope that their role
 * lacks.
 */
@ApiTags('Console')
@Controller('console/v1/api_keys')
@ForMember('keys')
export class ConsoleKeyController {
  constructor(
    private readonly commands: CommandBus,
    private readonly keys: ApiKeyDirectory,
    private readonly uses: ApiKeyUses,
  ) {}

  @Get()
  @Does('Lists the API keys of the tenant, newest first.')
  @AnswerPage(ApiKeyResource)
  async list(
    @Req() request: FastifyRequest,
    @Query() query: ListApiKeysQuery,
  ): Promise<Page<ApiKeyResource>> {
    const { tenant, environments } = membershipOf(request);
    const { environment } = query;
    const items = this.keys
      .all()
      .filter((key) => key.status === 'known')
      .filter((key) => key.tenantId === tenant.id && environments.includes(key.environment))
      .filter((key) => environment === undefined || key.environment === environment);
    const page = await pageOf(query, {
      name: `own api keys of ${tenant.id}`,
      items,
      filters: { environment },
      keyOf: ({ createdAt, id }) => ({ createdAt, id }),
    });
    const uses = await this.uses.of(page.data.map(({ id }) => id));
    return mapPage(page, (key) => viewApiKey(key, uses.get(key.id) ?? null));
  }

  @Post()
  @Refuses('insufficient_scope')
  @Does(
    'Creates an API key. It is shown this once.',
    'Without `scopes` the key may do what the role of the person may do in the environment.',
  )
  @Answer(IssuedApiKeyResource, { status: 201 })
  async create(
    @AsMember() context: CommandContext,
    @Req() request: FastifyRequest,
    @Body() body: IssueApiKeyBody,
  ): Promise<IssuedApiKeyResource> {
    const own = ownScopes(request, body.environment);
    const scopes = body.scopes === undefined ? own : expandScopes(body);
    requireOwnScopes(own, scopes);
    const fields = {
      tenantId: membershipOf(request).tenant.id,
      environment: body.environment,
      name: body.name,
      scopes,
      expiresAt: readExpiry(body, context.now),
      allowedIps: readAllowedIps(body.allowed_ips),
    };
    return viewIssued(await this.commands.execute(new IssueApiKey(context, fields)));
  }

  @Patch(':keyId')
  @Refuses('insufficient_scope', 'invalid_state_transition')
  @Does(
    'Changes the name, the end and the allowed addresses of an API key.',
    'Fields that you leave out keep their value. A key that was revoked or has expired cannot be changed.',
  )
  @Answer(ApiKeyResource)
  async change(
    @AsMember() context: CommandContext,
    @Req() request: FastifyRequest,
    @Param('keyId') keyId: string,
    @Body() body: ChangeApiKeyBody,
  ): Promise<ApiKeyResource> {
    const key = this.requireOwn(request, keyId);
    requireOwnScopes(ownScopes(request, key.environment), key.scopes);
    const wanted = readKeyChange(body, context.now);
    const changed = await this.commands.execute(new ChangeApiKey(context, key.id, wanted));
    return viewApiKey(changed, (await this.uses.of([key.id])).get(key.id) ?? null);
  }

  @Post(':keyId/rotate')
  @Refuses('insufficient_scope', 'invalid_state_transition')
  @Does('Gives an API key a successor; the old one works until the overlap ends.')
  @Answer(IssuedApiKeyResource, { status: 201 })
  async rotate(
    @AsMember() context: CommandContext,
    @Req() request: FastifyRequest,
    @Param('keyId') keyId: string,
    @Body() { overlap_hours: overlapHours = 24 }: RotateApiKeyBody,
  ): Promise<IssuedApiKeyResource> {
    const key = this.requireOwn(request, keyId);
    requireOwnScopes(ownScopes(request, key.environment), key.scopes);
    return viewIssued(await this.commands.execute(new RotateApiKey(context, key, overlapHours)));
  }

  @Delete(':keyId')
  @Does('Revokes an API key at once.')
  @Answer(ApiKeyResource)
  async revoke(
    @AsMember() context: CommandContext,
    @Req() request: FastifyRequest,
    @Param('keyId') keyId: string,
  ): Promise<ApiKeyResource> {
    const { id } = this.requireOwn(request, keyId);
    const key = await this.commands.execute(new RevokeApiKey(context, id));
    const uses = await this.uses.of([id]);
    return viewApiKey(key, uses.get(id) ?? null);
  }

  private requireOwn(request: FastifyRequest, keyId: string): KnownApiKey {
    const key = this.keys.requireInTenant(membershipOf(request).tenant.id, keyId);
    ownScopes(request, key.environment);
    return key;
  }
}

const viewIssued = ({ key, text }: IssuedKey): IssuedApiKeyResource => ({
  ...viewApiKey(key, null),
  key: text,
});

/**
 * Returns the scopes of the person's role in the environment. Throws if the person is no member of
 * it.
 */
const ownScopes = (request: FastifyRequest, environment: Environment): string[] => {
  const { role, environments } = membershipOf(request);
  if (environments.includes(environment)) return scopesOfRole(role, environment);
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
