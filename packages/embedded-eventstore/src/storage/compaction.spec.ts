import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appendEvents, tombstone, type AppendOutcome } from './appends';
import { EventLog } from './event-log';
import { readData, readStreamName } from './record';
import { Scavenger } from './scavenger';
import { verifyDirectory } from './verify';

const SECRET = 'the-wrapped-key-of-somebody';

describe('a compaction', () => {
  let dir: string;
  let log: EventLog;

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'compaction-'));
    log = new EventLog({ dir });
  });
  afterEach(async () => {
    await log.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const append = (streamName: string, data: string): Promise<AppendOutcome> =>
    new Promise((resolve) => {
      const content = { json: false, customMetadata: Buffer.alloc(0), data: Buffer.from(data) };
      const event = { id: randomUUID(), type: 'happened', ...content };
      appendEvents(log, { streamName, expected: 'any', events: [event] }, resolve);
    });
  const appendMany = (streamName: string, texts: readonly string[]): Promise<unknown> =>
    Promise.all(texts.map((text) => append(streamName, text)));
  const tombstoneStream = (streamName: string): Promise<AppendOutcome> =>
    new Promise((resolve) => {
      tombstone(log, { streamName, expected: 'any' }, resolve);
    });
  const numbers = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at));
  const dataOfStream = (streamName: string): string[] => {
    const found: string[] = [];
    for (let at: number | undefined = 0; at !== undefined;) {
      const { entries, next } = log.reader.readForward(at, 1_000);
      for (const { record } of entries) {
        if (readStreamName(record) === streamName) found.push(readData(record).toString());
      }
      at = next;
    }
    return found;
  };
  const filesWith = (text: string): string[] =>
    readdirSync(dir).filter((name) => readFileSync(join(dir, name)).includes(text));

  const fillAndBury = async (): Promise<void> => {
    for (let batch = 0; batch < 20; batch++) {
      await appendMany('kept-1', numbers(20));
      await append(`vault-${batch}`, `${SECRET} ${'x'.repeat(batch * 500)}`);
    }
    for (let batch = 0; batch < 20; batch++) await tombstoneStream(`vault-${batch}`);
    const scavenger = new Scavenger(log);
    await scavenger.scavengeAll().finished;
    await scavenger.close();
  };

  it('removes every byte of removed events from the directory, and nothing else', async () => {
    await fillAndBury();
    const before = dataOfStream('kept-1');
    expect(filesWith(SECRET)).toEqual(['data.mdb']);
    await log.compact(() => undefined);
    expect(filesWith(SECRET)).toEqual([]);
    expect(dataOfStream('kept-1')).toEqual(before);
    expect(await append('kept-1', 'after')).toMatchObject({ revision: 400 });
    await log.close();
    expect(filesWith(SECRET)).toEqual([]);
    expect(await verifyDirectory(dir)).toMatchObject({ problems: [] });
    expect(statSync(join(dir, 'data.mdb')).mode & 0o777).toBe(0o600);
    log = new EventLog({ dir });
    expect(dataOfStream('kept-1')).toEqual([...before, 'after']);
  });

  it('loses nothing that is appended while it copies', async () => {
    await fillAndBury();
    await appendMany('kept-2', numbers(20_000));
    let copying = true;
    const during: Promise<unknown>[] = [];
    const compaction = log.compact(() => undefined).finally(() => (copying = false));
    let written = 0;
    while (copying) {
      during.push(append('kept-3', String(written++)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await compaction;
    await Promise.all(during);
    expect(dataOfStream('kept-3')).toEqual(numbers(written));
    await log.close();
    expect(await verifyDirectory(dir)).toMatchObject({ problems: [] });
    log = new EventLog({ dir });
    expect(dataOfStream('kept-3')).toEqual(numbers(written));
  });

  it('keeps the directory locked', async () => {
    await append('kept-1', 'a');
    await log.compact(() => undefined);
    await expect(verifyDirectory(dir)).rejects.toThrow(/open in this process/);
  });

  it('deletes the files of an interrupted compaction', async () => {
    await append('kept-1', 'a');
    await log.close();
    mkdirSync(join(dir, 'compacting'));
    log = new EventLog({ dir });
    expect(existsSync(join(dir, 'compacting'))).toBe(false);
    expect(dataOfStream('kept-1')).toEqual(['a']);
  });
});
