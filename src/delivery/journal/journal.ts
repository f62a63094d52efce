import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { append, setMaxAge } from '../../event-store/append';
import type { EventStoreConnection } from '../../event-store/connection';
import { warnOfFailure } from '../../event-store/failures';
import { SCHEMA_VERSION } from '../../event-store/stored-event';
import { GROWING_WAITS, growWait } from '../../kernel/retry-policies';
import type { JsonObject } from '../../kernel/json';
import { streams } from '../../event-store/streams';
import type { Clock, Instant } from '../../kernel/time';

/** Outcomes are collected for this long, so that many of them share one append. */
const GATHER_MS = 10;
/**
 * Outcomes of the kind `deferred` are collected for longer, because nobody waits for them: at most
 * this time, or until so many are collected. Their messages stay unacknowledged meanwhile, so that
 * they come again after a crash.
 */
const GATHER_DEFERRED_MS = 2_000;
const DEFERRED_MAX = 50;
const OUTCOMES_PER_EVENT_MAX = 200;
/**
 * The event store refuses appends above 1 MiB, and an append that is too large would be repeated
 * for ever.
 */
const BYTES_PER_EVENT_MAX = 512 * 1024;
/**
 * Upper bound of the size of an outcome without the receiver's response, whose size is added to it.
 */
const OUTCOME_BYTES_MAX = 1_024;
const RETRY_PAUSE = GROWING_WAITS.journal;
/**
 * Retention of a journal: 24 months and a few days, as long as events can be replayed. The delivery
 * log shows only 30 days, but a rebuild restores from the journal the deliveries that still wait,
 * however long a destination was disabled, and the metrics.
 */
const RETENTION_SECONDS = 740 * 86_400;

export const OUTCOMES_RECORDED = 'delivery.outcomes_recorded';

/**
 * The outcome of one event at one destination. This is a storage format: fields may be added but
 * never renamed.
 */
export type Outcome = {
  readonly kind: 'delivered' | 'retrying' | 'failed' | 'deferred';
  /** Identifies the attempt, so that readers recognise a record that was stored twice. */
  readonly attempt_id: string;
  /** The status of the delivery after it; null = unchanged (a failed attempt of a replay). */
  readonly status: 'delivered' | 'pending' | 'failed' | null;
  /** Set for an attempt of a replay. These attempts are counted apart from the live ones. */
  readonly replay_id: string | null;
  readonly event_id: string;
  readonly event_type: string;
  readonly scope: string;
  readonly subscriber_id: string;
  readonly sequence: number;
  readonly category_revision: number;
  /** The event's `created_at`. */
  readonly created_at: Instant;
  /**
   * The time at which the event was stored, if it differs from `created_at` (imports, test clocks).
   * Latency is measured from it.
   */
  readonly stored_at?: Instant;
  /**
   * Number of attempts, including this one. It is 0 for an event that only waits behind an older
   * one.
   */
  readonly attempt: number;
  /**
   * The number of manual attempts and failed probes that `attempt` includes; none if it is missing.
   */
  readonly by_hand?: number;
  /** True if an attempt of a replay failed while the first live attempt was still to come. */
  readonly awaits_live?: boolean;
  /** True if the event had already been delivered and somebody asked to send it again. */
  readonly repeated?: boolean;
  /** The trace of the attempt; absent if nothing was attempted, and in older records. */
  readonly trace_id?: string;
  /** The trace in which the event happened; set only for an attempt of a replay. */
  readonly linked_trace_id?: string;
  readonly at: Instant;
  readonly duration_ms: number;
  readonly status_code: number | null;
  readonly error: string | null;
  /** The receiver's response, sealed with the subscriber's key because it may echo personal data. */
  readonly response_body: string | null;
  readonly next_attempt_at: Instant | null;
};

interface Entry {
  readonly outcome: Outcome;
  readonly resolve: () => void;
}

/**
 * Stores the outcome of every delivery, in one stream for each destination. An event is
 * acknowledged only when its outcome is stored here. The retry schedule and the delivery log are
 * projections of it. A record that is stored twice does no harm, because readers recognise the
 * attempt id.
 */
