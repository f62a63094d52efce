import type { ReplayProgress } from '../../domain/replays/replay.events';

/** Revisions: the first inclusive, the second exclusive. */
export type Stretch = readonly [from: number, to: number];

/** From where a run goes on. */
export interface Reach {
  readonly scannedTo: number;
  /** What it leaves out from there, because it is settled or waits; stretches may overlap. */
  readonly done: readonly Stretch[];
}

/** What is done of revisions in ascending order; what lies between two of a stretch counts in. */
export const stretchesOf = (
  revisions: readonly number[],
  isDone: (revision: number) => boolean,
): Stretch[] => {
  const found: [number, number][] = [];
  let current: [number, number] | null = null;
  for (const revision of revisions) {
    if (!isDone(revision)) current = null;
    else if (current !== null) current[1] = revision + 1;
    else found.push((current = [revision, revision + 1]));
  }
  return found;
};

/** As stored; earlier versions wrote what is open instead of what is done. */
export const reachOf = ({
  scanned_to,
  open,
  done,
}: Pick<ReplayProgress, 'scanned_to' | 'open' | 'done'>): Reach => {
  const [first = scanned_to] = open;
  if (done !== undefined) return { scannedTo: scanned_to, done };
  const between = open.map((revision, i): Stretch => [revision + 1, open[i + 1] ?? scanned_to]);
  return { scannedTo: first, done: between.filter(([from, to]) => from < to) };
};
