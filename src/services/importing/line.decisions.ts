import type { Aggregates } from '../../event-store/aggregates';
import type { ClaimRequest, Claims, OwnerState } from '../../event-store/claims';
import { createExternalIdEntropy } from '../../event-store/external-ids';
import type { MasterKey } from '../../event-store/master-key';
import { streams } from '../../event-store/streams';
import type { Vault } from '../../event-store/vault';
import { toCanonicalJson } from '../../kernel/canonical-json';
import { DomainError, notFound } from '../../kernel/errors';
import { newOwnedId, type OwnedPrefix, findOwner } from '../../kernel/ids';
import type { Currency } from '../../kernel/money';
import type { TenantContext } from '../../kernel/scope';
import { Collectors } from '../billing/collection';
import { ExternalSubscriberIds } from '../external-ids/external-subscriber-ids';
import { planAggregate } from '../../domain/plans/plan.decider';
import type { PlanTerms } from '../../domain/plans/plan.events';
import type {
  Subscriber,
  SubscriberStreamFact,
} from '../../domain/subscriber-stream/subscriber.aggregate';
import {
  getSubscriptionState,
  subscriberAggregate,
} from '../../domain/subscriber-stream/subscriber.aggregate';
import { registerSubscriber, requireKnown } from '../../domain/subscribers/subscriber.decider';
import { normalizeContent, toInstant, DEFAULT_REASON } from './line.content';
import { importPayment, importSubscription } from '../../domain/imports/imported-history';
import type { ImportLine, PaymentLine, SubscriberLine, SubscriptionLine } from './import.lines';

/** The context in which lines are imported. Each line is a command of its own. */
export type ImportContext = Omit<TenantContext, 'commandId' | 'resumed'>;
export type Decide = (state: Subscriber) => readonly SubscriberStreamFact[];

/** A line and the id of its subscriber. */
interface LineInput<Line extends ImportLine> {
  readonly id: string;
  readonly commandId: string;
  readonly line: Line;
}

/**
 * Creates the decision for each kind of line. Ids and command ids are derived from the content of
 * the line. So a repeated line changes nothing, and another line with the same name is recognised
 * as different.
 */
export class LineDecisions {
  private readonly collectors = new Collectors();
  private readonly plans = new Map<string, Promise<PlanTerms>>();
  private readonly subscriberIds: ExternalSubscriberIds;

  constructor(
    private readonly parts: LineParts,
    private readonly context: ImportContext,
  ) {
    this.subscriberIds = new ExternalSubscriberIds(parts.aggregates, parts.masterKey);
  }

  /**
   * Creates the command id of a line. The digest is keyed, because the line contains personal data
   * and the id is stored.
   */
  createCommandId(line: ImportLine): string {
    return this.digest(`import content ${toCanonicalJson(normalizeContent(line))}`);
  }

  /**
   * Creates the command id that earlier versions derived from the JSON text of the line. With it,
   * lines that they stored are recognised as repeated.
   */
  createFormerCommandId(line: ImportLine): string {
    return this.digest(`import ${JSON.stringify(line)}`);
  }

  private digest(text: string): string {
    return this.parts.masterKey.digest(text).subarray(0, 16).toString('hex');
  }

  chooseSubscriberId(externalId: string): Promise<string> {
    return this.subscriberIds.choose(this.context.scope, externalId);
  }

  async decideSubscriber({
    id,
    commandId,
    line,
  }: LineInput<SubscriberLine>): Promise<{ isNew: boolean; decide: Decide }> {
    const { now, actor } = this.context;
    const at = line.created_at === undefined ? now : toInstant(line.created_at);
    if (at > now) throw inFutureError('created_at');
    const isNew = await this.parts.vault.create(id, { now, commandId });
    const register = registerSubscriber({
      email: line.email,
      externalId: line.external_id,
      tags: [...new Set(line.tags)],
      metadata: line.metadata ?? {},
      testClock: null,
      actor,
    });
    return { isNew, decide: (state) => register(state).map((fact) => ({ ...fact, at })) };
  }

  /** Throws unless the subscriber exists and was not erased. */
  async requireSubscriber(subscriberId: string): Promise<void> {
    const stream = streams.subscriber(this.context.scope, subscriberId);
    const { state } = await this.parts.aggregates.load(subscriberAggregate, stream);
    requireKnown(state.profile, 'subscriber_external_id');
  }

