import type { ReplayProgress } from '../../domain/replays/replay.events';

/** A range of revisions: the first is inclusive, the second is exclusive. */
export type RevisionRange = readonly [from: number, to: number];

/** The point from which a run continues. */
export interface ResumePoint {
  readonly scannedTo: number;
  /** Ranges that it leaves out because their events are finished or waiting. Ranges may overlap. */
  readonly done: readonly RevisionRange[];
}

/**
 * Combines finished revisions, given in ascending order, to ranges. Revisions of other events
 * between two finished ones are included.
 */
export const toDoneRanges = (
  revisions: readonly number[],
  isDone: (revision: number) => boolean,
): RevisionRange[] => {
  const found: [number, number][] = [];
  let current: [number, number] | null = null;
  for (const revision of revisions) {
    if (!isDone(revision)) current = null;
    else if (current !== null) current[1] = revision + 1;
    else found.push((current = [revision, revision + 1]));
  }
  return found;
};

/**
 * Reads a stored resume point. Earlier versions stored the open revisions instead of the finished
 * ranges.
 */
export const readResumePoint = ({
  scanned_to,
  open,
  done,
}: Pick<ReplayProgress, 'scanned_to' | 'open' | 'done'>): ResumePoint => {
  const [first = scanned_to] = open;
  if (done !== undefined) return { scannedTo: scanned_to, done };
  const between = open.map((revision, i): RevisionRange => [
    revision + 1,
    open[i + 1] ?? scanned_to,
  ]);
  return { scannedTo: first, done: between.filter(([from, to]) => from < to) };
};
