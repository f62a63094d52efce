import type { StoreServer } from '../../packages/embedded-eventstore/test/support/store-server';

/** The faults of a store in its worst moments, each now and then. */
const FAULTS = [
  'timeout-after-commit=2%',
  'append-unanswered=0.5%',
  'late-answer=0.5%',
  'double-answer=5%',
  'unknown-answer=5%',
  'drop-connection=0.3%',
  'not-leader=0.5%',
  'leader-change=0.3%',
  'not-ready=500ms',
  'connect-unanswered=10%',
  'create-unanswered=10%',
  'answer-lost=10%',
  'drop-group=1%',
  'duplicate-delivery=5%',
  'projection-fault=0.2%',
  'silence=500ms',
];
/** The number of faults at the same time. */
const AT_ONCE_MAX = 4;

/**
 * Replaces the faults of a store by random others. Returns them, to be shown when a check fails.
 */
export const injectRandomFaults = async (
  store: StoreServer,
  random: () => number,
): Promise<readonly string[]> => {
  const count = 1 + Math.floor(random() * AT_ONCE_MAX);
  const ranked = FAULTS.map((fault) => [random(), fault] as const).toSorted(([a], [b]) => a - b);
  const chosen = ranked.slice(0, count).map(([, fault]) => fault);
  await store.clearFaults();
  for (const fault of chosen) await store.inject(fault);
  return chosen;
};
