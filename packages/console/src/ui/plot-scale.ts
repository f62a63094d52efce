/**
 * Returns round values for an axis, such as 0, 250, 500. There are four to seven of them, if the
 * smallest step allows it.
 */
export const computeTicks = (least: number, most: number, leastStep = 0): readonly number[] => {
  const span = most - least;
  if (span <= 0) return [least];
  const rough = span / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  // Every step is a multiple of the smallest one, so that the values of a count are whole numbers.
  const isAllowed = (step: number): boolean => leastStep === 0 || step % leastStep === 0;
  const steps = [1, 2, 2.5, 5, 10].map((each) => each * power);
  const step = steps.find((each) => each >= rough && isAllowed(each)) ?? Math.max(leastStep, rough);
  const ticks: number[] = [];
  const first = Math.floor(least / step);
  const last = Math.ceil(most / step);
  for (let index = first; index <= last; index += 1)
    ticks.push(Number((index * step).toPrecision(12)));
  return ticks;
};

/** Returns the places of the labels on the time axis, so that each has `roomPx`. */
export const chooseLabels = (count: number, widthPx: number, roomPx: number): readonly number[] => {
  const every = Math.max(1, Math.ceil((count * roomPx) / Math.max(1, widthPx)));
  const indexes: number[] = [];
  // They are counted from the newest, because people look for it.
  for (let index = count - 1; index >= 0; index -= every) indexes.unshift(index);
  return indexes;
};

export type Dot = readonly [x: number, y: number] | null;

/** Returns a path through the dots. A missing dot interrupts it. */
export const drawPath = (dots: readonly Dot[]): string => {
  let path = '';
  let isDrawing = false;
  for (const dot of dots) {
    if (dot !== null) path += `${isDrawing ? 'L' : 'M'}${dot[0].toFixed(1)},${dot[1].toFixed(1)}`;
    isDrawing = dot !== null;
  }
  return path;
};

/** Returns a level stroke of this width through each dot. */
export const drawMarks = (dots: readonly Dot[], width: number): string =>
  dots
    .map((dot) =>
      dot === null ? '' : `M${(dot[0] - width / 2).toFixed(1)},${dot[1].toFixed(1)}h${width}`,
    )
    .join('');

/**
 * Returns strokes without length for dots without a neighbour. Round line ends make them visible.
 */
export const findLonelyDots = (dots: readonly Dot[]): string =>
  drawMarks(
    dots.filter((_, index) => dots[index - 1] == null && dots[index + 1] == null),
    0.01,
  );
