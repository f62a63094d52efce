import { randomUUID } from 'node:crypto';
import { StoreServer } from '../../packages/embedded-eventstore/test/support/store-server';
import type { MailFiles } from '../../src/delivery/mail/mail-files';
import { append } from '../../src/event-store/append';
import { EventStoreConnection } from '../../src/event-store/connection';
import { MasterKey } from '../../src/event-store/master-key';
import { streams } from '../../src/event-store/streams';
import { Vault } from '../../src/event-store/vault';
import type { Scope } from '../../src/kernel/scope';
import { ErasureFollower } from '../../src/services/erasure/erasure-follower';
import { noon } from '../support/given';
import { until } from '../support/until';

const scope: Scope = { tenantId: 'tnt_0000000000000000', environment: 'test' };
const ADA = 'subscriber_0000000000000001';
const BEN = 'subscriber_0000000000000002';
const OFTEN_MS = 50;
const NEVER_MS = 3_600_000;

/** A process that caches data keys and follows the erasures of a store. */
class FollowingProcess {
  readonly vault: Vault;
  readonly stopped: string[] = [];
  cacheDropCount = 0;
  private readonly connection: EventStoreConnection;
  private readonly stop = new AbortController();
  private readonly running: Promise<void>;

  constructor(store: StoreServer, droppedEveryMs: number) {
    this.connection = new EventStoreConnection(store.connectionString);
    this.vault = new Vault(this.connection, new MasterKey(new Uint8Array(32).fill(1)));
    const parts = {
      aggregates: {
        stopCaching: ({ name }: { readonly name: string }) => void this.stopped.push(name),
        dropStates: () => void (this.cacheDropCount += 1),
      },
      connection: this.connection,
      vault: this.vault,
      mailFiles: { deleteForEvents: () => Promise.resolve() } as unknown as MailFiles,
    };
    this.running = new ErasureFollower(parts, droppedEveryMs).run(this.stop.signal);
  }

  async cacheKey(id: string): Promise<void> {
    await this.vault.create(id, { now: noon, commandId: id });
    expect(this.vault.hasCachedKey(id)).toBe(true);
  }

  /** Appends the erasure of another process, which only the log tells. */
  async appendErasure(id: string): Promise<void> {
    const event = {
      uuid: randomUUID(),
      type: 'subscriber.erased',
      data: { erased_at: noon },
      metadata: { schema: 'v1', at: noon, command: id },
    };
    const stream = streams.subscriber(scope, id).name;
    await append(this.connection, { stream, expected: 'any', events: [event] });
  }

  async close(): Promise<void> {
    this.stop.abort();
    await this.running;
    await this.connection.close();
  }
}

describe('a process that follows the erasures', () => {
  let store: StoreServer;
  let following: FollowingProcess;

  const startWith = async (droppedEveryMs: number): Promise<void> => {
    store = await StoreServer.start();
    following = new FollowingProcess(store, droppedEveryMs);
  };

  afterEach(async () => {
    await following.close();
    await store.dispose();
  });

  it('deletes the data of the erased subscriber and keeps that of the others', async () => {
    await startWith(NEVER_MS);
    await until('the process to be in touch with the log', () => following.cacheDropCount === 1);
    for (const id of [ADA, BEN]) await following.cacheKey(id);
    await following.appendErasure(ADA);
    await until('the key of the erased subscriber to be deleted', () => {
      return !following.vault.hasCachedKey(ADA);
    });
    expect(following.stopped).toEqual([streams.subscriber(scope, ADA).name]);
    expect(following.vault.hasCachedKey(BEN)).toBe(true);
    expect(following.cacheDropCount).toBe(1);
  });

  it('keeps no personal data in memory while the event store is away', async () => {
    await startWith(OFTEN_MS);
    await following.cacheKey(ADA);
    await store.stop();
    const before = following.cacheDropCount;
    await until('the key to be deleted', () => !following.vault.hasCachedKey(ADA));
    await until('the states to be deleted', () => following.cacheDropCount > before);
    await store.run();
    await until('the erasure to be stored', () => following.appendErasure(BEN).then(() => true));
    await until('the erasure to arrive', () => following.stopped.length > 0);
  });
});
