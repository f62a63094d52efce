import type { CommandBus } from '@nestjs/cqrs';
import type { ApiKeyDirectory } from '../../directories/api-key.directory';
import type { KnownApiKey } from '../../domain/api-keys/api-key.decider';
import { mapPage } from '../../http/lists/keyset';
import { readMemoryPage } from '../../http/lists/memory-page';
import type { Page } from '../../http/lists/pagination';
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
  type ApiKeyResource,
  type ChangeApiKeyBody,
  type IssueApiKeyBody,
  type IssuedApiKeyResource,
  type ListApiKeysQuery,
  readExpiry,
  readKeyChange,
  type RotateApiKeyBody,
  viewApiKey,
} from './api-key.dto';
import type { ApiKeyUses } from './api-key.uses';

const OVERLAP_HOURS = 24;

interface ListedKeys {
  /** The name of the list, which its cursors contain. */
  readonly name: string;
  readonly tenantId: string;
  readonly environments: readonly Environment[];
}

/** The actions on API keys that the operator API and the console share. */
export class ApiKeyActions {
  constructor(
    private readonly commands: CommandBus,
    private readonly keys: ApiKeyDirectory,
    private readonly uses: ApiKeyUses,
  ) {}

  async list(
    query: ListApiKeysQuery,
    { name, tenantId, environments }: ListedKeys,
  ): Promise<Page<ApiKeyResource>> {
    const { environment } = query;
    const items = this.keys
      .listStates()
      .filter((key) => key.status === 'known')
      .filter((key) => key.tenantId === tenantId && environments.includes(key.environment))
      .filter((key) => environment === undefined || key.environment === environment);
    const page = await readMemoryPage(query, {
      name,
      items,
      filters: { environment },
      keyOf: ({ createdAt, id }) => ({ createdAt, id }),
    });
    const uses = await this.uses.readLastUses(page.data.map(({ id }) => id));
    return mapPage(page, (key) => viewApiKey(key, uses.get(key.id) ?? null));
  }

  async issue(
    context: CommandContext,
    tenantId: string,
    { body, scopes }: { readonly body: IssueApiKeyBody; readonly scopes: string[] },
  ): Promise<IssuedApiKeyResource> {
    const fields = {
      tenantId,
      environment: body.environment,
      name: body.name,
      scopes,
      expiresAt: readExpiry(body, context.now),
      allowedIps: readAllowedIps(body.allowed_ips),
    };
    return viewIssued(await this.commands.execute(new IssueApiKey(context, fields)));
  }

  async change(
    context: CommandContext,
    { id }: KnownApiKey,
    body: ChangeApiKeyBody,
  ): Promise<ApiKeyResource> {
    const wanted = readKeyChange(body, context.now);
    return this.view(await this.commands.execute(new ChangeApiKey(context, id, wanted)));
  }

  async rotate(
    context: CommandContext,
    key: KnownApiKey,
    body: RotateApiKeyBody,
  ): Promise<IssuedApiKeyResource> {
    const options = {
      overlapHours: body.overlap_hours ?? OVERLAP_HOURS,
      expiresAt: readExpiry(body, context.now),
    };
    return viewIssued(await this.commands.execute(new RotateApiKey(context, key, options)));
  }

  async revoke(context: CommandContext, { id }: KnownApiKey): Promise<ApiKeyResource> {
    return this.view(await this.commands.execute(new RevokeApiKey(context, id)));
  }

  private async view(key: KnownApiKey): Promise<ApiKeyResource> {
    const uses = await this.uses.readLastUses([key.id]);
    return viewApiKey(key, uses.get(key.id) ?? null);
  }
}

const viewIssued = ({ key, text }: IssuedKey): IssuedApiKeyResource => ({
  ...viewApiKey(key, null),
  key: text,
});
