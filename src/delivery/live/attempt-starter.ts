import type { Clock } from '../../kernel/time';
import type { Work } from '../journal/work';
import type { Gate } from '../schedule/gate';
import type { Lanes } from '../schedule/lanes';
import type { AttemptOptions } from './consumer-parts';
import type { ManualRetries } from './manual-retries';
import { addJitter, PAUSE_AFTER_FAILURE_MS } from './many-destinations';
import type { Outage } from './outage';
import type { PreparationFailures } from './preparation-failures';

/**
 * The longest sleep before the due times are compared with the clock again. They are wall-clock
 * times: a clock that was wrong for a moment would otherwise delay retries for as long as it was
 * wrong by.
 */
const CLOCK_CHECK_MS = 10_000;

/** The deliveries that wait at the destination, and the causes that may delay its next attempt. */
interface StarterParts {
  readonly lanes: Lanes<Work>;
  readonly manual: ManualRetries;
  readonly outage: Outage;
  readonly preparationFailures: PreparationFailures;
  readonly gate: Gate;
  readonly clock: Clock;
}

/** The functions of the consumer that the starter uses. */
interface DeliveryEngine {
  /**
   * Applies the current settings of the destination. Returns false if no attempt may start now.
   */
  readonly prepareStart: () => boolean;
  /** Makes an attempt and applies its verdict. It throws if nothing was sent. */
  readonly deliver: (work: Work, options: AttemptOptions) => Promise<void>;
}

/**
 * Starts the attempts of one destination: those of the lanes in their order, and manual retries
 * between them. It obeys the limits of the destination's gate, the breaker and the pauses, and
 * sets a timer for the next attempt that is not due yet.
 */
export class AttemptStarter {
  private isManualTurn = false;
  private runningCount = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly parts: StarterParts,
    private readonly engine: DeliveryEngine,
  ) {}

  /** True while an attempt is in flight. */
  get isRunning(): boolean {
    return this.runningCount > 0;
  }

  /** Starts every attempt that may run now, and sets a timer for the next one. */
  startDueAttempts(): void {
    clearTimeout(this.timer);
    if (!this.engine.prepareStart()) return;
    const { lanes, outage, manual, gate, clock } = this.parts;
    const nowMs = clock.nowMs();
    const waitMs = this.startAllDue(nowMs);
    const manualWaits = manual.first !== null;
    const liveWaits = waitMs > 0 && !outage.isOpen && lanes.hasReady;
    gate.setLiveWaiting(manualWaits || liveWaits);
    const nextMs = waitMs === 0 ? (lanes.nextDueMs() ?? Infinity) - nowMs : waitMs;
    this.setTimer(manualWaits ? Math.min(nextMs, this.msUntilAnyStart()) : nextMs);
  }

  /** Stops the timer. Attempts in flight continue. */
  stop(): void {
    clearTimeout(this.timer);
    this.parts.gate.setLiveWaiting(false);
  }

  /**
   * Starts attempts until nothing more may start. Returns the milliseconds until the next scheduled
   * start. It is the wait that stopped the last start: a wait that is computed again afterwards may
   * have ended just then, and no timer would be set for it.
   */
  private startAllDue(nowMs: number): number {
    for (;;) {
      const waitMs = this.msUntilScheduledStart();
      if (!this.startOne(nowMs, waitMs)) return waitMs;
    }
  }

  /**
   * Alternates between scheduled deliveries and manual retries, so that neither can starve the
   * other.
   */
  private startOne(nowMs: number, waitMs: number): boolean {
    this.isManualTurn = !this.isManualTurn;
    return this.isManualTurn
      ? this.startManual() || this.startScheduled(nowMs, waitMs)
      : this.startScheduled(nowMs, waitMs) || this.startManual();
  }

  private startScheduled(nowMs: number, waitMs: number): boolean {
    if (waitMs > 0) return false;
    const { lanes, outage } = this.parts;
    const work = outage.isOpen ? lanes.startProbe(nowMs) : lanes.startNext(nowMs);
    if (work === null) return false;
    void this.runOne(work);
    return true;
  }

  private startManual(): boolean {
    const { lanes, manual } = this.parts;
    if (manual.first === null || this.msUntilAnyStart() > 0) return false;
    const retry = manual.takeFirst();
    if (retry === null) return false;
    const taken = lanes.startOutOfTurn(retry.eventId);
    const waiting = lanes.get(retry.eventId);
    if (taken !== null) void this.runOne(taken, taken.attempts > 0);
    else if (waiting !== undefined) lanes.update({ ...waiting, notBeforeMs: 0, heldUntilMs: 0 });
    else if ('status' in retry) void this.runInsideGate(() => manual.retryEndedDelivery(retry));
    return true;
  }

  /**
   * Returns the milliseconds until the limits and the breaker admit a scheduled delivery. Due times
   * of single deliveries are not considered. Infinity means that an event will announce it.
   */
  private msUntilScheduledStart(): number {
    const { probeAtMs } = this.parts.outage;
    if (probeAtMs === null) return this.msUntilAnyStart();
    if (this.isRunning) return Infinity;
    const probeInMs = probeAtMs - this.parts.clock.monotonicMs();
    return probeInMs > 0 ? probeInMs : this.msUntilAnyStart();
  }

  /**
   * Returns the milliseconds until the limits admit any attempt, including a manual one, which
   * ignores the breaker.
   */
  private msUntilAnyStart(): number {
    const { preparationFailures, clock, gate } = this.parts;
    const pauseMs = preparationFailures.waitMs(clock.monotonicMs());
    return pauseMs > 0 ? pauseMs : gate.waitMs();
  }

  private setTimer(ms: number): void {
    if (ms === Infinity) return;
    this.timer = setTimeout(
      () => {
        this.startDueAttempts();
      },
      Math.min(Math.max(1, ms), CLOCK_CHECK_MS),
    );
  }

  private runOne(work: Work, isManual = false): Promise<void> {
    const { outage, lanes, clock } = this.parts;
    const isProbe = outage.isOpen;
    return this.runInsideGate(async () => {
      try {
        await this.engine.deliver(work, { isProbe, isManual });
      } catch {
        // The consumer has logged the failure, or the destination has just been closed. The work is
        // tried again after a pause.
        lanes.retry({ ...work, notBeforeMs: clock.nowMs() + addJitter(PAUSE_AFTER_FAILURE_MS) });
      }
    });
  }

  /** Runs an attempt that holds a pass of the destination's gate until it ends. */
  private async runInsideGate(attempt: () => Promise<void>): Promise<void> {
    const pass = this.parts.gate.enter();
    this.runningCount += 1;
    try {
      await attempt();
    } finally {
      this.runningCount -= 1;
      pass.leave();
    }
  }
}
