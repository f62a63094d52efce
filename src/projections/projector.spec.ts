import { Readable } from 'node:stream';
import { until } from '../../test/support/until';
import { SubscriptionWatch } from '../event-store/subscription-watch';
import type { EventStoreConnection } from '../event-store/connection';
import { NO_TRACING } from '../ops/tracing';
import { Metrics } from '../ops/metrics';
import type { Database, Query, WritingSession } from '../read-models/database';
import { RowNotifier } from '../read-models/row-notifier';
import { Projector } from './projector';

/**
 * A fake of the checkpoint's row. Reads outside a transaction are answered when the test says so.
 */
class OneRow {
  readonly isEmbedded = true;
  readonly rowNotifier = new RowNotifier();
  private row: Record<string, unknown> | undefined;
  private readonly held: (() => void)[] = [];

  /** Starts a read that sees the current row and is answered when `arrive` is called. */
  query = (query: Query): Promise<object[]> => {
    const seen = this.answer(query);
    return new Promise((resolve) => {
      this.held.push(() => {
        resolve(seen);
      });
    });
  };

  transaction = <T>(work: (session: WritingSession) => Promise<T>): Promise<T> =>
    work({ query: (query) => Promise.resolve(this.answer(query) as never), change: this.change });

  /** This test has no projections, so only the checkpoint moves. */
  change = (): Promise<void> => {
    this.row = { ...this.row, complete: true };
    return Promise.resolve();
  };

  arrive(): void {
    for (const answer of this.held.splice(0)) answer();
  }

  private answer({ name, values = [] }: Query): object[] {
    if (name === 'read checkpoint') return this.row === undefined ? [] : [{ ...this.row }];
    if (name === 'save checkpoint') {
      const [, commit, prepare, complete, owner] = values;
      this.row = { commit, prepare, complete, owner, age_ms: '0' };
    }
    return [];
  }
}

describe('the projector', () => {
  it('ignores a read of the checkpoint that began before it became the owner', async () => {
    const row = new OneRow();
    const log = Object.assign(new Readable({ objectMode: true, read: () => undefined }), {
      unsubscribe: () => Promise.resolve(),
    });
    const lease = { client: { subscribeToAll: () => log }, release: () => undefined };
    const projector = new Projector({
      connection: {
        subscriptions: new SubscriptionWatch(),
        leaseSubscription: () => lease,
      } as unknown as EventStoreConnection,
      database: row as unknown as Database,
      projections: [],
      metrics: new Metrics(),
      tracing: NO_TRACING,
      instanceId: 'me',
    });
    const looking = projector.refreshCheckpoint();
    const stop = new AbortController();
    const running = projector.run(stop.signal);
    await until('the log', () => Promise.resolve(log.listenerCount('caughtUp') > 0));
    log.emit('caughtUp');
    await until('an empty log to be projected', () => Promise.resolve(projector.isComplete()));
    row.arrive();
    await looking;
    expect([projector.isOwner(), projector.isComplete()]).toEqual([true, true]);
    stop.abort();
    const answering = setInterval(() => {
      row.arrive();
    }, 5);
    await running;
    clearInterval(answering);
  });
});
