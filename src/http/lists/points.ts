import { setImmediate } from 'node:timers/promises';
import { DomainError } from '../../kernel/errors';

/** The items after which other requests have their turn. */
const ITEMS_IN_A_TURN = 1_000;
/** The largest number of points of a series: the days of 82 years. */
const POINTS_MAX = 30_000;

/**
 * Gathers the points of a series. A history may begin in the year 1, so their number is limited, and
 * the event loop is free between a thousand of them and the next.
 */
export const gatherPoints = async <Item>(items: Iterable<Item>): Promise<Item[]> => {
  const gathered: Item[] = [];
  for (const item of items) {
    gathered.push(item);
    if (gathered.length > POINTS_MAX) throw createTooManyPointsError();
    if (gathered.length % ITEMS_IN_A_TURN === 0) await setImmediate();
  }
  return gathered;
};

const createTooManyPointsError = (): DomainError =>
  new DomainError(
    'metric_too_large',
    `The window has more than ${POINTS_MAX} points. Ask for a coarser granularity or a shorter window.`,
    { param: 'granularity', details: { points_max: POINTS_MAX } },
  );
