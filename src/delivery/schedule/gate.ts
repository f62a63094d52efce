import type { FairShare, Member } from './fair-share';

/** A destination's limits (D-68). */
export interface Limits {
  readonly maxInFlight: number;
  /** Null = none. */
  readonly ratePerSecond: number | null;
}

/** A place under the destination's limits: held for as long as one attempt runs. */
export interface Pass {
  readonly leave: () => void;
}

interface Waiting {
  readonly admit: () => void;
}

/** A burst of at most this long is let through at once: timers are not finer, receivers do not care. */
const BURST_MS = 50;

/**
 * What stands before every attempt at one destination, live or replayed: the in-flight cap, the rate
 * limit, and this process's fair share. Live comes first, and with it what was asked for by hand: a
 * replay attempt is admitted only while none of them waits. All use the one gate of the destination
 * (`Gates.of`).
 *
 * Live: `waitMs()`, and when it is 0, `enter()`; `onRoom` is called when a place has come free.
 * Replay: `await admitted(signal)`, then attempt, then `leave()`.
 */
export class Gate implements Member {
  limits: Limits = { maxInFlight: 1, ratePerSecond: null };
  /** Told when a live attempt may be able to enter again. */
  onRoom: () => void = () => undefined;
  /** Told when a replay was accepted: the destination is well. */
  onDelivered: () => void = () => undefined;
  private inFlight = 0;
  private liveWaits = false;
  /** Theoretical arrival time of the next attempt under the rate limit (GCRA). */
  private nextAtMs = 0;
  private readonly replays: Waiting[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    readonly tenantId: string,
    private readonly share: FairShare,
    /** Never set back: the rate would wait until the clock has caught up. */
    private readonly monotonicMs: () => number,
  ) {}

  /** Attempts under way. */
  get running(): number {
    return this.inFlight;
  }

  /** 0: a live attempt may enter now. A number: ask again then. Infinity: `onRoom` will be called. */
  waitMs(): number {
    if (this.inFlight >= this.limits.maxInFlight) return Infinity;
    const rateMs = this.rateWaitMs();
    if (rateMs > 0) return rateMs;
    return this.share.hasRoom(this) ? 0 : Infinity;
  }

  enter(): Pass {
    this.share.liveEntered(this.monotonicMs());
    return this.begin();
  }

  private begin(): Pass {
    this.inFlight += 1;
    this.share.entered();
    const { ratePerSecond } = this.limits;
    if (ratePerSecond !== null) {
      this.nextAtMs = Math.max(this.nextAtMs, this.monotonicMs()) + 1000 / ratePerSecond;
    }
    let left = false;
    return {
      leave: () => {
        if (left) return;
        left = true;
        this.inFlight -= 1;
        this.share.left();
        this.room();
      },
    };
  }

  /** Whether live deliveries wait for a place; while they do, replays stand back. */
  setLiveWaits(waits: boolean): void {
    this.liveWaits = waits;
    if (!waits) this.admitReplays();
  }

  /** A place for a replay attempt, when no live delivery wants it; rejects when aborted. */
  admitted(signal: AbortSignal): Promise<Pass> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    if (this.replayMayEnter()) return Promise.resolve(this.begin());
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        admit: () => {
          signal.removeEventListener('abort', abort);
          resolve(this.begin());
        },
      };
      const abort = (): void => {
        this.replays.splice(this.replays.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', abort, { once: true });
      this.replays.push(waiting);
      this.admitReplays();
    });
  }

  /** A place came free, here or in the process. */
  room(): void {
    this.onRoom();
    this.admitReplays();
  }

  /** What most attempts find, and so without a promise to be kept and a listener to be removed. */
  private replayMayEnter(): boolean {
    return this.replays.length === 0 && !this.liveWaits && this.waitMs() === 0;
  }

  private admitReplays(): void {
    while (this.replays.length > 0 && !this.liveWaits) {
      const waitMs = this.waitMs();
      if (waitMs > 0) {
        this.askAgain(waitMs);
        return;
      }
      this.replays.shift()?.admit();
    }
  }

  private askAgain(waitMs: number): void {
    if (waitMs === Infinity) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.admitReplays();
    }, waitMs);
  }

  private rateWaitMs(): number {
    if (this.limits.ratePerSecond === null) return 0;
    return Math.max(0, Math.ceil(this.nextAtMs - BURST_MS - this.monotonicMs()));
  }
}