export class Journal {
  private readonly gathered = new Map<string, Entry[]>();
  private readonly writing = new Set<string>();
  /** Timers of destinations for which only deferred events are collected. */
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly withRetention = new Set<string>();

  constructor(
    private readonly connection: EventStoreConnection,
    private readonly clock: Clock,
    /** Receives the seconds that each append took. */
    private readonly measure: (seconds: number) => void = () => undefined,
  ) {}

  /**
   * Resolves when the outcome is stored durably. It repeats the append as long as the process
   * lives.
   */
  record(destinationId: string, outcome: Outcome): Promise<void> {
    return new Promise((resolve) => {
      const entries = this.gathered.get(destinationId) ?? [];
      entries.push({ outcome, resolve });
      this.gathered.set(destinationId, entries);
      if (outcome.kind === 'deferred' && entries.length < DEFERRED_MAX) {
        this.startLater(destinationId);
      } else {
        this.start(destinationId);
      }
    });
  }

  private startLater(destinationId: string): void {
    if (this.writing.has(destinationId) || this.timers.has(destinationId)) return;
    const timer = setTimeout(() => {
      this.start(destinationId);
    }, GATHER_DEFERRED_MS);
    this.timers.set(destinationId, timer.unref());
  }

  private start(destinationId: string): void {
    clearTimeout(this.timers.get(destinationId));
    this.timers.delete(destinationId);
    if (this.writing.has(destinationId)) return;
    this.writing.add(destinationId);
    void this.write(destinationId);
  }

  private async write(destinationId: string): Promise<void> {
    await delay(GATHER_MS);
    for (;;) {
      const gathered = this.gathered.get(destinationId) ?? [];
      if (gathered.length === 0) break;
      const entries = gathered.splice(0, countFitting(gathered));
      await this.store(destinationId, entries);
      this.setRetention(destinationId);
      for (const entry of entries) entry.resolve();
    }
    this.gathered.delete(destinationId);
    this.writing.delete(destinationId);
  }

  /** Sets the retention of a journal, once in each process. */
  private setRetention(destinationId: string): void {
    if (this.withRetention.has(destinationId)) return;
    this.withRetention.add(destinationId);
    const { name } = streams.journal(destinationId);
    setMaxAge(this.connection, name, RETENTION_SECONDS).catch((error: unknown) => {
      this.withRetention.delete(destinationId);
      warnOfFailure(
        'the retention of a delivery journal cannot be set: it is tried again at the next outcome',
        destinationId,
        error,
      );
    });
  }

  private async store(destinationId: string, entries: readonly Entry[]): Promise<void> {
    const uuid = randomUUID();
    const outcomes: readonly JsonObject[] = entries.map(({ outcome }) => outcome);
    const beganAt = performance.now();
    let pauseMs: number = RETRY_PAUSE.firstMs;
    for (;;) {
      try {
        await append(this.connection, {
          stream: streams.journal(destinationId).name,
          // No decision depends on this stream, so it is appended at any revision.
          expected: 'any',
          events: [
            {
              uuid,
              type: OUTCOMES_RECORDED,
              data: { destination_id: destinationId, outcomes },
              metadata: { schema: SCHEMA_VERSION, at: this.clock.now(), command: uuid },
            },
          ],
        });
        this.measure((performance.now() - beganAt) / 1000);
        return;
      } catch (error) {
        warnOfFailure(
          'a delivery journal cannot be written: it is tried again',
          destinationId,
          error,
        );
        // Many journals fail at the same moment. The random pause keeps them from retrying at the
        // same moment.
        await delay(pauseMs * (0.5 + Math.random()));
        pauseMs = growWait(RETRY_PAUSE, pauseMs);
      }
    }
  }
}

/** Returns how many of the first outcomes fit into one event; at least one. */
const countFitting = (entries: readonly Entry[]): number => {
  let bytes = 0;
  const tooMany = entries.findIndex(({ outcome }, i) => {
    bytes += OUTCOME_BYTES_MAX + (outcome.response_body?.length ?? 0);
    return i > 0 && (i === OUTCOMES_PER_EVENT_MAX || bytes > BYTES_PER_EVENT_MAX);
  });
  return tooMany < 0 ? entries.length : tooMany;
};
