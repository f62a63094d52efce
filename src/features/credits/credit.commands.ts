import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Versioned } from '../../http/pipeline/presentation';
import { newOwnedId } from '../../kernel/ids';
import type { Currency } from '../../kernel/money';
import type { TenantContext } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { requireOwner, requireSubscriberId } from '../../kernel/required-ids';
import { requireKnown } from '../../domain/subscribers/subscriber.decider';
import { Billing } from '../../services/billing/billing';
import { TenantDirectory } from '../../directories/tenant.directory';
import { grantCredit, requireCredit, voidCredit } from '../../domain/billing/credit.decider';
import type { Credit, CreditCategory } from '../../domain/billing/credit.events';

export interface CreditFields {
  readonly subscriberId: string;
  readonly amount: number;
  /** The currency of the credit; null = the tenant's currency. */
  readonly currency: Currency | null;
  readonly category: CreditCategory;
  readonly expiresAt: Instant | null;
  readonly note: string | null;
}

export class GrantCredit extends Command<Versioned<Credit>> {
  constructor(
    readonly context: TenantContext,
    readonly fields: CreditFields,
  ) {
    super();
  }
}

export class VoidCredit extends Command<Versioned<Credit>> {
  constructor(
    readonly context: TenantContext,
    readonly creditId: string,
  ) {
    super();
  }
}

@CommandHandler(GrantCredit)
export class GrantCreditHandler implements ICommandHandler<GrantCredit> {
  constructor(
    private readonly billing: Billing,
    private readonly tenants: TenantDirectory,
  ) {}

  async execute({ context, fields }: GrantCredit): Promise<Versioned<Credit>> {
    const { subscriberId } = fields;
    requireSubscriberId(subscriberId, 'subscriberId');
    const { settings } = this.tenants.require(context.scope.tenantId);
    const id = newOwnedId('crd', subscriberId, context.entropy, 'crd granted');
    const { state, revision } = await this.billing.run(context, subscriberId, (draft, effects) => {
      requireKnown(draft.state.profile, 'subscriberId');
      grantCredit(draft, {
        ...fields,
        id,
        currency: fields.currency ?? settings.currency,
        source: { type: 'api', id: null },
        motionRunId: null,
        reason: 'requested',
        actor: effects.actor,
      });
    });
    return new Versioned(requireCredit(state, id), revision + 1);
  }
}

@CommandHandler(VoidCredit)
export class VoidCreditHandler implements ICommandHandler<VoidCredit> {
  constructor(private readonly billing: Billing) {}

  async execute({ context, creditId }: VoidCredit): Promise<Versioned<Credit>> {
    const subscriberId = requireOwner('crd', creditId, 'creditId');
    const whose = { subscriberId, param: 'creditId' };
    const { state, revision } = await this.billing.runForSubscriber(
      context,
      whose,
      (draft, effects) => {
        voidCredit(draft, creditId, effects.actor);
      },
    );
    return new Versioned(requireCredit(state, creditId), revision + 1);
  }
}
