import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answer, AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { ForOperator } from '../../http/pipeline/audience';
import { AsOperator } from '../../http/pipeline/decorators';
import type { Page } from '../../http/lists/pagination';
import { type CommandContext, ENVIRONMENTS } from '../../kernel/scope';
import { TenantDirectory } from '../../directories/tenant.directory';
import { ApiKeyActions } from './api-key.actions';
import type { KnownApiKey } from '../../domain/api-keys/api-key.decider';
import { ApiKeyDirectory } from '../../directories/api-key.directory';
import {
  ApiKeyResource,
  ChangeApiKeyBody,
  expandScopes,
  IssueApiKeyBody,
  IssuedApiKeyResource,
  ListApiKeysQuery,
  RotateApiKeyBody,
} from './api-key.dto';

@ApiTags('Operator')
@Controller('operator/v1/tenants/:tenantId/api-keys')
@ForOperator()
export class ApiKeyController {
  constructor(
    private readonly actions: ApiKeyActions,
    private readonly tenants: TenantDirectory,
    private readonly keys: ApiKeyDirectory,
  ) {}

  @Post()
  @Does('Creates an API key.', 'The key is shown in this response only.')
  @Answer(IssuedApiKeyResource, { status: 201 })
  issue(
    @AsOperator() context: CommandContext,
    @Param('tenantId') tenantId: string,
    @Body() body: IssueApiKeyBody,
  ): Promise<IssuedApiKeyResource> {
    this.tenants.requireUndeleted(tenantId);
    return this.actions.issue(context, tenantId, { body, scopes: expandScopes(body) });
  }

  @Get()
  @AnswerPage(ApiKeyResource)
  list(
    @Param('tenantId') tenantId: string,
    @Query() query: ListApiKeysQuery,
  ): Promise<Page<ApiKeyResource>> {
    this.tenants.requireUndeleted(tenantId);
    const name = `api keys of ${tenantId}`;
    return this.actions.list(query, { name, tenantId, environments: ENVIRONMENTS });
  }

  @Patch(':keyId')
  @Does(
    'Changes the name, the end and the allowed addresses of an API key.',
    'Fields that you leave out keep their value. A key that was revoked or has expired cannot be changed.',
  )
  @Refuses('invalid_state_transition')
  @Answer(ApiKeyResource)
  change(
    @AsOperator() context: CommandContext,
    @Param('tenantId') tenantId: string,
    @Param('keyId') keyId: string,
    @Body() body: ChangeApiKeyBody,
  ): Promise<ApiKeyResource> {
    return this.actions.change(context, this.readKey(tenantId, keyId), body);
  }

  @Post(':keyId/rotate')
  @Does(
    'Replaces an API key with a new one.',
    'The new key has the same scopes and addresses. The old key works until the overlap ends.',
  )
  @Refuses('invalid_state_transition')
  @Answer(IssuedApiKeyResource, { status: 201 })
  rotate(
    @AsOperator() context: CommandContext,
    @Param('tenantId') tenantId: string,
    @Param('keyId') keyId: string,
    @Body() body: RotateApiKeyBody,
  ): Promise<IssuedApiKeyResource> {
    return this.actions.rotate(context, this.readKey(tenantId, keyId), body);
  }

  @Delete(':keyId')
  @Does('Revokes an API key at once.')
  @Answer(ApiKeyResource)
  revoke(
    @AsOperator() context: CommandContext,
    @Param('tenantId') tenantId: string,
    @Param('keyId') keyId: string,
  ): Promise<ApiKeyResource> {
    return this.actions.revoke(context, this.readKey(tenantId, keyId));
  }

  private readKey(tenantId: string, keyId: string): KnownApiKey {
    this.tenants.requireUndeleted(tenantId);
    return this.keys.requireInTenant(tenantId, keyId);
  }
}
