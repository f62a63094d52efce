import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appendEvents, type AppendOutcome } from './appends';
import { EventLog, type EventLogOptions } from './event-log';
import type { EventContent } from './record';
import { verifyDirectory } from './verify';

describe('the log, when the disk is full or broken', () => {
  let dir: string;
  let log: EventLog;

  const open = (options: Omit<EventLogOptions, 'dir'> = {}): EventLog =>
    (log = new EventLog({ dir, ...options }));

  beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'log-'))));
  afterEach(async () => {
    await log.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const event = (type = 'happened'): EventContent => ({
    id: randomUUID(),
    type,
    json: false,
    customMetadata: Buffer.alloc(0),
    data: Buffer.from('data'),
  });

  const append = (...events: EventContent[]): Promise<AppendOutcome> =>
    new Promise((resolve) => {
      appendEvents(log, { streamName: 's-1', expected: 'any', events }, resolve);
    });

  const lastRevision = () => log.streams.find('s-1')?.committed.lastRevision ?? -1;

  it('refuses appends while the disk is nearly full, and discards the staged ones', async () => {
    open({ diskFreeBytesMin: Number.MAX_SAFE_INTEGER });
    const outcomes = await Promise.all([append(event()), append(event(), event())]);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ kind: 'failed' });
      expect((outcome as { error: Error }).error.message).toContain('nearly full');
    }
    expect(lastRevision()).toBe(-1);
    await log.close();
    open();
    expect(await append(event())).toMatchObject({ kind: 'done', revision: 0 });
  });

  it('acknowledges no append after a failed commit, and reports the reason', async () => {
    open();
    await append(event());
    // LMDB refuses a key of this length in the middle of the transaction.
    log.putMeta('x'.repeat(3_000), '');
    const outcomes = await Promise.all([append(event()), append(event())]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['failed', 'failed']);
    expect((await log.failed).message).toContain('stopped writing');
    const later = await append(event());
    expect((later as { error: Error }).error.message).toContain('stopped writing');
    // A failed append is stored completely or not at all. An acknowledged one is stored.
    expect([0, 2]).toContain(lastRevision());
    await log.close();
    expect(await verifyDirectory(dir)).toMatchObject({ problems: [] });
    open();
    const revision = lastRevision() + 1;
    expect(revision).toBeGreaterThan(0);
    expect(await append(event())).toMatchObject({ kind: 'done', revision });
  });

  it('does not open if its newest record is damaged', async () => {
    open();
    const marker = `marker${randomUUID()}`;
    await append(event(marker));
    await log.close();
    const file = join(dir, 'data.mdb');
    const bytes = readFileSync(file);
    for (let at = bytes.indexOf(marker); at >= 0; at = bytes.indexOf(marker, at + 1)) {
      bytes[at] = 0x23;
    }
    writeFileSync(file, bytes);
    expect(() => open()).toThrow(/damaged record at \d+.*verify/);
  });
});
