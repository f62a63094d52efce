import { setTimeout as delay } from 'node:timers/promises';
import { warnOfFailure } from '../../event-store/failures';
import { createSystemContext } from '../../event-store/system-context';
import { pollUntilStopped } from '../../ops/polling';
import type { Aggregates } from '../../event-store/aggregates';
import type { EventStoreConnection } from '../../event-store/connection';
import { readCategoryHead } from '../../event-store/groups';
import { deliverableStream, streams } from '../../event-store/streams';
import { parseScope, type Scope, type TenantContext } from '../../kernel/scope';
import type { Clock } from '../../kernel/time';
import type { Runtime } from '../../config/runtime';
import { isOutage } from '../../event-store/store-outage';
import type { ReadYourWrites } from '../../projections/read-your-writes';
import type { CohortWatchers } from '../cohort-evaluation/cohort-watchers';
import type { CreateClockWatcher } from '../../domain/subscriber-stream/subscriber-timers';
import type { TenantDirectory } from '../../directories/tenant.directory';
import type { DueSubscriber, Timers } from '../timers/timers';
import {
  completeAdvance,
  clockAggregate,
  failAdvance,
  type TestClock,
} from '../../domain/clocks/clock.decider';
import type { ClockFact } from '../../domain/clocks/clock.events';
import { ClockLease } from './clock.lease';
import type { ClockRemover } from './clock.remover';
import type { ClockRow, ClockStore } from './clock.store';

/**
 * Interval for reading the rows if another process writes them. Changes of this process's own rows
 * are notified.
 */
const POLL_MS = 250;
const NOTIFIED_POLL_MS = 6_000;
const PAUSE_IN_OUTAGE_MS = 1_000;
const WAIT_STEP_MS = 5_000;
const CONCURRENT_WAKES = 16;

export interface AdvancerParts {
  readonly connection: EventStoreConnection;
  readonly store: ClockStore;
  readonly aggregates: Aggregates;
  readonly timers: Timers;
  readonly cohorts: CohortWatchers;
  readonly remover: ClockRemover;
  readonly freshness: ReadYourWrites;
  readonly tenants: TenantDirectory;
  readonly clock: Clock;
  readonly runtime: Pick<Runtime, 'isAlone'>;
}

/** Advances test clocks to their targets and deletes them at the end of their lifetime. */
export class ClockAdvancer {
  constructor(private readonly parts: AdvancerParts) {}

  async run(signal: AbortSignal): Promise<void> {
    await this.parts.tenants.waitUntilReady(signal).catch(() => undefined);
    await this.releaseFormerLeases();
    const news = this.parts.store.listen();
    await pollUntilStopped(signal, () => this.processNextOrRest(signal), {
      everyMs: POLL_MS,
      wait: (ms, stop) => news.waitForRows(ms, stop),
      onFailure: (error) => {
        warnOfFailure(
          'test clocks cannot be advanced or deleted: it is tried again',
          'test-clocks',
          error,
        );
      },
    });
  }

  /**
   * Releases the clocks that the previous process had when it was killed. Otherwise they would stand
   * still until the lease ends.
   */
  private async releaseFormerLeases(): Promise<void> {
    if (!this.parts.runtime.isAlone) return;
    await this.parts.store.releaseAll().catch((error: unknown) => {
      warnOfFailure('test clocks are not released: they wait for a minute', 'test-clocks', error);
    });
  }

  /** Processes one clock. Returns the milliseconds until the next check. */
  private async processNextOrRest(signal: AbortSignal): Promise<number> {
    if (await this.processNext(signal)) return 0;
    return this.parts.store.notifiesAll() ? NOTIFIED_POLL_MS : POLL_MS;
  }

  private async processNext(signal: AbortSignal): Promise<boolean> {
    const row = await this.parts.store.claim(this.parts.clock.now());
    if (row === null) return false;
    const lease = new ClockLease(this.parts.store, row);
    await lease.runWhileHeld(signal, async (held) => {
      if (row.status === 'advancing') await this.advanceOrFail(row, lease, held);
      else await this.parts.remover.remove(this.createContext(row.scope), row.id);
    });
    return true;
  }

