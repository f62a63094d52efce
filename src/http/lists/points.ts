import { setImmediate } from 'node:timers/promises';
import { DomainError } from '../../kernel/errors';

/** After this number of items, other requests may run. */
const ITEMS_PER_TURN = 1_000;
/** The largest number of points of a series: the days of 82 years. */
const POINTS_MAX = 30_000;

/**
 * Collects the points of a series. A history may begin in the year 1, so their number is limited.
 * After every thousand points the event loop runs other work.
 */
export const gatherPoints = async <Item>(items: Iterable<Item>): Promise<Item[]> => {
  const gathered: Item[] = [];
  for (const item of items) {
    gathered.push(item);
    if (gathered.length > POINTS_MAX) throw createTooManyPointsError();
    if (gathered.length % ITEMS_PER_TURN === 0) await setImmediate();
  }
  return gathered;
};

const createTooManyPointsError = (): DomainError =>
  new DomainError(
    'metric_too_large',
    `The window has more than ${POINTS_MAX} points. Ask for a coarser granularity or a shorter window.`,
    { param: 'granularity', details: { points_max: POINTS_MAX } },
  );
