import { createEntropy } from '../../event-store/entropy';
import { warnOfFailure } from '../../event-store/failures';
import { createSystemContext } from '../../event-store/system-context';
import { pollUntilStopped } from '../../ops/polling';
import { parseScope, type TenantContext } from '../../kernel/scope';
import { type Clock, type Instant, msBetween, plusMs } from '../../kernel/time';
import type { Database } from '../../read-models/database';
import type { CreateClockWatcher } from '../../domain/subscriber-stream/subscriber-timers';
import type { Billing } from '../billing/billing';
import type { TenantDirectory } from '../../directories/tenant.directory';

/**
 * Interval for reading the rows if another process writes them. Changes of this process's own rows
 * are notified.
 */
const POLL_MS = 500;
const NOTIFIED_POLL_MS = 6_000;
const BATCH_SIZE = 50;
/** The lease of a batch. If the process dies, others can claim the batch after this time. */
const LEASE_SECONDS = 30;

export interface DueSubscriber {
  /** Name of the scope: `<tenant>.<environment>`. */
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
 * Fires the due timers of subscribers. Any number of processes may run it: rows are claimed with
 * SKIP LOCKED and a lease. The subscriber's state decides what happens, so a timer that is fired
 * twice has its effect once.
 */
export class Timers {
  constructor(private readonly parts: TimerParts) {}

  async run(signal: AbortSignal): Promise<void> {
    await this.parts.tenants.waitUntilReady(signal).catch(() => undefined);
    const news = this.parts.database.rowNotifier.listen('timers', (row) =>
      this.isDueBeforeNextCheck(row),
    );
    await pollUntilStopped(signal, () => this.wakeDueOrWait(), {
      everyMs: POLL_MS,
      wait: (ms, stop) => news.waitForRows(ms, stop),
      onFailure: (error) => {
        warnOfFailure('due timers cannot be read: it is tried again', 'timers', error);
      },
    });
  }

  /**
   * Fires the due timers of one subscriber. Returns the log position of the resulting events; null
   * if there were none.
   */
  async wake(
    { scope: name, subscriber_id: id }: DueSubscriber,
    watch?: CreateClockWatcher,
  ): Promise<bigint | null> {
    const scope = parseScope(name);
    const tenant = this.parts.tenants.require(scope.tenantId);
    let position: bigint | null = null;
    const context: TenantContext = {
      ...createSystemContext('timers', this.parts.clock),
      // The entropy is constant, so a renewal that is repeated after a crash is the same payment
      // and charges once.
      entropy: createEntropy(`timers ${name} ${id}`),
      wrote: (at) => {
        position = at;
      },
      scope,
      tenant: { id: tenant.id, name: tenant.name },
    };
    await this.parts.billing.run(context, id, () => undefined, watch);
    return position;
  }

  /** Processes the due subscribers. Returns the milliseconds until the next check. */
  private async wakeDueOrWait(): Promise<number> {
    const atMost = this.parts.database.rowNotifier.isComplete ? NOTIFIED_POLL_MS : POLL_MS;
    const next = await this.findNextDue();
    const inMs = next === null ? atMost : msBetween(this.parts.clock.now(), next);
    if (inMs > 0) return Math.min(inMs, atMost);
    await this.wakeDue();
    return 0;
  }

  /** Returns when the first unclaimed timer is due; null if there is none. */
  private async findNextDue(): Promise<Instant | null> {
    const [row] = await this.parts.database.query<{ due_at: Instant }>({
      name: 'next timer',
      text: `select due_at from timers
        where test_clock is null and (leased_until is null or leased_until < now())
        order by due_at limit 1`,
    });
    return row?.due_at ?? null;
  }

  /** True if the timer is due before the next planned check. */
  private isDueBeforeNextCheck({ due_at, test_clock }: Readonly<Record<string, unknown>>): boolean {
    const horizon = plusMs(this.parts.clock.now(), NOTIFIED_POLL_MS);
    return test_clock === null && due_at != null && (due_at as Instant) <= horizon;
  }

  private async wakeDue(): Promise<number> {
    const due = await this.claim();
    await Promise.all(
      due.map((subscriber) =>
        this.wake(subscriber).catch((error: unknown) => {
          const { subscriber_id } = subscriber;
          warnOfFailure('a timer failed: it is tried again', subscriber_id, error);
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
          order by due_at limit ${BATCH_SIZE} for update skip locked) due
        where t.scope = due.scope and t.subscriber_id = due.subscriber_id
        returning t.scope, t.subscriber_id`,
      values: [this.parts.clock.now()],
    });
  }
}