  /**
   * Advances a clock. During an outage it waits. After another error it stores that the advance has
   * failed, unless another process has the clock by then.
   */
  private async advanceOrFail(
    row: ClockRow,
    lease: ClockLease,
    signal: AbortSignal,
  ): Promise<void> {
    for (;;) {
      try {
        await this.advance(row, signal);
        await this.storeFact(row, completeAdvance(row.target));
        return;
      } catch (error) {
        signal.throwIfAborted();
        warnOfFailure('a test clock could not advance', row.id, error);
        if (!isOutage(error)) {
          if (await lease.renew()) await this.storeFact(row, failAdvance(row.target));
          return;
        }
        await delay(PAUSE_IN_OUTAGE_MS, undefined, { signal });
      }
    }
  }

  private async advance(row: ClockRow, signal: AbortSignal): Promise<void> {
    const { id, target } = row;
    const scope = parseScope(row.scope);
    if (target === null) return;
    // Another process may have begun this advance and been interrupted. Its events must be
    // projected before the due timers are read.
    await this.waitUntilProjected(await this.readHead(scope), signal);
    await this.moveMembers(row, signal);
    let isCurrent = false;
    for (;;) {
      signal.throwIfAborted();
      const due = await this.parts.store.listDue(scope, id, target);
      if (due.length === 0) return;
      // After this, the next timer of each of these subscribers is later than the target.
      const position = await this.wakeAll(due, signal);
      if (position === null && isCurrent)
        throw new Error('timers of subscribers were fired but are still due');
      // If no events were stored, a command has fired these timers already, and its events are not
      // projected yet. If the timers are still due after that, something is wrong.
      isCurrent = position === null;
      await this.waitUntilProjected(position ?? (await this.readHead(scope)), signal);
    }
  }

  private async readHead(scope: Scope): Promise<bigint> {
    return BigInt(
      (await readCategoryHead(this.parts.connection, deliverableStream(scope))).position,
    );
  }

  private async waitUntilProjected(position: bigint, signal: AbortSignal): Promise<void> {
    while (!(await this.parts.freshness.waitUntilReached(position, WAIT_STEP_MS)))
      signal.throwIfAborted();
  }

  /**
   * Moves subscribers in and out of cohorts. They also move at instants without a timer, so all
   * subscribers of the clock are processed.
   */
  private async moveMembers(row: ClockRow, signal: AbortSignal): Promise<void> {
    const { aggregates, cohorts: watch, store } = this.parts;
    const scope = parseScope(row.scope);
    const cohorts = await watch.listCohorts(scope);
    const { state } = await aggregates.load(clockAggregate, streams.clock(row.id));
    if (cohorts.length === 0 || state.status !== 'advancing') return;
    const { frozenTime: since } = state;
    const everyone = (await store.listSubscribers(row.id)).map((subscriber_id) => ({
      scope: row.scope,
      subscriber_id,
    }));
    const position = await this.wakeAll(everyone, signal, (id) =>
      watch.prepareWatcher(id, { scope, since, cohorts }),
    );
    if (position !== null) await this.waitUntilProjected(position, signal);
  }

  private async wakeAll(
    subscribers: readonly DueSubscriber[],
    signal: AbortSignal,
    prepareWatcher?: (subscriberId: string) => Promise<CreateClockWatcher>,
  ): Promise<bigint | null> {
    const wake = async (each: DueSubscriber): Promise<bigint | null> =>
      this.parts.timers.wake(each, await prepareWatcher?.(each.subscriber_id));
    let last: bigint | null = null;
    for (let i = 0; i < subscribers.length; i += CONCURRENT_WAKES) {
      signal.throwIfAborted();
      const batch = subscribers.slice(i, i + CONCURRENT_WAKES);
      for (const position of await Promise.all(batch.map(wake))) {
        if (position !== null && (last === null || position > last)) last = position;
      }
    }
    return last;
  }

  private async storeFact(row: ClockRow, decide: (clock: TestClock) => ClockFact[]): Promise<void> {
    const context = this.createContext(row.scope);
    await this.parts.aggregates.run(clockAggregate, streams.clock(row.id), context, ({ state }) =>
      decide(state),
    );
  }

  private createContext(name: string): TenantContext {
    const scope = parseScope(name);
    const { id, name: tenantName } = this.parts.tenants.require(scope.tenantId);
    return {
      ...createSystemContext('test_clocks', this.parts.clock),
      scope,
      tenant: { id, name: tenantName },
    };
  }
}
