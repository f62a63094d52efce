import fc from 'fast-check';
import { computeDueAfterProbe, type Delivery, HOLD_MS, Lanes } from './lanes';

const delivery = (
  subscriber: number,
  sequence: number,
  more: Partial<Delivery> = {},
): Delivery => ({
  eventId: `evt_${subscriber}_${sequence}`,
  subscriberId: `subscriber_${subscriber}`,
  sequence,
  notBeforeMs: 0,
  heldUntilMs: HOLD_MS,
  ...more,
});

/** Runs and finishes every delivery that may start now. Returns the event ids. */
const runAll = (lanes: Lanes<Delivery>, nowMs: number): string[] => {
  const ran: string[] = [];
  for (let next = lanes.startNext(nowMs); next !== null; next = lanes.startNext(nowMs)) {
    ran.push(next.eventId);
    lanes.finish(next.eventId);
  }
  return ran;
};

const failProbe = (lanes: Lanes<Delivery>, probe: Delivery, nowMs: number): void => {
  lanes.retry({ ...probe, notBeforeMs: computeDueAfterProbe(probe.notBeforeMs, nowMs) });
};

describe('lanes', () => {
  it('run one delivery of a subscriber at a time, and other subscribers in parallel', () => {
    const lanes = new Lanes<Delivery>('relaxed');
    for (const each of [delivery(1, 1), delivery(1, 2), delivery(2, 1)]) lanes.add(each);
    expect(lanes.startNext(0)?.eventId).toBe('evt_1_1');
    expect(lanes.startNext(0)?.eventId).toBe('evt_2_1');
    expect(lanes.startNext(0)).toBeNull();
    lanes.finish('evt_1_1');
    expect(lanes.startNext(0)?.eventId).toBe('evt_1_2');
  });

  it('drop waiting deliveries and keep running ones', () => {
    const lanes = new Lanes<Delivery>('relaxed');
    for (const each of [delivery(1, 1), delivery(1, 2), delivery(2, 1)]) lanes.add(each);
    const running = lanes.startNext(0);
    lanes.forgetWaiting();
    expect(lanes.size).toBe(1);
    lanes.add(delivery(1, 3));
    expect(lanes.startNext(0)).toBeNull();
    lanes.finish(running?.eventId ?? '');
    expect(runAll(lanes, 0)).toEqual(['evt_1_3']);
    expect(lanes.size).toBe(0);
  });

  it.each([
    ['relaxed', ['evt_1_2']],
    ['strict', []],
  ] as const)('%s: a newer event waits five minutes behind a failing one', (ordering, passed) => {
    const lanes = new Lanes<Delivery>(ordering);
    lanes.add(delivery(1, 1));
    lanes.add(delivery(1, 2));
    const first = lanes.startNext(0);
    expect(first?.eventId).toBe('evt_1_1');
    const held = lanes.retry(delivery(1, 1, { notBeforeMs: 10 * HOLD_MS }));
    expect(held.map(({ eventId }) => eventId)).toEqual(['evt_1_2']);
    expect(runAll(lanes, HOLD_MS - 1)).toEqual([]);
    expect(lanes.nextDueMs()).toBe(ordering === 'strict' ? 10 * HOLD_MS : HOLD_MS);
    expect(runAll(lanes, HOLD_MS)).toEqual(passed);
    expect(runAll(lanes, 10 * HOLD_MS)).toEqual(['evt_1_1', 'evt_1_2'].slice(0, 2 - passed.length));
    expect(lanes.size).toBe(0);
  });

  it('start all waiting deliveries in order when an outage is over', () => {
    const lanes = new Lanes<Delivery>('relaxed');
    for (const sequence of [1, 2, 3]) lanes.add(delivery(1, sequence));
    lanes.startNext(0);
    lanes.retry(delivery(1, 1, { notBeforeMs: 10 * HOLD_MS }));
    lanes.wakeAll();
    expect(runAll(lanes, 1)).toEqual(['evt_1_1', 'evt_1_2', 'evt_1_3']);
  });

  it('probe with the other deliveries before a failed probe is tried again', () => {
    const lanes = new Lanes<Delivery>('relaxed');
    for (const each of [delivery(1, 1), delivery(1, 2), delivery(2, 1)]) lanes.add(each);
    const probed = [0, 1, 2].map((i) => {
      const probe = lanes.startProbe(HOLD_MS + i);
      if (probe !== null) failProbe(lanes, probe, HOLD_MS + i);
      return probe?.eventId;
    });
    expect(probed).toEqual(['evt_1_1', 'evt_2_1', 'evt_1_2']);
    expect(lanes.startNext(HOLD_MS + 3)).toBeNull();
    expect(lanes.startProbe(HOLD_MS + 3)).not.toBeNull();
  });

  it('probe only with the oldest delivery of a subscriber if the ordering is strict', () => {
    const lanes = new Lanes<Delivery>('strict');
    for (const sequence of [1, 2]) lanes.add(delivery(1, sequence));
    for (const nowMs of [HOLD_MS, 2 * HOLD_MS, 9 * HOLD_MS]) {
      const probe = lanes.startProbe(nowMs);
      expect(probe?.eventId).toBe('evt_1_1');
      if (probe !== null) failProbe(lanes, probe, nowMs);
    }
    lanes.wakeAll();
    expect(runAll(lanes, 9 * HOLD_MS + 1)).toEqual(['evt_1_1', 'evt_1_2']);
  });

  it('start a delivery out of turn unless its lane runs another one', () => {
    const lanes = new Lanes<Delivery>('strict');
    for (const sequence of [1, 2]) lanes.add(delivery(1, sequence));
    expect(lanes.startOutOfTurn('evt_1_2')?.eventId).toBe('evt_1_2');
    expect(lanes.startOutOfTurn('evt_1_1')).toBeNull();
    lanes.finish('evt_1_2');
    expect(runAll(lanes, 0)).toEqual(['evt_1_1']);
  });

  it('release held deliveries when the ordering changes from strict to relaxed', () => {
    const lanes = new Lanes<Delivery>('strict');
    for (const sequence of [1, 2]) lanes.add(delivery(1, sequence));
    lanes.startNext(0);
    lanes.retry(delivery(1, 1, { notBeforeMs: 10 * HOLD_MS }));
    expect(runAll(lanes, HOLD_MS)).toEqual([]);
    lanes.ordering = 'relaxed';
    expect(runAll(lanes, HOLD_MS)).toEqual(['evt_1_2']);
  });

  it('wake at the earliest due time, including that of a delivery added later', () => {
    const lanes = new Lanes<Delivery>('relaxed');
    lanes.add(delivery(1, 2));
    lanes.startNext(0);
    lanes.retry(delivery(1, 2, { notBeforeMs: 10 * HOLD_MS }));
    expect(lanes.startNext(0)).toBeNull();
    lanes.add(delivery(1, 3, { heldUntilMs: 2 * HOLD_MS }));
    lanes.add(delivery(1, 4, { heldUntilMs: 3 * HOLD_MS }));
    expect(lanes.nextDueMs()).toBe(2 * HOLD_MS);
    lanes.update(delivery(1, 4, { heldUntilMs: HOLD_MS }));
    expect(lanes.nextDueMs()).toBe(HOLD_MS);
    lanes.add(delivery(1, 1, { notBeforeMs: 7 }));
    expect(lanes.nextDueMs()).toBe(7);
    expect(runAll(lanes, 7)).toEqual(['evt_1_1']);
  });

  it('read few deliveries of a long lane when the first one fails and when more are added', () => {
    const COUNT = 2_000;
    let looks = 0;
    const counted = (sequence: number): Delivery => {
      const each = delivery(1, sequence);
      return new Proxy(each, {
        get: (target, key) => {
          looks += 1;
          return Reflect.get(target, key) as unknown;
        },
      });
    };
    const lanes = new Lanes<Delivery>('relaxed');
    for (let i = 0; i <= COUNT; i += 1) lanes.add(counted(i));
    lanes.startNext(0);
    for (const held of lanes.retry(delivery(1, 0, { notBeforeMs: 10 * HOLD_MS }))) {
      lanes.update(counted(held.sequence));
    }
    for (let i = 1; i <= COUNT; i += 1) {
      lanes.add(counted(COUNT + i));
      lanes.startNext(1);
    }
    // A linear search through the lane for each delivery would read millions.
    expect(looks / COUNT).toBeLessThan(200);
  });

  it('lose no delivery and keep the order of each subscriber under random failures', () => {
    const events = fc.array(
      fc.record({ subscriber: fc.nat(3), failures: fc.nat(3), afterMs: fc.nat(2 * HOLD_MS) }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(events, fc.constantFrom('relaxed', 'strict'), (list, ordering) => {
        const lanes = new Lanes<Delivery>(ordering);
        const last = new Map<number, number>();
        const left = new Map<string, number>();
        for (const { subscriber, failures } of list) {
          const sequence = (last.get(subscriber) ?? 0) + 1;
          last.set(subscriber, sequence);
          const each = delivery(subscriber, sequence);
          left.set(each.eventId, failures);
          lanes.add(each);
        }
        const done: { eventId: string; atMs: number }[] = [];
        let nowMs = 0;
        while (lanes.size > 0) {
          const next = lanes.startNext(nowMs);
          if (next === null) {
            nowMs = Math.max(nowMs + 1, lanes.nextDueMs() ?? Infinity);
            expect(nowMs).toBeLessThan(Infinity);
            continue;
          }
          expect(next.notBeforeMs).toBeLessThanOrEqual(nowMs);
          const failures = left.get(next.eventId) ?? 0;
          left.set(next.eventId, failures - 1);
          if (failures > 0) lanes.retry({ ...next, notBeforeMs: nowMs + failures * 60_000 });
          else {
            lanes.finish(next.eventId);
            done.push({ eventId: next.eventId, atMs: nowMs });
          }
        }
        expect(new Set(done.map(({ eventId }) => eventId)).size).toBe(list.length);
        for (const subscriber of last.keys()) {
          const own = done.filter(({ eventId }) => eventId.startsWith(`evt_${subscriber}_`));
          const sequences = own.map(({ eventId }) => Number(eventId.split('_')[2]));
          const early = own.filter((_, i) =>
            sequences.slice(i + 1).some((s) => s < (sequences[i] ?? 0)),
          );
          if (ordering === 'strict') expect(early).toEqual([]);
          else for (const { atMs } of early) expect(atMs).toBeGreaterThanOrEqual(HOLD_MS);
        }
      }),
    );
  });
});
