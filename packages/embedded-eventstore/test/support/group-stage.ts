import {
  type EventStoreDBClient,
  type PersistentSubscriptionToStream,
  type PersistentSubscriptionToStreamInfo,
  type PersistentSubscriptionToStreamSettings,
  persistentSubscriptionToStreamSettingsFromDefaults as settings,
  START,
} from '@eventstore/db-client';
import { ContractStore, createNumberedUpTo, createUniqueName } from './store-contract';
import { until } from './until';

/** The name of every group of a stage. */
export const GROUP = 'group';

/** A store with groups on streams of their own. */
export class GroupStage {
  private constructor(readonly store: ContractStore) {}

  static async start(): Promise<GroupStage> {
    return new GroupStage(await ContractStore.start());
  }

  get client(): EventStoreDBClient {
    return this.store.client;
  }

  /** Creates a stream of `events` and a group on it. Returns the name of the stream. */
  async create(
    events: number,
    changes: Partial<PersistentSubscriptionToStreamSettings> = {},
  ): Promise<string> {
    const stream = createUniqueName('g-');
    if (events > 0) await this.client.appendToStream(stream, createNumberedUpTo(events));
    const all = settings({ startFrom: START, ...changes });
    await this.client.createPersistentSubscriptionToStream(stream, GROUP, all);
    return stream;
  }

  connect(stream: string, bufferSize = 10): PersistentSubscriptionToStream {
    return this.client.subscribeToPersistentSubscriptionToStream(stream, GROUP, { bufferSize });
  }

  readInfo(stream: string): Promise<PersistentSubscriptionToStreamInfo> {
    return this.client.getPersistentSubscriptionToStreamInfo(stream, GROUP);
  }

  async countParked(stream: string): Promise<bigint> {
    return (await this.readInfo(stream)).stats.parkedMessageCount;
  }

  /** A response may be lost if the call ends right after it, so wait for its effect. */
  waitUntilParked(stream: string, events: number): Promise<unknown> {
    return until(
      `${events} to be parked`,
      async () => (await this.countParked(stream)) === BigInt(events),
    );
  }
}
