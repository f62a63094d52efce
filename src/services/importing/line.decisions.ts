import type { Aggregates } from '../../event-store/aggregates';
import type { ClaimRequest, Claims } from '../../event-store/claims';
import { createExternalIdEntropy } from '../../event-store/external-ids';
import type { MasterKey } from '../../event-store/master-key';
import { streams } from '../../event-store/streams';
import type { Vault } from '../../event-store/vault';
import { canonicalJson } from '../../kernel/canonical-json';
import { DomainError, notFound } from '../../kernel/errors';
import { newOwnedId, newSubscriberId, type OwnedPrefix, findOwner } from '../../kernel/ids';
import type { Currency } from '../../kernel/money';
import type { TenantContext } from '../../kernel/scope';
import { Collectors } from '../billing/collection';
import { planAggregate } from '../../domain/plans/plan.decider';
import type { PlanTerms } from '../../domain/plans/plan.events';
import type {
  Subscriber,
  SubscriberStreamFact,
} from '../../domain/subscriber-stream/subscriber.aggregate';
import { subscriberAggregate } from '../../domain/subscriber-stream/subscriber.aggregate';
import { register } from '../../domain/subscribers/subscriber.decider';
import { contentOf, instantOf, REASON_DEFAULT } from './line.content';
import { takeOverPayment, takeOverSubscription } from '../../domain/imports/taking-over';
import type { ImportLine, PaymentLine, SubscriberLine, SubscriptionLine } from './import.lines';

/** What lines are taken over in; the command is each line's own. */
export type ImportContext = Omit<TenantContext, 'commandId' | 'resumed'>;
export type Decide = (state: Subscriber) => readonly SubscriberStreamFact[];

/** A line about the subscriber of the id. */
interface Asked<Line extends ImportLine> {
  readonly id: string;
  readonly commandId: string;
  readonly line: Line;
}

/**
 * What each kind of line asks to be decided. Everything follows from the line's content, so that a
 * line that comes again changes nothing: its ids, and the command that tells a repeat from another
 * object of that name.
 */
export class LineDecisions {
  private readonly collectors = new Collectors();
  private readonly plans = new Map<string, Promise<PlanTerms>>();

  constructor(
    private readonly parts: LineParts,
    private readonly context: ImportContext,
  ) {}

  /** Keyed, since the line holds personal data and the command's id is stored beside it. */
  commandIdOf(line: ImportLine): string {
    return this.digest(`import content ${canonicalJson(contentOf(line))}`);
  }

  /** As lines were told apart before: by their JSON text. What was stored then is known by it. */
  formerCommandIdOf(line: ImportLine): string {
    return this.digest(`import ${JSON.stringify(line)}`);
  }

  private digest(text: string): string {
    return this.parts.masterKey.digest(text).subarray(0, 16).toString('hex');
  }

  subscriberId(externalId: string): string {
    const named = { kind: 'subscriber', externalId };
    return newSubscriberId(
      createExternalIdEntropy(this.parts.masterKey, this.context.scope, named),
    );
  }

  async subscriber({ id, commandId, line }: Asked<SubscriberLine>): Promise<Decide> {
    const { now, actor } = this.context;
    const at = line.created_at === undefined ? now : instantOf(line.created_at);
    if (at > now) throw inFuture('created_at');
    await this.parts.vault.create(id, { now, commandId });
    const decide = register({
      email: line.email,
      externalId: line.external_id,
      tags: [...new Set(line.tags)],
      metadata: line.metadata ?? {},
      testClock: null,
      actor,
    });
    return (state) => decide(state).map((fact) => ({ ...fact, at }));
  }

  /** Whether there is such a subscriber already, or `resource_not_found`. */
  async requireSubscriber(subscriberId: string): Promise<void> {
    const stream = streams.subscriber(this.context.scope, subscriberId);
    const { state } = await this.parts.aggregates.load(subscriberAggregate, stream);
    if (state.profile.status !== 'known') throw notFound('subscriber', 'subscriber_external_id');
  }

