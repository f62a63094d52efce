// Writes to a store in DATA_DIR until its disk is full to the last byte, makes room and writes again.
// It prints the results as one line of JSON.
import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { appendEvents, type AppendOutcome } from '../../src/storage/appends';
import { EventLog } from '../../src/storage/event-log';
import { verifyDirectory } from '../../src/storage/verify';

const APPENDS = 50;
const DATA_BYTES = 100_000;

const root = process.env['DATA_DIR'] ?? '';
const dir = join(root, 'store');
const filler = join(root, 'filler');

const fillDisk = (): void => {
  const handle = openSync(filler, 'w');
  try {
    for (;;) writeSync(handle, Buffer.alloc(4096));
  } catch {
    closeSync(handle);
  }
};

const append = (log: EventLog): Promise<AppendOutcome> => {
  const data = Buffer.alloc(DATA_BYTES);
  const content = { id: randomUUID(), type: 'happened', json: false, data };
  const events = [{ ...content, customMetadata: Buffer.alloc(0) }];
  return new Promise((resolve) => {
    appendEvents(log, { streamName: 's-1', expected: 'any', events }, resolve);
  });
};

const appendMany = async (log: EventLog): Promise<AppendOutcome[]> => {
  const outcomes: AppendOutcome[] = [];
  for (let i = 0; i < APPENDS; i++) outcomes.push(await append(log));
  return outcomes;
};

const run = async (): Promise<void> => {
  mkdirSync(dir);
  // The check of the free space would refuse the appends before the disk is full.
  const log = new EventLog({ dir, diskFreeBytesMin: Number.MIN_SAFE_INTEGER });
  const before = await appendMany(log);
  fillDisk();
  const full = await appendMany(log);
  rmSync(filler);
  const after = await appendMany(log);
  await log.close();
  const isDone = ({ kind }: AppendOutcome): boolean => kind === 'done';
  const errors = full.flatMap((each) => (each.kind === 'failed' ? [each.error.message] : []));
  const stored = [...before, ...full, ...after].filter(isDone).length;
  const { problems, events } = await verifyDirectory(dir);
  const allDone = before.every(isDone) && after.every(isDone);
  console.log(JSON.stringify({ allDone, errors, problems, lost: stored - events }));
};

void run();
