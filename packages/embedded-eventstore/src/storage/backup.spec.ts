import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appendEvents } from './appends';
import { EventLog } from './event-log';
import { verifyDirectory } from './verify';

describe('a backup of a store that is in use', () => {
  let dir: string;
  let to: string;
  let log: EventLog;

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'backup-'));
    to = join(dir, 'copy');
    log = new EventLog({ dir: join(dir, 'store') });
  });
  afterEach(async () => {
    await log.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const append = (streamName: string): Promise<unknown> =>
    new Promise((resolve) => {
      const data = Buffer.from('x'.repeat(2_000));
      const content = { json: false, customMetadata: Buffer.alloc(0), data };
      const event = { id: randomUUID(), type: 'happened', ...content };
      appendEvents(log, { streamName, expected: 'any', events: [event] }, resolve);
    });
  const appendMany = (count: number): Promise<unknown> =>
    Promise.all(Array.from({ length: count }, (_, at) => append(`stream-${at % 7}`)));

  it('contains exactly the events that were stored when it began', async () => {
    await appendMany(3_000);
    let later: Promise<unknown> | undefined;
    await log.backUp(to, () => {
      later ??= appendMany(500);
    });
    await later;
    expect(readdirSync(to)).toEqual(['data.mdb']);
    const { events, problems } = await verifyDirectory(to);
    expect({ events, problems }).toEqual({ events: 3_000, problems: [] });
  });

  it('refuses a directory that is not empty, and does not change it', async () => {
    mkdirSync(to);
    writeFileSync(join(to, 'data.mdb'), 'another store');
    await expect(log.backUp(to, () => undefined)).rejects.toThrow('is not empty');
    expect(readdirSync(to)).toEqual(['data.mdb']);
  });

  it('refuses a directory in the store, which would be lost together with it', async () => {
    const store = join(dir, 'store');
    const inside = join(store, 'copy');
    await expect(log.backUp(inside, () => undefined)).rejects.toThrow('Name a directory outside');
    await expect(log.backUp(store, () => undefined)).rejects.toThrow('Name a directory outside');
    expect(existsSync(inside)).toBe(false);
  });

  it('leaves no files behind when it fails, and the store continues to work', async () => {
    await appendMany(10);
    const failing = log.backUp(to, () => {
      throw new Error('the disk is not available');
    });
    await expect(failing).rejects.toThrow('the disk is not available');
    expect(existsSync(to)).toBe(false);
    await appendMany(10);
  });
});
