import type { RawAppend, RawAppended } from '../../event-store/append-stream';
import { type EventStoreConnection, NO_METRICS } from '../../event-store/connection';
import { LinkProgress } from '../../event-store/link-progress';
import type { Clock, Instant } from '../../kernel/time';
import { Journal, type Outcome } from './journal';

/** The limit of one append in EventStoreDB and in the embedded store. */
const APPEND_BYTES_MAX = 1_048_576;
const NOW = '2026-03-01T12:00:00.000Z' as Instant;

/** A fake store with the limit of a real one. */
class Store {
  readonly sizes: number[] = [];
  readonly attempts: string[] = [];

  readonly links = new LinkProgress();

  readonly appendMetrics = NO_METRICS;

  readonly appends = {
    append: ({ events: [event] }: RawAppend): Promise<RawAppended> => {
      const data = event?.data ?? new Uint8Array();
      if (event?.type === '$metadata') return Promise.resolve({ revision: 0, position: 0n });
      if (data.length > APPEND_BYTES_MAX) return Promise.reject(new Error('too large'));
      const { outcomes } = JSON.parse(Buffer.from(data).toString()) as { outcomes: Outcome[] };
      this.sizes.push(outcomes.length);
      this.attempts.push(...outcomes.map(({ attempt_id }) => attempt_id));
      return Promise.resolve({ revision: 0, position: 0n });
    },
  };
}

const outcome = (i: number, answerChars: number): Outcome => ({
  kind: 'delivered',
  attempt_id: `attempt-${i}`,
  status: 'delivered',
  replay_id: null,
  event_id: `evt_${'0'.repeat(26)}`,
  event_type: 'subscription.renewed',
  scope: 'tnt_0000000000000000.test',
  subscriber_id: 'subscriber_0000000000000000',
  sequence: i,
  category_revision: i,
  created_at: NOW,
  attempt: 1,
  at: NOW,
  duration_ms: 12,
  status_code: 200,
  error: null,
  response_body: answerChars === 0 ? null : 'A'.repeat(answerChars),
  next_attempt_at: null,
});

const journalled = async (count: number, answerChars: number): Promise<Store> => {
  const store = new Store();
  const clock = { now: () => NOW } as Clock;
  const journal = new Journal(store as unknown as EventStoreConnection, clock);
  const all = Array.from({ length: count }, (_, i) => outcome(i, answerChars));
  await Promise.all(all.map((each) => journal.record('dest_x', each)));
  expect(store.attempts).toEqual(all.map(({ attempt_id }) => attempt_id));
  return store;
};

describe('the delivery journal', () => {
  it('stores outcomes of the same moment in one append', async () => {
    expect((await journalled(250, 0)).sizes).toEqual([200, 50]);
  });

  // The cases are 4 KiB of a receiver's response after sealing, a response that is not ASCII, and a
  // message of the outbox.
  it.each([5_500, 16_500, 110_000])(
    'stores no more in one event than an append may hold, with responses of %d bytes',
    async (answerChars) => {
      const { sizes } = await journalled(200, answerChars);
      expect(sizes.length).toBeGreaterThan(1);
    },
  );

  it('stores a deferred event with the next outcome of its destination', async () => {
    const store = new Store();
    const clock = { now: () => NOW } as Clock;
    const journal = new Journal(store as unknown as EventStoreConnection, clock);
    const deferred = { ...outcome(1, 0), kind: 'deferred' } as const;
    await Promise.all([
      journal.record('dest_x', deferred),
      journal.record('dest_x', outcome(2, 0)),
    ]);
    expect(store.sizes).toEqual([2]);
    // This number of outcomes is stored without waiting for more.
    await Promise.all(Array.from({ length: 51 }, () => journal.record('dest_x', deferred)));
    expect(store.sizes).toEqual([2, 51]);
    await journal.record('dest_x', deferred);
    expect(store.sizes).toEqual([2, 51, 1]);
  });

  it('stores a very large answer in an event of its own', async () => {
    expect((await journalled(2, 600_000)).sizes).toEqual([1, 1]);
  });
});
