import type { LogEntry } from '../storage/log-reader';
import { readStreamName } from '../storage/record';

/** Joins consecutive events of one stream into one append of limited size. */
export const groupRuns = (entries: readonly LogEntry[]): LogEntry[][] => {
  const found: LogEntry[][] = [];
  for (const entry of entries) {
    const last = found.at(-1);
    const before = last?.at(-1)?.record;
    const follows =
      before !== undefined &&
      readStreamName(before) === readStreamName(entry.record) &&
      countBytes(last ?? []) + entry.record.length < RUN_BYTES_MAX;
    if (follows) last?.push(entry);
    else found.push([entry]);
  }
  return found;
};

/** The largest append of an export, small enough for every way in which servers count. */
const RUN_BYTES_MAX = 512 * 1024;

const countBytes = (run: readonly LogEntry[]): number =>
  run.reduce((sum, { record }) => sum + record.length, 0);
