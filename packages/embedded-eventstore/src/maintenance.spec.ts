import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Maintenance } from './maintenance';
import { appendEvents, tombstone } from './storage/appends';
import { EventLog } from './storage/event-log';
import { Scavenger } from './storage/scavenger';

const SECRET = 'the-wrapped-key-of-somebody';

describe('the maintenance of a store', () => {
  let dir: string;
  let log: EventLog;
  let scavenger: Scavenger;
  let maintenance: Maintenance;

  const open = (): void => {
    log = new EventLog({ dir });
    scavenger = new Scavenger(log);
    maintenance = new Maintenance(log, scavenger);
  };

  /** Closes the store as a server does. */
  const close = async (): Promise<void> => {
    const maintained = maintenance.close();
    await scavenger.close();
    await maintained;
    await log.close();
  };

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'maintenance-'));
    open();
    const event = {
      id: randomUUID(),
      type: 'happened',
      json: false,
      customMetadata: Buffer.alloc(0),
      data: Buffer.from(SECRET),
    };
    const stream = { streamName: 'vault-1', expected: 'any' as const };
    await new Promise((resolve) => {
      appendEvents(log, { ...stream, events: [event] }, resolve);
    });
    await new Promise((resolve) => {
      tombstone(log, stream, resolve);
    });
  });

  afterEach(async () => {
    await close();
    rmSync(dir, { recursive: true, force: true });
  });

  const filesWithSecret = (): string[] =>
    readdirSync(dir).filter((name) => readFileSync(join(dir, name)).includes(SECRET));

  /** Stores the number of attempts as a compaction does before it begins, and restarts the store. */
  const dieInCompaction = async (begun: number): Promise<void> => {
    log.putMeta('maintenance:compactionBegun', String(begun));
    await close();
    open();
  };

  it('restarts an interrupted compaction', async () => {
    await dieInCompaction(1);
    expect(filesWithSecret()).toEqual(['data.mdb']);
    maintenance.resume();
    expect(maintenance.status).toMatchObject({ task: 'compact', state: 'running' });
    expect(await maintenance.waitUntilIdle()).toMatchObject({
      task: 'compact',
      state: 'completed',
    });
    expect(filesWithSecret()).toEqual([]);
  });

  it('starts no compaction if the last one was completed', async () => {
    maintenance.start({ task: 'compact' });
    expect(await maintenance.waitUntilIdle()).toMatchObject({ state: 'completed' });
    await close();
    open();
    maintenance.resume();
    expect(maintenance.status).toMatchObject({ task: null, state: 'never_run' });
  });

  it('keeps a compaction requested when the stop of the server interrupts it', async () => {
    maintenance.start({ task: 'compact' });
    await close();
    open();
    maintenance.resume();
    await maintenance.waitUntilIdle();
    expect(filesWithSecret()).toEqual([]);
  });

  it('gives up a compaction after three interruptions, until it is requested again', async () => {
    await dieInCompaction(3);
    maintenance.resume();
    expect(await maintenance.waitUntilIdle()).toMatchObject({
      state: 'failed',
      error: 'It was cut off 3 times.',
    });
    maintenance.start({ task: 'compact' });
    expect(await maintenance.waitUntilIdle()).toMatchObject({ state: 'completed' });
  });
});
