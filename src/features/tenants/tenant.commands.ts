import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Aggregates } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import { newId } from '../../kernel/ids';
import type { CommandContext } from '../../kernel/scope';
import {
  change,
  create,
  type KnownTenant,
  requireTenant,
  tenantAggregate,
  type TenantChange,
  type TenantDraft,
} from '../../domain/tenants/tenant.decider';
import { TenantDirectory } from '../../directories/tenant.directory';

/** How long an answer waits until this process knows what it has just written. */
const KNOWN_WITHIN_MS = 5_000;

export class CreateTenant extends Command<KnownTenant> {
  constructor(
    readonly context: CommandContext,
    readonly draft: Omit<TenantDraft, 'id'>,
  ) {
    super();
  }
}

export class ChangeTenant extends Command<KnownTenant> {
  constructor(
    readonly context: CommandContext,
    readonly tenantId: string,
    readonly change: TenantChange,
  ) {
    super();
  }
}

@CommandHandler(CreateTenant)
export class CreateTenantHandler implements ICommandHandler<CreateTenant> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly directory: TenantDirectory,
  ) {}

  async execute({ context, draft }: CreateTenant): Promise<KnownTenant> {
    const id = newId('tnt', context.entropy);
    const stream = streams.tenant(id);
    const committed = await this.aggregates.run(tenantAggregate, stream, context, ({ state }) =>
      create({ ...draft, id })(state),
    );
    await this.directory.whenKnown(stream.name, committed.revision, KNOWN_WITHIN_MS);
    return requireTenant(committed.state);
  }
}

@CommandHandler(ChangeTenant)
export class ChangeTenantHandler implements ICommandHandler<ChangeTenant> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly directory: TenantDirectory,
  ) {}

  async execute({ context, tenantId, change: wanted }: ChangeTenant): Promise<KnownTenant> {
    const stream = streams.tenant(tenantId);
    const committed = await this.aggregates.run(tenantAggregate, stream, context, ({ state }) =>
      change(wanted)(state),
    );
    await this.directory.whenKnown(stream.name, committed.revision, KNOWN_WITHIN_MS);
    return requireTenant(committed.state);
  }
}
