import { setTimeout as delay } from 'node:timers/promises';
import { entropyOf, newCommandId } from '../../http/entropy';
import { parseScope, type TenantContext } from '../../kernel/scope';
import type { Clock } from '../../kernel/time';
import { describeError, log } from '../../ops/log';
import type { Database } from '../../read-models/database';
import type { Watch } from '../subscriber.timers';
import type { Billing } from '../subscriptions/billing.port';
import type { TenantDirectory } from '../tenants/tenant.directory';

const LOOK_EVERY_MS = 500;
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
    while (!signal.aborted) {
      const woken = await this.wakeDue().catch((error: unknown) => {
        log.warn(describeError(error), 'could not look for due timers');
        return 0;
      });
      if (woken < BATCH) await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
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
      // Repeated after a crash, a renewal is the same payment and charges once.
      entropy: entropyOf(`timers ${name} ${id}`),
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

  private async wakeDue(): Promise<number> {
    const due = await this.claim();
    await Promise.all(
      due.map((subscriber) =>
        this.wake(subscriber).catch((error: unknown) => {
          const { subscriber_id } = subscriber;
          log.warn({ subscriber_id, ...describeError(error) }, 'a timer failed; it is tried again');
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
