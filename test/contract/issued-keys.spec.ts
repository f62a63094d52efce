import { Aggregates } from '../../src/event-store/aggregates';
import { EventCatalogue } from '../../src/event-store/catalogue';
import { EventStoreConnection } from '../../src/event-store/connection';
import { MasterKey } from '../../src/event-store/master-key';
import { streams } from '../../src/event-store/streams';
import { Vault } from '../../src/event-store/vault';
import { type IssuedKey, KeyWriter } from '../../src/features/api-keys/api-key.commands';
import { apiKeyAggregate, requireKey } from '../../src/domain/api-keys/api-key.decider';
import type { ApiKeyDirectory } from '../../src/directories/api-key.directory';
import { parseKey } from '../../src/features/api-keys/key-format';
import { createEntropy } from '../../src/event-store/entropy';
import type { CommandContext } from '../../src/kernel/scope';
import { noon } from '../support/given';
import { StoreServer } from '../../packages/embedded-eventstore/test/support/store-server';

const FIELDS = {
  tenantId: 'tnt_0000000000000000',
  environment: 'test',
  name: 'tests',
  scopes: ['*'],
  expiresAt: null,
  allowedIps: null,
} as const;

describe('issuing an API key', () => {
  let store: StoreServer;
  const connections: EventStoreConnection[] = [];

  beforeAll(async () => {
    store = await StoreServer.start();
  });

  afterAll(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    await store.dispose();
  });

  const createProcess = (): Aggregates => {
    const connection = new EventStoreConnection(store.connectionString);
    connections.push(connection);
    const vault = new Vault(connection, new MasterKey(Buffer.alloc(32)));
    return new Aggregates(connection, vault, new EventCatalogue([]));
  };

  /** Issues a key in a new process. */
  const issue = (commandId: string, resumed: boolean): Promise<IssuedKey> => {
    const context: CommandContext = {
      commandId,
      now: noon,
      actor: 'api',
      entropy: createEntropy(commandId),
      resumed,
      wrote: () => undefined,
    };
    const directory = { waitForRevision: () => Promise.resolve() } as unknown as ApiKeyDirectory;
    return new KeyWriter(createProcess(), directory).issue(context, FIELDS);
  };

  const loadStoredKey = async ({ key }: IssuedKey) =>
    requireKey((await createProcess().load(apiKeyAggregate, streams.apiKey(key.id))).state);

  it('leaves one working key whose secret was returned, however often it is interrupted', async () => {
    const runs = [await issue('a', false), await issue('a', true), await issue('a', true)];
    const keys = await Promise.all(runs.map(loadStoredKey));
    expect(new Set(keys.map(({ id }) => id)).size).toBe(3);
    expect(keys.map(({ revokedAt }) => revokedAt)).toEqual([noon, noon, null]);
    for (const [i, { text }] of runs.entries()) {
      expect(parseKey(text)?.secretSha256).toBe(keys[i]?.secretSha256);
    }
  });

  it('revokes no keys of other commands', async () => {
    const first = await issue('b', false);
    const second = await issue('c', true);
    expect((await loadStoredKey(first)).revokedAt).toBeNull();
    expect((await loadStoredKey(second)).revokedAt).toBeNull();
  });
});
