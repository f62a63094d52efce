import { setTimeout as delay } from 'node:timers/promises';
import type { Aggregates } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import { entropyOf, newCommandId } from '../../http/entropy';
import { parseScope, type TenantContext } from '../../kernel/scope';
import type { Clock, Instant } from '../../kernel/time';
import { describeError, log } from '../../ops/log';
import type { ReadYourWrites } from '../../projections/read-your-writes';
import type { CohortWatch } from '../cohorts/cohort-watch.port';
import type { Watch } from '../subscriber.timers';
import type { TenantDirectory } from '../tenants/tenant.directory';
import type { DueSubscriber, Timers } from '../timers/timers.port';
import { arrive, clockAggregate, failAdvance, type TestClock } from './clock.decider';
import type { ClockFact } from './clock.events';
import type { ClockRemover } from './clock.remover';
import type { ClockRow, ClockStore } from './clock.store';

const LOOK_EVERY_MS = 250;
const PROJECTED_WITHIN_MS = 30_000;
const AT_ONCE = 16;

interface AdvancerParts {
  readonly store: ClockStore;
  readonly aggregates: Aggregates;
  readonly timers: Timers;
  readonly cohorts: CohortWatch;
  readonly remover: ClockRemover;
  readonly freshness: ReadYourWrites;
  readonly tenants: TenantDirectory;
  readonly clock: Clock;
}

/** Moves test clocks to where they were told to go, and deletes them when their days are over. */
export class ClockAdvancer {
  constructor(private readonly parts: AdvancerParts) {}

  async run(signal: AbortSignal): Promise<void> {
    await this.parts.tenants.whenReady(signal).catch(() => undefined);
    while (!signal.aborted) {
      const worked = await this.work(signal).catch((error: unknown) => {
        if (!signal.aborted) log.warn(describeError(error), 'could not look after test clocks');
        return false;
      });
      if (!worked) await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async work(signal: AbortSignal): Promise<boolean> {
    const row = await this.parts.store.claim(this.parts.clock.now());
    if (row === null) return false;
    if (row.status !== 'advancing') {
      await this.parts.remover.remove(this.context(row.scope), row.id);
      return true;
    }
    const arrived = await this.advance(row, signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      log.warn({ clock: row.id, ...describeError(error) }, 'a test clock could not advance');
      return false;
    });
    await this.state(row, arrived ? arrive : failAdvance);
    return true;
  }

  /** The row is projected after everything its subscribers did before, so nobody due is missed. */
  private async advance(row: ClockRow, signal: AbortSignal): Promise<boolean> {
    const { scope, id, target } = row;
    if (target === null) return true;
    if (!(await this.moveMembers(row, signal))) return false;
    for (;;) {
      signal.throwIfAborted();
      const due = await this.parts.store.dueUntil(parseScope(scope), id, target);
      if (due.length === 0) return true;
      const position = await this.wakeAll(due, signal);
      // Awake, every one of them has its next timer after the target.
      if (position === null) return false;
      if (!(await this.parts.freshness.reached(position, PROJECTED_WITHIN_MS))) return false;
    }
  }

  /** Cohorts are entered and left where no timer is due, too: their watch takes everyone along. */
  private async moveMembers(row: ClockRow, signal: AbortSignal): Promise<boolean> {
    const { aggregates, cohorts: watch, store, freshness } = this.parts;
    const cohorts = await watch.cohorts(parseScope(row.scope));
    const { state } = await aggregates.load(clockAggregate, streams.clock(row.id));
    if (cohorts.length === 0 || state.status !== 'advancing') return true;
    const { frozenTime: since } = state;
    const everyone = (await store.subscribersOf(row.id)).map((subscriber_id) => ({
      scope: row.scope,
      subscriber_id,
    }));
    const position = await this.wakeAll(everyone, signal, (id) =>
      watch.over(id, { since, cohorts }),
    );
    return position === null || freshness.reached(position, PROJECTED_WITHIN_MS);
  }

  private async wakeAll(
    subscribers: readonly DueSubscriber[],
    signal: AbortSignal,
    watchOver?: (subscriberId: string) => Promise<Watch>,
  ): Promise<bigint | null> {
    const wake = async (each: DueSubscriber): Promise<bigint | null> =>
      this.parts.timers.wake(each, await watchOver?.(each.subscriber_id));
    let last: bigint | null = null;
    for (let i = 0; i < subscribers.length; i += AT_ONCE) {
      signal.throwIfAborted();
      const batch = subscribers.slice(i, i + AT_ONCE);
      for (const position of await Promise.all(batch.map(wake))) {
        if (position !== null && (last === null || position > last)) last = position;
      }
    }
    return last;
  }

  private async state(row: ClockRow, decide: (clock: TestClock) => ClockFact[]): Promise<void> {
    const context = this.context(row.scope);
    await this.parts.aggregates.run(clockAggregate, streams.clock(row.id), context, ({ state }) =>
      decide(state),
    );
  }

  private context(name: string): TenantContext {
    const scope = parseScope(name);
    const { id, name: tenantName } = this.parts.tenants.require(scope.tenantId);
    const commandId = newCommandId();
    const now: Instant = this.parts.clock.now();
    return {
      commandId,
      now,
      actor: 'system',
      entropy: entropyOf(commandId),
      resumed: false,
      wrote: () => undefined,
      scope,
      tenant: { id, name: tenantName },
    };
  }
}
