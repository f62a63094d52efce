import { ANY } from '@eventstore/db-client';
import { randomBytes } from 'node:crypto';
import { EventStoreConnection } from '../../../src/event-store/connection';
import type { StoredEvent } from '../../../src/event-store/stored-event';
import type { TestDatabase } from '../../support/databases';
import { clone, readLastEvents, register } from '../../support/seed';
import { Service, type TestTenant } from '../../support/service';
import { StoreServer } from '../../../packages/embedded-eventstore/test/support/store-server';
import { openLoop } from './load';

const SUBSCRIBERS = 200;

/**
 * A service to whose log the benchmark appends directly: faster than over REST, and without cost
 * for the service.
 */
export class LogStage {
  private appended = 0;

  private constructor(
    readonly service: Service,
    readonly tenant: TestTenant,
    private readonly store: StoreServer,
    private readonly connection: EventStoreConnection,
    private readonly templates: readonly StoredEvent[],
  ) {}

  static async start(database?: TestDatabase): Promise<LogStage> {
    const store = await StoreServer.start();
    const service = await Service.start({
      ...(database === undefined ? {} : { database }),
      env: {
        EVENTSTORE_URL: store.connectionString,
        MASTER_KEY: randomBytes(32).toString('base64'),
      },
    });
    const tenant = await service.tenant();
    const connection = new EventStoreConnection(store.connectionString);
    const ids = await register(tenant, SUBSCRIBERS);
    const templates = await readLastEvents(connection.client, tenant, ids);
    return new LogStage(service, tenant, store, connection, templates);
  }

  /**
   * Appends tickets at a fixed rate, for all subscribers in turn. `appended` is called for each as
   * it is stored.
   */
  async appendAt(
    ratePerSecond: number,
    seconds: number,
    appended: (eventId: string, i: number) => void = () => undefined,
  ): Promise<number> {
    const count = Math.round(ratePerSecond * seconds);
    await openLoop(count, ratePerSecond, async (i) => {
      const template = this.templates[i % SUBSCRIBERS]!;
      const number = Math.floor(this.appended++ / SUBSCRIBERS);
      const { id, event } = clone(template, number, Date.now());
      await this.connection.client.appendToStream(template.stream, event, {
        expectedRevision: ANY,
      });
      appended(id, i);
    });
    return count;
  }

  async dispose(): Promise<void> {
    await this.connection.close();
    await this.service.dispose();
    await this.store.dispose();
  }
}
