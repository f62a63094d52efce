import { requirePresent } from '../../kernel/present';
import type { StoredEvent } from '../../event-store/stored-event';
import { HOUR_MS, type Instant, msBetween } from '../../kernel/time';
import { toDay } from '../../domain/metrics/buckets';
import { findBin, createHistogram } from './histogram';
import type { Count } from './daily-count';
import { NEW_TALLY, type Tally } from './tally';

/**
 * The part of a series that counts all destinations together. Each destination also has its own
 * part.
 */
export const ALL_DESTINATIONS = '';

/**
 * A delivery is in time if the destination answers with 2xx within a day of the first possible
 * attempt (D-78).
 */
const IN_TIME_MS = 24 * HOUR_MS;

/** The fields of an outcome in the delivery journal that are counted. */
interface Outcome {
  readonly scope: string;
  readonly kind: string;
  readonly attempt: number;
  readonly created_at: Instant;
  readonly stored_at?: Instant;
  readonly at: Instant;
  readonly replay_id?: string | null;
  readonly repeated?: boolean;
}

const readOutcomes = ({ data }: StoredEvent): readonly Outcome[] =>
  data['outcomes'] as unknown as readonly Outcome[];

/** Returns the scope of the outcomes of an event. All of them belong to one destination. */
export const findOutcomeScope = (event: StoredEvent): string =>
  requirePresent(readOutcomes(event)[0], 'the first outcome of an event').scope;

/** Counts live deliveries by the day of their event (D-78). Replays are not counted. */
export const tallyDeliveries = (
  before: Tally,
  event: StoredEvent,
): { after: Tally; counts: Count[] } => {
  const sequence = event.revision + 1;
  if (sequence <= before.sequence) return { after: before, counts: [] };
  const destination = event.data['destination_id'] as string;
  const counts = readOutcomes(event).flatMap((outcome) => listCounts(destination, outcome));
  return { after: { ...NEW_TALLY, sequence }, counts };
};

/**
 * Returns the counts of an outcome, for its destination and for all destinations together. An
 * outcome of a replay or of a repeated delivery has none.
 */
const listCounts = (destination: string, outcome: Outcome): Count[] => {
  if ((outcome.replay_id ?? null) !== null || outcome.repeated === true) return [];
  if (outcome.kind === 'deferred') return [];
  const tookMs = msBetween(outcome.stored_at ?? outcome.created_at, outcome.at);
  const delivered = outcome.kind === 'delivered';
  const countPart = (part: string): Count[] => {
    const one = { day: toDay(outcome.created_at), currency: '', part, value: 1 };
    const counts: Count[] = [];
    if (outcome.attempt === 1) counts.push({ ...one, series: 'deliveries_due' });
    if (!delivered) return counts;
    if (tookMs <= IN_TIME_MS) counts.push({ ...one, series: 'deliveries_in_time' });
    counts.push({
      ...one,
      series: 'delivery_latency',
      histogram: createHistogram(findBin(tookMs / 1000)),
    });
    return counts;
  };
  return [...countPart(ALL_DESTINATIONS), ...countPart(destination)];
};