  async decideSubscription({
    id: subscriberId,
    line,
  }: Omit<LineInput<SubscriptionLine>, 'commandId'>): Promise<{ id: string; decide: Decide }> {
    const { scope, now, actor } = this.context;
    const id = this.createOwnedId('sub', { subscriberId, externalId: line.external_id });
    const terms = await this.readTerms(line.plan);
    const method =
      line.payment_method === undefined
        ? null
        : this.collectors.choose(scope.environment).describe(line.payment_method);
    await this.claim(line, id);
    const decide = importSubscription({
      id,
      subscriberId,
      externalId: line.external_id,
      status: line.status,
      period: {
        start: toInstant(line.current_period_start),
        end: toInstant(line.current_period_end),
      },
      trialEnd: line.trial_end === undefined ? null : toInstant(line.trial_end),
      cancelledAt: line.cancelled_at === undefined ? null : toInstant(line.cancelled_at),
      terms,
      method,
      actor,
      newId: (label) => this.createOwnedId('crd', { subscriberId, externalId: `${id} ${label}` }),
      now,
    });
    return { id, decide };
  }

  /** Returns the subscription with this name, or null. */
  findSubscription(externalId: string): Promise<string | null> {
    return this.parts.claims.findOwner(this.context.scope, { kind: 'subscription', externalId });
  }

  decidePayment(line: PaymentLine, subscriptionId: string | null): Decide {
    const subscriberId = subscriptionId === null ? null : findOwner('sub', subscriptionId);
    if (subscriptionId === null || subscriberId === null) {
      throw notFound('subscription', 'subscription_external_id');
    }
    const named = { subscriberId, externalId: line.external_id };
    return importPayment({
      id: this.createOwnedId('pay', named),
      refundId: this.createOwnedId('rfd', named),
      subscriptionId,
      amount: line.amount,
      currency: line.currency as Currency,
      status: line.status,
      occurredAt: toInstant(line.occurred_at),
      reason: line.reason ?? DEFAULT_REASON,
      actor: this.context.actor,
      now: this.context.now,
    });
  }

  /**
   * Releases the name of a subscription whose line was refused, because a corrected line may use it
   * for another subscriber.
   */
  async release(line: SubscriptionLine, owner: string): Promise<void> {
    const naming = this.createClaimContext(line);
    await this.parts.claims.release(naming, { ...this.createClaim(line), owner });
  }

  private async claim(line: SubscriptionLine, owner: string): Promise<void> {
    const claiming = { ...this.createClaimContext(line), assumesNew: true };
    await this.parts.claims.claim(claiming, { ...this.createClaim(line), owner });
  }

  /**
   * Creates the context of a claim with a new command id each time. A line that is repeated after
   * its name was released must claim it again.
   */
  private createClaimContext(line: SubscriptionLine): TenantContext {
    const commandId = `${this.createCommandId(line)} ${this.context.now}`;
    return { ...this.context, commandId, resumed: false };
  }

  private createClaim({ external_id: externalId }: SubscriptionLine): Omit<ClaimRequest, 'owner'> {
    return {
      kind: 'subscription',
      externalId,
      findOwnerState: (id) => this.findOwnerState(id),
    };
  }

  private async findOwnerState(id: string): Promise<OwnerState> {
    const subscriberId = findOwner('sub', id);
    if (subscriberId === null) return 'absent';
    const stream = streams.subscriber(this.context.scope, subscriberId);
    const { state } = await this.parts.aggregates.load(subscriberAggregate, stream);
    return getSubscriptionState(state, id);
  }

  /** Reads the terms of a plan once for all lines that name it. */
  private readTerms(plan: string): Promise<PlanTerms> {
    const known = this.plans.get(plan) ?? this.loadTerms(plan);
    this.plans.set(plan, known);
    return known;
  }

  private async loadTerms(plan: string): Promise<PlanTerms> {
    const stream = streams.plan(this.context.scope, plan);
    const { state } = await this.parts.aggregates.load(planAggregate, stream);
    if (state.status === 'absent') throw notFound('plan', 'plan');
    return state.terms;
  }

  private createOwnedId(
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

const inFutureError = (param: string): DomainError =>
  new DomainError('parameter_invalid', `${param} must not be in the future.`, { param });
