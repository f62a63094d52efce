import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Aggregates } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import { newId } from '../../kernel/ids';
import type { CommandContext } from '../../kernel/scope';
import {
  changeTenant,
  createTenant,
  deleteTenant,
  type KnownTenant,
  requireTenant,
  resumeTenant,
  suspendTenant,
  type Tenant,
  tenantAggregate,
  type TenantChange,
  type TenantDraft,
} from '../../domain/tenants/tenant.decider';
import type { TenantFact } from '../../domain/tenants/tenant.events';
import { TenantDirectory } from '../../directories/tenant.directory';

/** Longest time that a response waits until this process knows the change it has just written. */
const VISIBILITY_TIMEOUT_MS = 5_000;

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

/** Suspends a tenant. Only the operator sees the `reason`. */
export class SuspendTenant extends Command<KnownTenant> {
  constructor(
    readonly context: CommandContext,
    readonly tenantId: string,
    readonly reason: string | null,
  ) {
    super();
  }
}

export class ResumeTenant extends Command<KnownTenant> {
  constructor(
    readonly context: CommandContext,
    readonly tenantId: string,
  ) {
    super();
  }
}

/** Deletes a tenant for good. `TenantRemover` removes its data afterwards. */
export class DeleteTenant extends Command<KnownTenant> {
  constructor(
    readonly context: CommandContext,
    readonly tenantId: string,
  ) {
    super();
  }
}

/** Writes the changes of a tenant and waits until this process knows them. */
export class TenantWriter {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly directory: TenantDirectory,
  ) {}

  async write(
    context: CommandContext,
    tenantId: string,
    decide: (tenant: Tenant) => readonly TenantFact[],
  ): Promise<KnownTenant> {
    const stream = streams.tenant(tenantId);
    const { state, revision } = await this.aggregates.run(
      tenantAggregate,
      stream,
      context,
      (moment) => decide(moment.state),
    );
    await this.directory.waitForRevision(stream.name, revision, VISIBILITY_TIMEOUT_MS);
    return requireTenant(state);
  }
}

@CommandHandler(CreateTenant)
export class CreateTenantHandler implements ICommandHandler<CreateTenant> {
  constructor(private readonly writer: TenantWriter) {}

  execute({ context, draft }: CreateTenant): Promise<KnownTenant> {
    const id = newId('tnt', context.entropy);
    return this.writer.write(context, id, createTenant({ ...draft, id }));
  }
}

@CommandHandler(ChangeTenant)
export class ChangeTenantHandler implements ICommandHandler<ChangeTenant> {
  constructor(private readonly writer: TenantWriter) {}

  execute({ context, tenantId, change: wanted }: ChangeTenant): Promise<KnownTenant> {
    return this.writer.write(context, tenantId, changeTenant(wanted));
  }
}

@CommandHandler(SuspendTenant)
export class SuspendTenantHandler implements ICommandHandler<SuspendTenant> {
  constructor(private readonly writer: TenantWriter) {}

  execute({ context, tenantId, reason }: SuspendTenant): Promise<KnownTenant> {
    return this.writer.write(context, tenantId, suspendTenant(reason));
  }
}

@CommandHandler(ResumeTenant)
export class ResumeTenantHandler implements ICommandHandler<ResumeTenant> {
  constructor(private readonly writer: TenantWriter) {}

  execute({ context, tenantId }: ResumeTenant): Promise<KnownTenant> {
    return this.writer.write(context, tenantId, resumeTenant);
  }
}

@CommandHandler(DeleteTenant)
export class DeleteTenantHandler implements ICommandHandler<DeleteTenant> {
  constructor(private readonly writer: TenantWriter) {}

  execute({ context, tenantId }: DeleteTenant): Promise<KnownTenant> {
    return this.writer.write(context, tenantId, deleteTenant);
  }
}
