import { createHash } from 'node:crypto';
import { fold, type Dated } from '../../src/kernel/decider';
import { CommandDraft } from '../../src/kernel/draft';
import { DomainError } from '../../src/kernel/errors';
import { newOwnedId } from '../../src/kernel/ids';
import type { Currency } from '../../src/kernel/money';
import { type Instant, plusDays } from '../../src/kernel/time';
import { TestCollector } from '../../src/services/billing/collection';
import type { PaymentMethod } from '../../src/domain/billing/payment.events';
import type { PlanTerms } from '../../src/domain/plans/plan.events';
import {
  type Subscriber,
  subscriberAggregate,
  type SubscriberStreamFact,
} from '../../src/domain/subscriber-stream/subscriber.aggregate';
import {
  fireDueTimers,
  type CreateClockWatcher,
} from '../../src/domain/subscriber-stream/subscriber-timers';
import {
  createActivated,
  type SubscriptionStart,
  createTrialStarted,
} from '../../src/domain/billing/starting';
import { computePeriod, type Subscription } from '../../src/domain/billing/subscription';
import type { BillingEffects } from '../../src/domain/billing/billing-effects';
import { noon } from './given';

export const subscriberId = 'subscriber_0000000000000000';
export const subId = 'sub_000000000000000000000000';

export const plan = (over: Partial<PlanTerms> = {}): PlanTerms => ({
  plan: 'pro',
  version: 1,
  amount: 2000,
  currency: 'USD' as Currency,
  interval: 'month',
  interval_count: 1,
  ...over,
});

const collector = new TestCollector();
export const buildMethod = (token: string): PaymentMethod => collector.describe(token);

export type StoryFact = Dated<SubscriberStreamFact>;
export type StoryDraft = CommandDraft<Subscriber, SubscriberStreamFact>;

interface StoryOptions {
  /**
   * True if time moves from timer to timer, as under a test clock. Otherwise missed timers fire
   * late.
   */
  readonly simulated?: boolean;
  readonly graceDays?: number;
  readonly trialEndBehavior?: BillingEffects['trialEndBehavior'];
  readonly plans?: readonly PlanTerms[];
  readonly watch?: CreateClockWatcher;
}

/**
 * The life of one subscriber, decided step by step from commands and time, with the test
 * collection.
 */
export class Story {
  readonly facts: StoryFact[] = [];
  readonly plans: Map<string, PlanTerms>;
  /** The subscriber before its facts: registered only. */
  readonly first: Subscriber;
  state: Subscriber;
  now = noon;
  private steps = 0;

  constructor(private readonly options: StoryOptions = {}) {
    this.plans = new Map((options.plans ?? [plan()]).map((terms) => [terms.plan, terms]));
    const created: StoryFact = {
      type: 'subscriber.created',
      at: noon,
      data: {
        email: 'ada@example.com',
        external_id: null,
        tags: [],
        metadata: {},
        test_clock: (options.simulated ?? true) ? 'clock_1' : null,
        actor: 'api',
      },
    };
    this.first = fold(subscriberAggregate, subscriberAggregate.initialState(), [created]);
    this.state = this.first;
  }

  /** Starts with an active subscription that was paid at noon. */
  static async active(token: string | null = 'pm_test_ok', options: StoryOptions = {}) {
    const story = new Story(options);
    await story.do((draft) => {
      const beginning = story.buildStart(token);
      draft.add(...createActivated(beginning, computePeriod(beginning.terms, draft.now), null));
    });
    return story;
  }

  /** Starts with a trial of 14 days that began at noon. */
  static async trialing(token: string | null = 'pm_test_ok', options: StoryOptions = {}) {
    const story = new Story(options);
    await story.do((draft) => {
      draft.add(...createTrialStarted(story.buildStart(token), plusDays(draft.now, 14)));
    });
    return story;
  }

  get subscription(): Subscription {
    const found = this.state.subscriptions[subId];
    if (found === undefined) throw new Error('there is no subscription');
    return found;
  }

  get types(): string[] {
    return this.facts.map(({ type }) => type);
  }

  /**
   * Runs a decision as a command does: first the timers that are due, then the work. Returns its
   * facts.
   */
  async do(
    work: (draft: StoryDraft, effects: BillingEffects) => unknown,
    effects: Partial<BillingEffects> = {},
  ): Promise<StoryFact[]> {
    const draft: StoryDraft = new CommandDraft(subscriberAggregate, this.state, this.now);
    this.steps += 1;
    const all = { ...this.createEffects(`step ${this.steps}`), ...effects };
    await fireDueTimers(draft, all, this.now, this.options.watch);
    await work(draft, all);
    this.state = draft.state;
    this.facts.push(...draft.facts);
    return draft.facts;
  }

  /** Returns the code with which a command is refused, or its facts if it is accepted. */
  async refusal(work: (draft: StoryDraft, effects: BillingEffects) => unknown): Promise<string> {
    try {
      const facts = await this.do(work);
      return `no refusal: ${facts.map(({ type }) => type).join()}`;
    } catch (error) {
      if (error instanceof DomainError) return error.code;
      throw error;
    }
  }

  /** Advances time and returns the facts of the timers that fired. */
  async until(at: Instant): Promise<StoryFact[]> {
    this.now = at;
    return this.do(() => undefined);
  }

  after(days: number): Promise<StoryFact[]> {
    return this.until(plusDays(this.now, days));
  }

  private buildStart(token: string | null): SubscriptionStart {
    const [terms = plan()] = this.plans.values();
    return {
      id: subId,
      subscriberId,
      externalId: null,
      terms,
      method: token === null ? null : buildMethod(token),
      actor: 'api',
    };
  }

  private createEffects(seed: string): BillingEffects {
    const createBytes = (label: string, count: number): Uint8Array =>
      createHash('sha256').update(`${seed} ${label}`).digest().subarray(0, count);
    return {
      actor: 'api',
      motionRunId: null,
      graceDays: this.options.graceDays ?? 14,
      trialEndBehavior: this.options.trialEndBehavior ?? 'lapse',
      provider: 'test',
      charge: (charge) => collector.charge(charge),
      refund: (order) => collector.refund(order),
      newId: (prefix, owner, label) => newOwnedId(prefix, owner, createBytes, `${prefix} ${label}`),
      newestTerms: (id) => {
        const terms = this.plans.get(id);
        return terms === undefined
          ? Promise.reject(new Error(`no plan ${id}`))
          : Promise.resolve(terms);
      },
    };
  }
}

/** Returns type and simulated instant of facts, to compare whole courses. */
export const listFactTimes = (facts: readonly StoryFact[]): string[] =>
  facts.map(({ type, at }) => `${at.slice(0, 16)} ${type}`);
