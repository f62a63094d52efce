import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { EventStoreConnection } from '../../src/event-store/connection';
import { LinkProgress } from '../../src/event-store/link-progress';
import { SubscriptionWatch } from '../../src/event-store/subscription-watch';
import { until } from './until';

/** A log whose events arrive when the test appends them. */
export class Log {
  private readonly readable = Object.assign(
    new Readable({ objectMode: true, read: () => undefined }),
    { unsubscribe: () => Promise.resolve() },
  );

  readonly connection = {
    subscriptions: new SubscriptionWatch(),
    links: new LinkProgress(),
    leaseSubscription: () => ({
      client: { subscribeToAll: () => this.subscribe() },
      release: () => undefined,
    }),
  } as unknown as EventStoreConnection;

  private subscribe(): Readable {
    setImmediate(() => this.readable.emit('confirmation'));
    return this.readable;
  }

  /** Appends one event per number; each sets the value to its number. */
  set(...numbers: number[]): void {
    for (const n of numbers) this.appendAt(n, { id: 'one', value: n });
  }

  /** Appends an event at a position. */
  appendAt(at: number, data: object): void {
    this.readable.push({
      event: {
        isJson: true,
        created: new Date(),
        id: randomUUID(),
        type: 'thing.set',
        streamId: 'thing-1',
        revision: BigInt(at),
        position: { commit: BigInt(at), prepare: BigInt(at) },
        data,
        metadata: { schema: 'v1', at: '2026-03-01T12:00:00.000Z', command: 'c' },
      },
    });
  }

  get left(): number {
    return this.readable.readableLength;
  }

  async catchUp(): Promise<void> {
    const isRead = () => Promise.resolve(this.readable.listenerCount('caughtUp') > 0);
    await until('the log to be followed', isRead);
    this.readable.emit('caughtUp');
  }
}
