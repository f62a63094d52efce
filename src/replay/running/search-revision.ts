/** The search need not be exact: what comes before the position is left out by the selection. */
export const NEAR_ENOUGH = 50;

/** Commit position of the event at a revision; null where that event is gone. */
type PositionAt = (revision: number) => Promise<bigint | null>;

interface Place {
  readonly revision: number;
  readonly position: bigint;
}

/** The revision sought is not before `low` and not after `high`. */
interface Range {
  readonly low: Place;
  readonly high: Place;
}

/**
 * A revision at or before the first event at or after a commit position, by few looks: positions
 * grow about evenly, so that two looks around the place where it should be narrow the range
 * eightfold; where they do not, a look at its middle halves it.
 */
export const searchRevision = async (
  position: bigint,
  last: number,
  positionAt: PositionAt,
): Promise<number> => {
  const look = async (range: Range, revisions: readonly number[]): Promise<Range> => {
    const found = await Promise.all(revisions.map(positionAt));
    return revisions.reduce((now, at, i) => narrowed(now, position, [at, found[i] ?? null]), range);
  };
  const end = last < 0 ? null : await positionAt(last);
  let range: Range = {
    low: { revision: 0, position: 0n },
    high: { revision: last + 1, position: end ?? position },
  };
  while (widthOf(range) > NEAR_ENOUGH) {
    const before = widthOf(range);
    range = await look(range, around(range, position));
    if (widthOf(range) > before / 2) range = await look(range, [middleOf(range)]);
  }
  return range.low.revision;
};

const widthOf = ({ low, high }: Range): number => high.revision - low.revision;

const middleOf = ({ low, high }: Range): number => Math.floor((low.revision + high.revision) / 2);

/** An event that is gone says nothing: to begin too early costs time, too late an event. */
const narrowed = (
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

/** On both sides of where the position should be. */
const around = ({ low, high }: Range, position: bigint): number[] => {
  const span = high.revision - low.revision;
  const all = Number(high.position - low.position);
  const share = all <= 0 ? 0.5 : Number(position - low.position) / all;
  const expected = low.revision + Math.min(1, Math.max(0, share)) * span;
  const margin = Math.max(NEAR_ENOUGH / 2 - 1, span / 16);
  return [expected - margin, expected + margin].map((at) =>
    Math.min(high.revision - 1, Math.max(low.revision, Math.floor(at))),
  );
};
