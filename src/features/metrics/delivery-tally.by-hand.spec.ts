import { listSeries } from '../../../test/support/tally';
import type { StoredEvent } from '../../event-store/stored-event';
import { ALL_DESTINATIONS, tallyDeliveries } from './delivery-tally';
import { NEW_TALLY } from './tally';

interface Told {
  readonly on: string;
  /** Seconds from the event to the outcome. */
  readonly after: number;
  readonly kind: 'delivered' | 'retrying' | 'failed' | 'deferred';
  readonly attempt?: number;
  readonly replay_id?: string;
  readonly repeated?: true;
  /** Seconds from the event to the time at which it was stored. */
  readonly stored?: number;
}

const createOutcome = ({ on, after, attempt = 1, stored, ...rest }: Told) => {
  const created_at = `${on}T00:00:00.000Z`;
  const plus = (seconds: number) => new Date(Date.parse(created_at) + seconds * 1000).toISOString();
  const stored_at = stored === undefined ? {} : { stored_at: plus(stored) };
  return { scope: 'tnt_1.test', created_at, ...stored_at, at: plus(after), attempt, ...rest };
};

/**
 * Tallies the journal of one destination, one record for each outcome. Each record is tallied
 * twice, because a repeat must count nothing.
 */
const journal = (outcomes: readonly Told[]) => {
  let before = NEW_TALLY;
  return outcomes.flatMap((told, revision) => {
    const data = { destination_id: 'dest_1', outcomes: [createOutcome(told)] };
    const event = { revision, data } as unknown as StoredEvent;
    const { after, counts } = tallyDeliveries(before, event);
    expect(tallyDeliveries(after, event).counts).toEqual([]);
    before = after;
    return counts;
  });
};

/*
 * The deliveries of `told`, by the day of their event, and the metrics that they must give.
 *
 * Day                    5                      6                         7
 * deliveries             a: delivered in 1 s    b: delivered at the       d: deferred, delivered
 *                        c: delivered in 9 s       2nd attempt, in 3 s       in 26 h
 *                                               e: failed
 * due                    2                      2                         1
 * 2xx within 24 h        2                      1                         0
 * delivery_success       1                      1/2                       0
 * latencies in seconds   1, 9                   3                         93600
 * p50 / p95              1 / 9                  3 / 3                     93600 / 93600
 */
const told: readonly Told[] = [
  { on: '2026-03-05', after: 1, kind: 'delivered' },
  { on: '2026-03-06', after: 1, kind: 'retrying' },
  { on: '2026-03-05', after: 9, kind: 'delivered' },
  { on: '2026-03-06', after: 3, kind: 'delivered', attempt: 2 },
  { on: '2026-03-07', after: 0, kind: 'deferred', attempt: 0 },
  { on: '2026-03-06', after: 2, kind: 'failed' },
  { on: '2026-03-07', after: 93_600, kind: 'delivered' },
  // Replays and deliveries that are repeated by hand are not counted.
  { on: '2026-03-05', after: 400_000, kind: 'delivered', replay_id: 'rep_1' },
  { on: '2026-03-05', after: 3_600, kind: 'delivered', attempt: 2, repeated: true },
  { on: '2026-03-05', after: 3_700, kind: 'failed', attempt: 3, repeated: true },
];

it('the delivery latency is measured for imported and simulated events from the time at which they were stored', () => {
  const counts = journal([
    { on: '2026-03-05', after: 900_002, kind: 'delivered', stored: 900_000 },
  ]);
  const own = counts.filter(({ part }) => part === 'dest_1');
  expect(listSeries(own, 'delivery_success')[0]).toBe(1);
  expect(listSeries(own, 'delivery_latency_p50')[0]).toBeCloseTo(2, 1);
});

it.each(['dest_1', ALL_DESTINATIONS])(
  'the delivery metrics of part %j have the values computed by hand',
  (part) => {
    const counts = journal(told).filter((count) => count.part === part);
    expect(listSeries(counts, 'delivery_success')).toEqual([1, 0.5, 0, 0, 0, 0, 0]);
    const expectNear = (name: string, expected: readonly number[]): void => {
      for (const [i, value] of (listSeries(counts, name) as number[]).entries()) {
        const exact = expected[i] ?? 0;
        expect(Math.abs(value - exact)).toBeLessThanOrEqual(0.026 * exact);
      }
    };
    expectNear('delivery_latency_p50', [1, 3, 93_600]);
    expectNear('delivery_latency_p95', [9, 3, 93_600]);
  },
);
