import type { Instant } from '../../kernel/time';
import type { FairShare, Member } from './fair-share';

/** A destination's limits (D-68). */
export interface Limits {
  readonly maxInFlight: number;
  /** Attempts per second; null = no limit. */
  readonly ratePerSecond: number | null;
}

/** A permission to attempt one delivery, held until the attempt ends. */
export interface Pass {
  readonly leave: () => void;
}

interface WaitingReplay {
  readonly admit: () => void;
  readonly refuse: () => void;
}

/** No attempt may start: the receiver answered 410, or its destination is no longer active. */
export class DestinationClosed extends Error {
  constructor() {
    super('the destination takes no more deliveries');
  }
}

/** Attempts that are due within this time are admitted together: timers are not more precise. */
const BURST_MS = 50;

/**
 * Admits every attempt at one destination, live, manual or replayed. It enforces the in-flight
 * limit, the rate limit and the destination's share of the process. Live and manual attempts have
 * priority: a replay attempt is admitted only while none of them waits. All callers use the same
 * gate of a destination (`Gates.gateFor`).
 *
 * A live attempt calls `waitMs()` and, when that is 0, `enter()`. `onLiveRoom` is called when a
 * place has become free. A replay attempt awaits `admitReplay(signal)` and calls `leave()` when it
 * has ended. While the gate is closed, it admits neither.
 */
export class Gate implements Member {
  limits: Limits = { maxInFlight: 1, ratePerSecond: null };
  /** Called when a live attempt may be able to enter again. */
  onLiveRoom: () => void = () => undefined;
  /** Called when a receiver accepted a replay, which shows that the destination works. */
  onReplayDelivered: () => void = () => undefined;
  private inFlight = 0;
  private isLiveWaiting = false;
  /**
   * Theoretical arrival time of the next attempt under the rate limit (GCRA, generic cell rate
   * algorithm).
   */
  private nextAtMs = 0;
  private readonly replays: WaitingReplay[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** The disabling that closed the gate; null while the gate is open. */
  private closing: { readonly activeSince: Instant; readonly stored: Promise<void> } | null = null;

  constructor(
    readonly tenantId: string,
    private readonly share: FairShare,
    /**
     * A monotonic clock. If it could be set back, the rate limit would block until the clock had
     * caught up.
     */
    private readonly monotonicMs: () => number,
  ) {}

  /** Number of attempts in flight. */
  get running(): number {
    return this.inFlight;
  }

  /**
   * Returns 0 if a live attempt may enter now, or the milliseconds after which to ask again.
   * Infinity means that `onLiveRoom` will be called.
   */
  waitMs(): number {
    if (this.isClosed || this.inFlight >= this.limits.maxInFlight) return Infinity;
    const rateMs = this.msUntilRateAllows();
    if (rateMs > 0) return rateMs;
    return this.share.hasRoom(this) ? 0 : Infinity;
  }

  enter(): Pass {
    this.share.recordLiveStart(this.monotonicMs());
    return this.startAttempt();
  }

  private startAttempt(): Pass {
    this.inFlight += 1;
    this.share.recordStart();
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
        this.share.recordEnd();
        this.onRoom();
      },
    };
  }

  /** Sets whether live deliveries wait. While they do, no replay is admitted. */
  setLiveWaiting(waits: boolean): void {
    this.isLiveWaiting = waits;
    if (!waits) this.admitWaitingReplays();
  }

  /**
   * Resolves with a pass when the limits admit a replay attempt and no live delivery waits. Rejects
   * when the signal aborts, and with `DestinationClosed` while the gate is closed.
   */
  admitReplay(signal: AbortSignal): Promise<Pass> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    if (this.isClosed) return Promise.reject(new DestinationClosed());
    if (this.canAdmitReplayNow()) return Promise.resolve(this.startAttempt());
    return new Promise((resolve, reject) => {
      const waiting: WaitingReplay = {
        admit: () => {
          signal.removeEventListener('abort', abort);
          resolve(this.startAttempt());
        },
        refuse: () => {
          signal.removeEventListener('abort', abort);
          reject(new DestinationClosed());
        },
      };
      const abort = (): void => {
        this.replays.splice(this.replays.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', abort, { once: true });
      this.replays.push(waiting);
      this.admitWaitingReplays();
    });
  }

  /** True from a 410 until the destination is enabled again. */
  get isClosed(): boolean {
    return this.closing !== null;
  }

  /**
   * Admits nothing more to a destination that has been active since `activeSince`, and stores the
   * disabling that is the reason. `store` returns false if it gave up; the gate then opens again,
   * because the destination is still active.
   */
  close(activeSince: Instant, store: () => Promise<boolean>): Promise<void> {
    this.closing ??= { activeSince, stored: this.openUnlessStored(store) };
    for (const { refuse } of this.replays.splice(0)) refuse();
    return this.closing.stored;
  }

  /** Resolves when the disabling that closed the gate is stored, at once if the gate is open. */
  async waitUntilDisabled(): Promise<void> {
    await this.closing?.stored;
  }

  /** Opens a closed gate if the destination has been enabled since it was closed. */
  openIfEnabled(activeSince: Instant): void {
    if (this.closing !== null && this.closing.activeSince !== activeSince) this.open();
  }

  private async openUnlessStored(store: () => Promise<boolean>): Promise<void> {
    if (!(await store())) this.open();
  }

  private open(): void {
    this.closing = null;
    this.onRoom();
  }

  /** Called when a place has become free, at this destination or in the process. */
  onRoom(): void {
    this.onLiveRoom();
    this.admitWaitingReplays();
  }

  /** Fast path: admits at once, without a promise or an abort listener. */
  private canAdmitReplayNow(): boolean {
    return this.replays.length === 0 && !this.isLiveWaiting && this.waitMs() === 0;
  }

  private admitWaitingReplays(): void {
    while (this.replays.length > 0 && !this.isLiveWaiting) {
      const waitMs = this.waitMs();
      if (waitMs > 0) {
        this.admitLater(waitMs);
        return;
      }
      this.replays.shift()?.admit();
    }
  }

  private admitLater(waitMs: number): void {
    if (waitMs === Infinity) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.admitWaitingReplays();
    }, waitMs);
  }

  private msUntilRateAllows(): number {
    if (this.limits.ratePerSecond === null) return 0;
    return Math.max(0, Math.ceil(this.nextAtMs - BURST_MS - this.monotonicMs()));
  }
}
