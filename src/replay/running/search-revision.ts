/**
 * Width of the range at which the search stops. It need not be exact, because the selection leaves
 * out earlier events.
 */
export const PRECISION = 50;

/** Returns the commit position of the event at a revision; null if that event is missing. */
type PositionAt = (revision: number) => Promise<bigint | null>;

interface LogPoint {
  readonly revision: number;
  readonly position: bigint;
}

/** The range that contains the sought revision: not before `low` and not after `high`. */
interface Range {
  readonly low: LogPoint;
  readonly high: LogPoint;
}

/**
 * Finds a revision at or before the first event at or after a commit position, with few reads.
 * Positions grow about evenly, so two reads around the expected place usually narrow the range to
 * an eighth. If they do not, a read in its middle halves it.
 */
export const searchRevision = async (
  position: bigint,
  last: number,
  positionAt: PositionAt,
): Promise<number> => {
  const look = async (range: Range, revisions: readonly number[]): Promise<Range> => {
    const found = await Promise.all(revisions.map(positionAt));
    return revisions.reduce((now, at, i) => narrow(now, position, [at, found[i] ?? null]), range);
  };
  const end = last < 0 ? null : await positionAt(last);
  let range: Range = {
    low: { revision: 0, position: 0n },
    high: { revision: last + 1, position: end ?? position },
  };
  while (measureWidth(range) > PRECISION) {
    const before = measureWidth(range);
    range = await look(range, chooseProbes(range, position));
    if (measureWidth(range) > before / 2) range = await look(range, [findMiddle(range)]);
  }
  return range.low.revision;
};

const measureWidth = ({ low, high }: Range): number => high.revision - low.revision;

const findMiddle = ({ low, high }: Range): number => Math.floor((low.revision + high.revision) / 2);

/**
 * Narrows the range by one read. A missing event gives no information, so the range is narrowed
 * towards the beginning: beginning too early costs time, too late loses an event.
 */
const narrow = (
  { low, high }: Range,
  position: bigint,
  [revision, found]: readonly [number, bigint | null],
): Range => {
  if (found !== null && found < position) {
    return revision < low.revision
      ? { low, high }
      : { low: { revision: revision + 1, position: found }, high };
  }
  return revision >= high.revision
    ? { low, high }
    : { low, high: { revision, position: found ?? high.position } };
};

/** Chooses two revisions to read, on both sides of the expected place. */
const chooseProbes = ({ low, high }: Range, position: bigint): number[] => {
  const span = high.revision - low.revision;
  const all = Number(high.position - low.position);
  const share = all <= 0 ? 0.5 : Number(position - low.position) / all;
  const expected = low.revision + Math.min(1, Math.max(0, share)) * span;
  const margin = Math.max(PRECISION / 2 - 1, span / 16);
  return [expected - margin, expected + margin].map((at) =>
    Math.min(high.revision - 1, Math.max(low.revision, Math.floor(at))),
  );
};
