import type { SubscriptionSummary } from '../../domain/billing/subscription-summary';
import type { Count } from './daily-count';
import { type TalliedEvent, type Tally, removeEntry } from './tally';

/**
 * An event as it concerns one plan, the tally before it, and the counts for a trial that the event
 * moves to another plan.
 */
export interface PlanEvent {
  readonly event: TalliedEvent;
  readonly before: Tally;
  readonly counts: readonly Count[];
}

/**
 * Shows a subscriber as if it had only the subscriptions of one plan. A subscription belongs to the
 * plan that it has at the time of the event, so a plan change is a contraction of the old plan and
 * an expansion of the new one.
 */
export class PlanView {
  /** The plan of each subscription, from the last event about it. */
  private readonly plans = new Map<string, string>();

  constructor(private readonly plan: string) {}

  selectPlan(event: TalliedEvent, before: Tally): PlanEvent {
    this.rememberPlan(event);
    const { subscriber = {}, subscription_id: id } = event.metadata;
    const running = (subscriber['running'] ?? []) as unknown as readonly SubscriptionSummary[];
    const primary = subscriber['primary_subscription_id'];
    const seen: TalliedEvent = {
      ...event,
      type: this.isForeign(event, before) ? 'other' : event.type,
      metadata: {
        ...event.metadata,
        subscriber: {
          ...subscriber,
          running: running.filter((each) => this.has(each.id)),
          status: this.has(primary) ? (subscriber['status'] ?? null) : null,
        },
      },
    };
    const trial = id === undefined || this.has(id) ? undefined : before.trials[id];
    if (trial === undefined || id === undefined) return { event: seen, before, counts: [] };
    const open = { series: 'trials_open', day: trial.day, currency: '', part: '' } as const;
    return {
      event: seen,
      before: { ...before, trials: removeEntry(before.trials, id) },
      counts: [{ ...open, value: -1 }],
    };
  }

  private rememberPlan({ metadata: { subscription = {} } }: TalliedEvent): void {
    const { id, plan } = subscription;
    if (typeof id === 'string' && typeof plan === 'string') this.plans.set(id, plan);
  }

  private has(subscriptionId: unknown): boolean {
    return typeof subscriptionId === 'string' && this.plans.get(subscriptionId) === this.plan;
  }

  /**
   * True for a payment of another plan. A recovery case that was opened in this plan still belongs
   * to it after a plan change.
   */
  private isForeign({ type, data, metadata }: TalliedEvent, before: Tally): boolean {
    if (!type.startsWith('payment.')) return false;
    const payment = data['payment'] as { readonly id?: unknown } | undefined;
    const paymentId = data['payment_id'] ?? payment?.id;
    if (typeof paymentId === 'string' && before.cases[paymentId] !== undefined) return false;
    return !this.has(metadata.subscription_id ?? metadata.subscription?.['id']);
  }
}
