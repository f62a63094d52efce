import { Clock, fromMillis, HOUR_MS, type Instant } from '../../kernel/time';
import type { DeliveryDestination } from '../model/destination';
import { FairShare, type Member } from './fair-share';
import { Gate, type Limits, type Pass } from './gate';
import { Gates } from './gates';

const never = new AbortController().signal;

describe('the gate of a destination', () => {
  let nowMs: number;
  const gateWith = (limits: Partial<Limits>): Gate => {
    const gate = new Gate('tnt_a', new FairShare(), () => nowMs);
    gate.limits = { maxInFlight: 50, ratePerSecond: null, ...limits };
    return gate;
  };

  beforeEach(() => {
    nowMs = 1_000_000;
  });

  it('admits as many attempts as the in-flight limit allows and reports a free place', () => {
    const gate = gateWith({ maxInFlight: 2 });
    const first = gate.enter();
    gate.enter();
    expect(gate.waitMs()).toBe(Infinity);
    let told = 0;
    gate.onLiveRoom = () => {
      told += 1;
    };
    first.leave();
    first.leave();
    expect(told).toBe(1);
    expect(gate.running).toBe(1);
    expect(gate.waitMs()).toBe(0);
  });

  it('admits at most the configured rate in every second', () => {
    const ratePerSecond = 20;
    const gate = gateWith({ maxInFlight: 500, ratePerSecond });
    const enteredAtMs: number[] = [];
    const endMs = nowMs + 10_000;
    while (nowMs < endMs) {
      const waitMs = gate.waitMs();
      if (waitMs > 0) nowMs += waitMs;
      else {
        gate.enter().leave();
        enteredAtMs.push(nowMs);
      }
    }
    for (const startMs of enteredAtMs) {
      const within = enteredAtMs.filter((at) => at >= startMs && at < startMs + 1_000);
      expect(within.length).toBeLessThanOrEqual(ratePerSecond + 2);
    }
    expect(enteredAtMs.length).toBeGreaterThanOrEqual(10 * ratePerSecond - 1);
  });

  it('admits replays only while no live delivery waits', async () => {
    const gate = gateWith({ maxInFlight: 1 });
    const live = gate.enter();
    gate.setLiveWaiting(true);
    let admitted: Pass | null = null;
    const replay = gate.admitReplay(never).then((pass) => {
      admitted = pass;
    });
    live.leave();
    await Promise.resolve();
    expect(admitted).toBeNull();
    const next = gate.enter();
    gate.setLiveWaiting(false);
    await Promise.resolve();
    expect(admitted).toBeNull();
    next.leave();
    await replay;
    expect(gate.running).toBe(1);
  });

  it('rejects a waiting replay when its signal aborts', async () => {
    const gate = gateWith({ maxInFlight: 1 });
    const pass = gate.enter();
    const abort = new AbortController();
    const waiting = gate.admitReplay(abort.signal);
    abort.abort(new Error('cancelled'));
    await expect(waiting).rejects.toThrow('cancelled');
    // A signal that was aborted before the call rejects the promise. Nothing is thrown
    // synchronously.
    const late = gate.admitReplay(abort.signal);
    await expect(late).rejects.toThrow('cancelled');
    pass.leave();
    expect(gate.running).toBe(0);
  });
});

describe('the gates of a process', () => {
  class SetClock extends Clock {
    wallMs = 1_800_000_000_000;
    now(): Instant {
      return fromMillis(this.wallMs);
    }
  }

  it('keep the rate limit working when the wall clock is set back', () => {
    const clock = new SetClock();
    const gates = new Gates(clock);
    const scope = { tenantId: 'tnt_a', environment: 'test' };
    const limited = { id: 'dest_1', scope, maxInFlight: 50, ratePerSecond: 10 };
    const gate = gates.gateFor(limited as unknown as DeliveryDestination);
    gate.enter().leave();
    clock.wallMs -= HOUR_MS;
    expect(gate.waitMs()).toBeLessThanOrEqual(100);
    expect(gates.msSinceLiveStart()).toBeGreaterThanOrEqual(0);
  });
});

describe('the fair share of a process', () => {
  const member = (tenantId: string, share: FairShare, order: string[], name: string) => {
    const state = { tenantId, running: 0, onRoom: () => undefined as unknown };
    const enter = (): void => {
      state.running += 1;
      share.recordStart();
    };
    state.onRoom = () => {
      order.push(name);
      enter();
      share.hasRoom(state);
    };
    return { state: state as Member & { running: number }, enter };
  };

  it('guarantees each destination a few attempts and gives the rest to tenants and destinations in turn', () => {
    const share = new FairShare(20);
    const order: string[] = [];
    const big = member('tnt_a', share, order, 'a1');
    while (share.hasRoom(big.state)) big.enter();
    expect(big.state.running).toBe(20);

    const others = [
      member('tnt_a', share, order, 'a2'),
      member('tnt_b', share, order, 'b1'),
      member('tnt_b', share, order, 'b2'),
    ];
    for (const { state, enter } of others) {
      while (share.hasRoom(state)) enter();
      expect(state.running).toBe(8);
    }
    // All members wait. The places that the big member frees go round in turn.
    for (let i = 0; i < 24; i += 1) share.recordEnd();
    for (let i = 0; i < 8; i += 1) {
      share.recordEnd();
    }
    expect(order.slice(0, 6)).toEqual(['a1', 'b1', 'a2', 'b2', 'a1', 'b1']);
  });
});
