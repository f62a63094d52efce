import { createEntropy, newCommandId } from '../../event-store/entropy';
import { warnOfFailure } from '../../event-store/failures';
import { createSystemOrigin, parseScope, type TenantContext } from '../../kernel/scope';
import { type Clock, type Instant, msBetween, plusMs } from '../../kernel/time';
import type { Database } from '../../read-models/database';
import type { Watch } from '../../domain/subscriber-stream/subscriber-timers';
import type { Billing } from '../billing/billing';
import type { TenantDirectory } from '../../directories/tenant.directory';

/** Where another process writes the rows; rows of our own are told of. */
const LOOK_EVERY_MS = 500;
const LOOK_SELDOM_MS = 5_000;
const BATCH = 50;
/** A process that died over its batch leaves it to others after this time. */
const LEASE_SECONDS = 30;

export interface DueSubscriber {
  /** `<tenant>.<environment>` */
  readonly scope: string;
  readonly subscriber_id: string;
}

export interface TimerParts {
  readonly database: Database;
  readonly billing: Billing;
  readonly tenants: TenantDirectory;
  readonly clock: Clock;
}

/**
 * Wakes subscribers whose timers are due. Any number of processes may run it: rows are claimed with
 * SKIP LOCKED and a lease, and what a timer does is decided on the state, so twice is harmless.
 */
export class Timers {
  constructor(private readonly parts: TimerParts) {}

  async run(signal: AbortSignal): Promise<void> {
    await this.parts.tenants.whenReady(signal).catch(() => undefined);
    const news = this.parts.database.rowNotifier.listen('timers', (row) => this.isSoon(row));
    while (!signal.aborted) {
      const restMs = await this.look().catch((error: unknown) => {
        warnOfFailure('could not look for due timers', 'timers', error);
        return LOOK_EVERY_MS;
      });
      if (restMs > 0) await news.waitForRows(restMs, signal);
    }
  }

  /** Brings one subscriber up to date; answers the log position of what that took, null of nothing. */
  async wake(
    { scope: name, subscriber_id: id }: DueSubscriber,
    watch?: Watch,
  ): Promise<bigint | null> {
    const scope = parseScope(name);
    const tenant = this.parts.tenants.require(scope.tenantId);
    let position: bigint | null = null;
    const context: TenantContext = {
      commandId: newCommandId(),
      now: this.parts.clock.now(),
      actor: 'system',
      origin: createSystemOrigin('timers'),
      // Repeated after a crash, a renewal is the same payment and charges once.
      entropy: createEntropy(`timers ${name} ${id}`),
      resumed: false,
      wrote: (at) => {
        position = at;
      },
      scope,
      tenant: { id: tenant.id, name: tenant.name },
    };
    await this.parts.billing.run(context, id, () => undefined, watch);
    return position;
  }

  /** Wakes who is due; answers how long there is nothing to do then. */
  private async look(): Promise<number> {
    const atMost = this.parts.database.rowNotifier.isComplete ? LOOK_SELDOM_MS : LOOK_EVERY_MS;
    const next = await this.nextDue();
    const inMs = next === null ? atMost : msBetween(this.parts.clock.now(), next);
    if (inMs > 0) return Math.min(inMs, atMost);
    await this.wakeDue();
    return 0;
  }

  /** When the first timer is due that no process has in hand. */
  private async nextDue(): Promise<Instant | null> {
    const [row] = await this.parts.database.query<{ due_at: Instant }>({
      name: 'next timer',
      text: `select due_at from timers
        where test_clock is null and (leased_until is null or leased_until < now())
        order by due_at limit 1`,
    });
    return row?.due_at ?? null;
  }

  /** Whether it is due before the next look that is planned. */
  private isSoon({ due_at, test_clock }: Readonly<Record<string, unknown>>): boolean {
    const horizon = plusMs(this.parts.clock.now(), LOOK_SELDOM_MS);
    return test_clock === null && due_at != null && (due_at as Instant) <= horizon;
  }

  private async wakeDue(): Promise<number> {
    const due = await this.claim();
    await Promise.all(
      due.map((subscriber) =>
        this.wake(subscriber).catch((error: unknown) => {
          const { subscriber_id } = subscriber;
          warnOfFailure('a timer failed; it is tried again', subscriber_id, error);
        }),
      ),
    );
    return due.length;
  }

  private claim(): Promise<DueSubscriber[]> {
    return this.parts.database.query<DueSubscriber>({
      name: 'claim timers',
      text: `update timers t set leased_until = now() + interval '${LEASE_SECONDS} seconds'
        from (select scope, subscriber_id from timers
          where test_clock is null and due_at <= $1
            and (leased_until is null or leased_until < now())
          order by due_at limit ${BATCH} for update skip locked) due
        where t.scope = due.scope and t.subscriber_id = due.subscriber_id
        returning t.scope, t.subscriber_id`,
      values: [this.parts.clock.now()],
    });
  }
}
