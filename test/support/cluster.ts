import { randomBytes } from 'node:crypto';
import { databases } from './databases';
import { Service, type ServiceOptions } from './service';
import { StoreServer } from '../../packages/embedded-eventstore/test/support/store-server';

/** A PostgreSQL server, which several processes need because all must reach it. */
const postgres = databases.find(({ name }) => name === 'postgres');
export const describeWithPostgres = postgres === undefined ? describe.skip : describe;

/** Several processes of the service on one event store and one database. */
export class Cluster {
  readonly services: Service[] = [];

  private constructor(
    readonly store: StoreServer,
    private readonly env: Readonly<Record<string, string>>,
    private readonly databaseEnv: Readonly<Record<string, string>>,
    private readonly drop: () => Promise<void>,
    private readonly nodeFlags: readonly string[],
  ) {}

  static async start(
    more: Readonly<Record<string, string>> = {},
    { nodeFlags = [] }: Pick<ServiceOptions, 'nodeFlags'> = {},
  ): Promise<Cluster> {
    if (postgres === undefined) throw new Error('no TEST_DATABASE_URL');
    const store = await StoreServer.start();
    const { env: databaseEnv, drop } = await postgres.create();
    const env = {
      EVENTSTORE_URL: store.connectionString,
      MASTER_KEY: randomBytes(32).toString('base64'),
      OPERATOR_TOKEN: randomBytes(16).toString('hex'),
      ...more,
    };
    return new Cluster(store, env, databaseEnv, drop, nodeFlags);
  }

  /** Starts another process; of another build if its directory is given. */
  async join(build?: string): Promise<Service> {
    const database = {
      name: 'postgres' as const,
      create: () => Promise.resolve({ env: this.databaseEnv, drop: () => Promise.resolve() }),
    };
    const { env, nodeFlags } = this;
    const program = build === undefined ? {} : { build };
    const service = await Service.start({ database, env, nodeFlags, ...program });
    this.services.push(service);
    return service;
  }

  get operatorToken(): string {
    return this.env['OPERATOR_TOKEN'] ?? '';
  }

  async dispose(): Promise<void> {
    for (const service of this.services) await service.dispose();
    await this.drop();
    await this.store.dispose();
  }
}