  async subscription({
    id: subscriberId,
    line,
  }: Omit<Asked<SubscriptionLine>, 'commandId'>): Promise<{ id: string; decide: Decide }> {
    const { scope, now, actor } = this.context;
    const id = this.ownedId('sub', { subscriberId, externalId: line.external_id });
    const terms = await this.terms(line.plan);
    const method =
      line.payment_method === undefined
        ? null
        : this.collectors.of(scope.environment).describe(line.payment_method);
    await this.claim(line, id);
    const decide = takeOverSubscription({
      id,
      subscriberId,
      externalId: line.external_id,
      status: line.status,
      period: {
        start: instantOf(line.current_period_start),
        end: instantOf(line.current_period_end),
      },
      trialEnd: line.trial_end === undefined ? null : instantOf(line.trial_end),
      cancelledAt: line.cancelled_at === undefined ? null : instantOf(line.cancelled_at),
      terms,
      method,
      actor,
      newId: (label) => this.ownedId('crd', { subscriberId, externalId: `${id} ${label}` }),
      now,
    });
    return { id, decide };
  }

  /** Who has the name of a payment's subscription, or null. */
  subscriptionOf(externalId: string): Promise<string | null> {
    return this.parts.claims.findOwner(this.context.scope, { kind: 'subscription', externalId });
  }

  payment(line: PaymentLine, subscriptionId: string | null): Decide {
    const subscriberId = subscriptionId === null ? null : findOwner('sub', subscriptionId);
    if (subscriptionId === null || subscriberId === null) {
      throw notFound('subscription', 'subscription_external_id');
    }
    const named = { subscriberId, externalId: line.external_id };
    return takeOverPayment({
      id: this.ownedId('pay', named),
      refundId: this.ownedId('rfd', named),
      subscriptionId,
      amount: line.amount,
      currency: line.currency as Currency,
      status: line.status,
      occurredAt: instantOf(line.occurred_at),
      reason: line.reason ?? REASON_DEFAULT,
      actor: this.context.actor,
      now: this.context.now,
    });
  }

  /** The subscription's name, where its line was refused: a corrected one may be another's. */
  async release(line: SubscriptionLine, owner: string): Promise<void> {
    const naming = this.naming(line);
    await this.parts.claims.release(naming, { ...this.nameOf(line), owner });
  }

  private async claim(line: SubscriptionLine, owner: string): Promise<void> {
    const claiming = { ...this.naming(line), assumesNew: true };
    await this.parts.claims.claim(claiming, { ...this.nameOf(line), owner });
  }

  /** A command each time: a line that comes again after its name was given back must claim it anew. */
  private naming(line: SubscriptionLine): TenantContext {
    const commandId = `${this.commandIdOf(line)} ${this.context.now}`;
    return { ...this.context, commandId, resumed: false };
  }

  private nameOf({ external_id: externalId }: SubscriptionLine): Omit<ClaimRequest, 'owner'> {
    return {
      kind: 'subscription',
      externalId,
      ownerExists: async (id) => {
        const subscriberId = findOwner('sub', id);
        if (subscriberId === null) return false;
        const stream = streams.subscriber(this.context.scope, subscriberId);
        const { state } = await this.parts.aggregates.load(subscriberAggregate, stream);
        return state.subscriptions[id] !== undefined;
      },
    };
  }

  /** Read once for all lines that name the plan. */
  private terms(plan: string): Promise<PlanTerms> {
    const known = this.plans.get(plan) ?? this.load(plan);
    this.plans.set(plan, known);
    return known;
  }

  private async load(plan: string): Promise<PlanTerms> {
    const stream = streams.plan(this.context.scope, plan);
    const { state } = await this.parts.aggregates.load(planAggregate, stream);
    if (state.status === 'absent') throw notFound('plan', 'plan');
    return state.terms;
  }

  private ownedId(
    prefix: OwnedPrefix,
    { subscriberId, externalId }: { subscriberId: string; externalId: string },
  ): string {
    const named = { kind: prefix, externalId };
    const entropy = createExternalIdEntropy(this.parts.masterKey, this.context.scope, named);
    return newOwnedId(prefix, subscriberId, entropy);
  }
}

export interface LineParts {
  readonly aggregates: Aggregates;
  readonly vault: Vault;
  readonly claims: Claims;
  readonly masterKey: MasterKey;
}

const inFuture = (param: string): DomainError =>
  new DomainError('parameter_invalid', `${param} must not be in the future.`, { param });
