/** Round values for an axis: 0, 250, 500 … Between four and seven of them. */
export const ticksOf = (least: number, most: number): readonly number[] => {
  const span = most - least;
  if (span <= 0) return [least];
  const rough = span / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((each) => each * power >= rough) ?? 10) * power;
  const ticks: number[] = [];
  const first = Math.floor(least / step);
  const last = Math.ceil(most / step);
  for (let index = first; index <= last; index += 1)
    ticks.push(Number((index * step).toPrecision(12)));
  return ticks;
};

/** Places of labels along the time axis, so that each has `roomPx`. */
export const labelledIndexes = (
  count: number,
  widthPx: number,
  roomPx: number,
): readonly number[] => {
  const every = Math.max(1, Math.ceil((count * roomPx) / Math.max(1, widthPx)));
  const indexes: number[] = [];
  // Counted from the newest, which is the one that people look for.
  for (let index = count - 1; index >= 0; index -= every) indexes.unshift(index);
  return indexes;
};

export type Dot = readonly [x: number, y: number] | null;

/** A path through the dots; a missing dot interrupts it, and a lonely one is a short line. */
export const pathOf = (dots: readonly Dot[]): string => {
  let path = '';
  let isDrawing = false;
  for (const [index, dot] of dots.entries()) {
    if (dot === null) {
      isDrawing = false;
      continue;
    }
    const at = `${dot[0].toFixed(1)},${dot[1].toFixed(1)}`;
    const isLonely = !isDrawing && (dots[index + 1] ?? null) === null;
    path += isLonely ? `M${at}h0.01` : `${isDrawing ? 'L' : 'M'}${at}`;
    isDrawing = true;
  }
  return path;
};
