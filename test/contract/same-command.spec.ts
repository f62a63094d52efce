import { Aggregates } from '../../src/event-store/aggregates';
import { EventCatalogue } from '../../src/event-store/catalogue';
import { EventStoreConnection } from '../../src/event-store/connection';
import { MasterKey } from '../../src/event-store/master-key';
import { Vault } from '../../src/event-store/vault';
import { createEntropy } from '../../src/event-store/entropy';
import type { Decider, Fact } from '../../src/kernel/decider';
import type { CommandContext } from '../../src/kernel/scope';
import type { Instant } from '../../src/kernel/time';
import { StoreServer } from '../../packages/embedded-eventstore/test/support/store-server';

type Granted = Fact<'test.granted', { amount: number }>;

const purse: Decider<number, Granted> = {
  initialState: () => 0,
  evolve: (sum, { data }) => sum + data.amount,
};
const GRANT: Granted = { type: 'test.granted', data: { amount: 500 } };

/**
 * A request that hangs for a minute is taken over by its repeat, which another process may execute.
 */
describe('one command run by two processes at once', () => {
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

  const createContext = (commandId: string, resumed: boolean): CommandContext => ({
    commandId,
    now: '2026-03-01T12:00:00.000Z' as Instant,
    actor: 'api',
    entropy: createEntropy(commandId),
    resumed,
    wrote: () => undefined,
  });

  /**
   * Runs a command twice: the second run, and the changes before it, are stored while the first one
   * still decides.
   */
  const runTwice = async (stream: string, between: (other: Aggregates) => Promise<unknown>) => {
    const [first, second] = [createProcess(), createProcess()];
    let tries = 0;
    const late = await first.run(
      purse,
      { name: stream },
      createContext('grant', false),
      async () => {
        tries += 1;
        if (tries === 1) {
          await between(second);
          await second.run(purse, { name: stream }, createContext('grant', true), () => [GRANT]);
        }
        return [GRANT];
      },
    );
    const { state } = await second.load(purse, { name: stream });
    return { late, state };
  };

  it('is stored once if nothing else happened', async () => {
    const { late, state } = await runTwice('purse-1', () => Promise.resolve());
    expect(late).toMatchObject({ state: 500, facts: [GRANT], revision: 0 });
    expect(state).toBe(500);
  });

  it('is stored once if the second run decided on another state', async () => {
    const { late, state } = await runTwice('purse-2', (other) =>
      other.run(purse, { name: 'purse-2' }, createContext('another', false), () => [GRANT]),
    );
    expect(late).toMatchObject({ state: 1_000, facts: [GRANT], revision: 1 });
    expect(state).toBe(1_000);
  });
});
