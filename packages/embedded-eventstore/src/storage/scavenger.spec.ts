import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appendEvents, deleteSoftly, tombstone, type AppendOutcome } from './appends';
import { EventLog } from './event-log';
import { readData, readRevision, readStreamName, TOMBSTONE_REVISION } from './record';
import { Scavenger } from './scavenger';
import { METADATA_TYPE, getMetastreamName } from './stream-metadata';
import { computeVisibleRange } from './stream-reader';
import { verifyDirectory } from './verify';

/** No round begins by itself within a test. */
const NEVER_MS = 2 ** 31 - 1;

describe('the scavenger', () => {
  let dir: string;
  let log: EventLog;
  let scavenger: Scavenger;
  let nowMs: number;

  const open = (intervalMs = NEVER_MS): void => {
    log = new EventLog({ dir, now: () => nowMs });
    scavenger = new Scavenger(log, intervalMs);
    scavenger.start();
  };
  const close = async (): Promise<void> => {
    await scavenger.close();
    await log.close();
  };
  const reopen = async (intervalMs?: number): Promise<void> => {
    await close();
    open(intervalMs);
  };

  beforeEach(() => {
    nowMs = Date.now();
    dir = mkdtempSync(join(tmpdir(), 'scavenger-'));
    open();
  });
  afterEach(async () => {
    await close();
    rmSync(dir, { recursive: true, force: true });
  });

  const append = (streamName: string, data: string, type = 'happened'): Promise<AppendOutcome> =>
    new Promise((resolve) => {
      const event = {
        id: randomUUID(),
        type,
        json: true,
        customMetadata: Buffer.alloc(0),
        data: Buffer.from(data),
      };
      appendEvents(log, { streamName, expected: 'any', events: [event] }, resolve);
    });
  const appendMany = (streamName: string, count: number): Promise<unknown> =>
    Promise.all(Array.from({ length: count }, (_, at) => append(streamName, String(at))));
  const setMetadata = (streamName: string, metadata: object): Promise<AppendOutcome> =>
    append(getMetastreamName(streamName), JSON.stringify(metadata), METADATA_TYPE);
  const tombstoneStream = (streamName: string): Promise<AppendOutcome> =>
    new Promise((resolve) => {
      tombstone(log, { streamName, expected: 'any' }, resolve);
    });

  /** Everything that $all shows of a stream. */
  const shown = (streamName: string): string[] => {
    const found: string[] = [];
    for (let at: number | undefined = 0; at !== undefined;) {
      const { entries, next } = log.reader.readForward(at, 100);
      for (const { record } of entries) {
        if (readStreamName(record) !== streamName) continue;
        const revision = readRevision(record);
        found.push(revision === TOMBSTONE_REVISION ? 'tombstone' : readData(record).toString());
      }
      at = next;
    }
    return found;
  };

  it('removes every event of a tombstoned stream except the tombstone', async () => {
    await appendMany('a-1', 3);
    await append('a-2', 'other');
    await tombstoneStream('a-1');
    expect(shown('a-1')).toEqual(['0', '1', '2', 'tombstone']);
    expect((await scavenger.scavengeAll().finished).state).toBe('completed');
    expect(shown('a-1')).toEqual(['tombstone']);
    expect(shown('a-2')).toEqual(['other']);
  });

  it('removes the events that $maxCount and $tb cut off, and reads from any revision still work', async () => {
    await appendMany('a-1', 10);
    await appendMany('a-2', 10);
    await setMetadata('a-1', { $maxCount: 2 });
    await setMetadata('a-2', { $tb: 7 });
    await scavenger.scavengeAll().finished;
    expect(shown('a-1')).toEqual(['8', '9']);
    expect(shown('a-2')).toEqual(['7', '8', '9']);
    await setMetadata('a-1', {});
    const stream = log.streams.find('a-1');
    expect(stream && computeVisibleRange(log, stream)).toEqual({ first: 0, last: 9 });
    expect(await append('a-1', '10')).toMatchObject({ revision: 10 });
  });

  it('keeps the last event of a stream that was soft-deleted or whose events have expired', async () => {
    await appendMany('a-1', 3);
    await appendMany('a-2', 3);
    await setMetadata('a-2', { $maxAge: 60 });
    await new Promise((resolve) => {
      deleteSoftly(log, { streamName: 'a-1', expected: 'any' }, resolve);
    });
    nowMs += 61_000;
    await scavenger.scavengeAll().finished;
    expect(shown('a-1')).toEqual(['2']);
    expect(shown('a-2')).toEqual(['2']);
  });

  it('removes after a restart the events that were cut off or expired before it', async () => {
    await scavenger.scavengeAll().finished;
    await appendMany('a-1', 500);
    await appendMany('a-2', 3);
    await setMetadata('a-2', { $maxAge: 60 });
    await tombstoneStream('a-1');
    await reopen(10);
    await until(() => shown('a-1').length === 1);
    expect(shown('a-2')).toHaveLength(3);
    nowMs += 61_000;
    await until(() => shown('a-2').length === 1);
    // The stream with a maximum age must be checked again later, the tombstoned one need not.
    expect(log.outdated.names()).toEqual(['a-2']);
  });

  it('leaves a valid store in which every earlier position can still be read from', async () => {
    await appendMany('a-1', 250);
    const { entries } = log.reader.readForward(0, 1_000);
    await tombstoneStream('a-1');
    await scavenger.scavengeAll().finished;
    expect(entries.every(({ position }) => log.reader.isBoundary(position))).toBe(true);
    await reopen();
    await append('a-2', 'after');
    await close();
    expect(await verifyDirectory(dir)).toMatchObject({ problems: [] });
    open();
  });

  it('loses no append that is made while it removes events', async () => {
    await appendMany('a-1', 5_000);
    await tombstoneStream('a-1');
    const run = scavenger.scavengeAll();
    expect(scavenger.scavengeAll()).toMatchObject({ id: run.id, wasRunning: true });
    await Promise.all([run.finished, appendMany('a-2', 200)]);
    expect(shown('a-2')).toHaveLength(200);
    expect(await run.finished).toMatchObject({ state: 'completed', eventsRemoved: 5_000 });
  });

  const until = async (holds: () => boolean): Promise<void> => {
    const endMs = Date.now() + 10_000;
    while (!holds()) {
      if (Date.now() > endMs) throw new Error('It did not come true within 10 s.');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
});
