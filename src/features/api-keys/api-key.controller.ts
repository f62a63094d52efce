import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Answer, AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { ForOperator } from '../../http/pipeline/audience';
import { AsOperator } from '../../http/pipeline/decorators';
import { mapPage } from '../../http/lists/keyset';
import { pageOf } from '../../http/lists/memory-page';
import type { Page } from '../../http/lists/pagination';
import type { CommandContext } from '../../kernel/scope';
import { TenantDirectory } from '../../directories/tenant.directory';
import { readAllowedIps } from './allowed-ips';
import {
  ChangeApiKey,
  IssueApiKey,
  type IssuedKey,
  RevokeApiKey,
  RotateApiKey,
} from './api-key.commands';
import type { KnownApiKey } from '../../domain/api-keys/api-key.decider';
import { ApiKeyDirectory } from '../../directories/api-key.directory';
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

@ApiTags('Operator')
@Controller('operator/v1/tenants/:tenantId/api-keys')
@ForOperator()
export class ApiKeyController {
  constructor(
    private readonly commands: CommandBus,
    private readonly tenants: TenantDirectory,
    private readonly keys: ApiKeyDirectory,
    private readonly uses: ApiKeyUses,
  ) {}

  @Post()
  @Does('Creates an API key.', 'The key is shown in this response only.')
  @Answer(IssuedApiKeyResource, { status: 201 })
  async issue(
    @AsOperator() context: CommandContext,
    @Param('tenantId') tenantId: string,
    @Body() body: IssueApiKeyBody,
  ): Promise<IssuedApiKeyResource> {
    this.tenants.require(tenantId);
    const fields = {
      tenantId,
      environment: body.environment,
      name: body.name,
      scopes: expandScopes(body),
      expiresAt: readExpiry(body, context.now),
      allowedIps: readAllowedIps(body.allowed_ips),
    };
    return viewIssued(await this.commands.execute(new IssueApiKey(context, fields)));
  }

  @Get()
  @AnswerPage(ApiKeyResource)
  async list(
    @Param('tenantId') tenantId: string,
    @Query() query: ListApiKeysQuery,
  ): Promise<Page<ApiKeyResource>> {
    this.tenants.require(tenantId);
    const { environment } = query;
    const items = this.keys
      .all()
      .filter((key) => key.status === 'known')
      .filter((key) => key.tenantId === tenantId)
      .filter((key) => environment === undefined || key.environment === environment);
    const page = await pageOf(query, {
      name: `api keys of ${tenantId}`,
      items,
      filters: { environment },
      keyOf: ({ createdAt, id }) => ({ createdAt, id }),
    });
    const uses = await this.uses.of(page.data.map(({ id }) => id));
    return mapPage(page, (key) => viewApiKey(key, uses.get(key.id) ?? null));
  }

  @Patch(':keyId')
  @Does(
    'Changes the name, the end and the allowed addresses of an API key.',
    'Fields that you leave out keep their value. A key that was revoked or has expired cannot be changed.',
  )
  @Refuses('invalid_state_transition')
  @Answer(ApiKeyResource)
  async change(
    @AsOperator() context: CommandContext,
    @Param('tenantId') tenantId: string,
    @Param('keyId') keyId: string,
    @Body() body: ChangeApiKeyBody,
  ): Promise<ApiKeyResource> {
    const { id } = this.keyOf(tenantId, keyId);
    const wanted = readKeyChange(body, context.now);
    const changed = await this.commands.execute(new ChangeApiKey(context, id, wanted));
    return viewApiKey(changed, (await this.uses.of([id])).get(id) ?? null);
  }

  @Post(':keyId/rotate')
  @Does(
    'Replaces an API key with a new one.',
    'The new key has the same scopes and addresses. The old key works until the overlap ends.',
  )
  @Refuses('invalid_state_transition')
  @Answer(IssuedApiKeyResource, { status: 201 })
  async rotate(
    @AsOperator() context: CommandContext,
    @Param('tenantId') tenantId: string,
    @Param('keyId') keyId: string,
    @Body() body: RotateApiKeyBody,
  ): Promise<IssuedApiKeyResource> {
    const key = this.keyOf(tenantId, keyId);
    const command = new RotateApiKey(context, key, body.overlap_hours ?? 24);
    return viewIssued(await this.commands.execute(command));
  }

  @Delete(':keyId')
  @Does('Revokes an API key at once.')
  @Answer(ApiKeyResource)
  async revoke(
    @AsOperator() context: CommandContext,
    @Param('tenantId') tenantId: string,
    @Param('keyId') keyId: string,
  ): Promise<ApiKeyResource> {
    const key = this.keyOf(tenantId, keyId);
    const revoked = await this.commands.execute(new RevokeApiKey(context, key.id));
    return viewApiKey(revoked, (await this.uses.of([key.id])).get(key.id) ?? null);
  }

  private keyOf(tenantId: string, keyId: string): KnownApiKey {
    this.tenants.require(tenantId);
    return this.keys.requireInTenant(tenantId, keyId);
  }
}

const viewIssued = ({ key, text }: IssuedKey): IssuedApiKeyResource => ({
  ...viewApiKey(key, null),
  key: text,
});
