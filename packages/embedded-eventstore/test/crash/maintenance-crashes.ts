import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '../../src/faults/seeded-random';
import { STORE_PROGRAM, storeCommand, StoreServer } from '../support/store-server';
import { until } from '../support/until';

const STREAMS = 120;
const EVENTS_PER_STREAM = 25;
/**
 * The number of events. It is large enough that a scavenge and a compaction take several commits.
 */
const FILLER = 'x'.repeat(600);
const GONE = 'told-by-somebody-who-went';

interface MaintenanceCrashOptions {
  /** The number of times that each task is killed before it may complete. */
  readonly kills: number;
  readonly seed: number;
}

/** Defines the suite: kills the commands `scavenge` and `compact`, and a server that scavenges by itself. */
export const describeMaintenanceCrashes = ({ kills, seed }: MaintenanceCrashOptions): void => {
  describe(`kill -9 of the maintenance of an event store, with seed ${seed}`, () => {
    defineCrashes({ kills, seed });
  });
};

const defineCrashes = ({ kills, seed }: MaintenanceCrashOptions): void => {
  const random = createRandom(seed);
  let server: StoreServer;

  beforeEach(async () => {
    server = await StoreServer.start({ projections: false });
    await withClient((client) => fill(client));
  }, 120_000);

  afterEach(() => server.dispose());

  const withClient = async <T>(work: (client: EventStoreDBClient) => Promise<T>): Promise<T> => {
    const client = EventStoreDBClient.connectionString(server.connectionString);
    try {
      return await work(client);
    } finally {
      await client.dispose();
    }
  };

  const fill = async (client: EventStoreDBClient): Promise<void> => {
    for (let at = 0; at < STREAMS; at += 1) {
      const said = isGone(at) ? GONE : 'kept';
      const events = Array.from({ length: EVENTS_PER_STREAM }, (_, number) =>
        jsonEvent({ type: 'said', data: { said, number, FILLER } }),
      );
      await client.appendToStream(nameOf(at), events);
    }
  };

  /** Every third stream is deleted. */
  const isGone = (at: number): boolean => at % 3 === 0;
  const nameOf = (at: number): string => `said-${at}`;

  const deleteThird = (client: EventStoreDBClient): Promise<unknown> =>
    Promise.all(
      Array.from({ length: STREAMS }, (_, at) => at)
        .filter(isGone)
        .map((at) => client.tombstoneStream(nameOf(at))),
    );

  /**
   * Runs a command of the store and kills it after some time, or waits for its end. Returns true if
   * it ended by itself.
   */
  const run = async (task: string, killAfterMs: number | null): Promise<boolean> => {
    const child = spawn(process.execPath, [STORE_PROGRAM, task, '--dir', server.dir], {
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    if (killAfterMs !== null) {
      await Promise.race([delay(killAfterMs), ended]);
      child.kill('SIGKILL');
    }
    await ended;
    return child.exitCode === 0;
  };

  const expectSound = async (): Promise<void> => {
    const { code, output } = await storeCommand('verify', '--dir', server.dir);
    expect({ code, output }).toMatchObject({ code: 0 });
  };

  const expectKept = async (client: EventStoreDBClient): Promise<void> => {
    for (let at = 0; at < STREAMS; at += 1) {
      if (isGone(at)) continue;
      const numbers: unknown[] = [];
      for await (const { event } of client.readStream(nameOf(at))) {
        numbers.push((event?.data as { number: number }).number);
      }
      expect(numbers).toEqual(Array.from({ length: EVENTS_PER_STREAM }, (_, number) => number));
    }
  };

  const goneInLog = async (client: EventStoreDBClient): Promise<number> => {
    let found = 0;
    for await (const { event } of client.readAll()) {
      if (event?.type === 'said' && JSON.stringify(event.data).includes(GONE)) found += 1;
    }
    return found;
  };

  const filesWithGone = (): string[] =>
    readdirSync(server.dir).filter((name) => {
      try {
        return readFileSync(join(server.dir, name)).includes(GONE);
      } catch {
        return false;
      }
    });

  it.each(['scavenge', 'compact'])(
    `loses nothing when "%s" is killed ${kills} times, and ends the work afterwards`,
    async (task) => {
      await withClient(deleteThird);
      // The kill comes before the server has removed anything by itself.
      await server.signal('SIGKILL');
      const startedAt = performance.now();
      await storeCommand('verify', '--dir', server.dir);
      const startMs = performance.now() - startedAt;
      for (let kill = 0; kill < kills; kill += 1) {
        // The kill comes before the program has opened the store, or after it has worked for a while.
        await run(task, startMs * (0.3 + random() * 1.5));
        await expectSound();
      }
      expect(await run(task, null)).toBe(true);
      await expectSound();
      if (task === 'compact') expect(filesWithGone()).toEqual([]);
      expect(readdirSync(server.dir)).not.toContain('compacting');
      await server.run();
      await withClient(async (client) => {
        expect(await goneInLog(client)).toBe(0);
        await expectKept(client);
      });
    },
    60_000 + kills * 10_000,
  );

  it('restarts a killed compaction when the server starts', async () => {
    await withClient(deleteThird);
    await server.signal('SIGKILL');
    const child = spawn(process.execPath, [STORE_PROGRAM, 'compact', '--dir', server.dir], {
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    await until('the compaction to be under way', () => {
      return child.exitCode !== null || existsSync(join(server.dir, 'compacting'));
    });
    child.kill('SIGKILL');
    await ended;
    await server.run();
    await until('the compaction to end', () => filesWithGone().length === 0, 60_000);
    await withClient(expectKept);
    await server.stop();
    expect(readdirSync(server.dir)).not.toContain('compacting');
    await expectSound();
  }, 120_000);

  it(
    `a server that is killed ${kills} times after a deletion removes the events by itself`,
    async () => {
      await withClient(deleteThird);
      for (let kill = 0; kill < kills; kill += 1) {
        await delay(random() * 300);
        await server.signal('SIGKILL');
        await server.run();
      }
      await withClient(async (client) => {
        await until(
          'the events to be removed',
          async () => (await goneInLog(client)) === 0,
          60_000,
        );
        await expectKept(client);
      });
      await server.stop();
      await expectSound();
    },
    120_000 + kills * 10_000,
  );
};
