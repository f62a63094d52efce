import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { append, keepFor } from '../../event-store/append';
import type { EventStoreConnection } from '../../event-store/connection';
import { warnOfFailure } from '../../event-store/failures';
import { SCHEMA_VERSION } from '../../event-store/aggregates';
import type { JsonObject } from '../../kernel/json';
import { streams } from '../../event-store/streams';
import type { Clock, Instant } from '../../kernel/time';

/** Outcomes are gathered this long, so that many share one append. */
const GATHER_MS = 10;
const OUTCOMES_PER_EVENT_MAX = 200;
/** An append has a limit of 1 MiB, and what is too large would be offered for ever. */
const BYTES_PER_EVENT_MAX = 512 * 1024;
/** Of an outcome without the receiver's answer, which is base64 of up to many kilobytes. */
const OUTCOME_BYTES_MAX = 1_024;
const PAUSE_AFTER_FAILURE_MS = 1_000;
const LONGEST_PAUSE_MS = 8_000;
/**
 * As long as events can be replayed (24 months and a little), although the delivery log shows 30 days:
 * a rebuild makes from it what still waits, however long a destination was disabled, and the metrics.
 */
const KEPT_SECONDS = 740 * 86_400;

export const OUTCOMES_RECORDED = 'delivery.outcomes_recorded';

/** What became of one event at one destination. A storage format: add, never rename. */
export type Outcome = {
  readonly kind: 'delivered' | 'retrying' | 'failed' | 'deferred';
  /** Readers recognise a repeated record by it. */
  readonly attempt_id: string;
  /** What the delivery's status is after it; null = as it was (a replay's failure). */
  readonly status: 'delivered' | 'pending' | 'failed' | null;
  /** Set for an attempt of a replay, whose attempts count apart from the live ones. */
  readonly replay_id: string | null;
  readonly event_id: string;
  readonly event_type: string;
  readonly scope: string;
  readonly subscriber_id: string;
  readonly sequence: number;
  readonly category_revision: number;
  /** The event's `created_at`. */
  readonly created_at: Instant;
  /** When it was stored, where that is another time (imports, test clocks); what took how long counts from it. */
  readonly stored_at?: Instant;
  /** Attempts made, this one included; 0 for an event that only waits behind an older one. */
  readonly attempt: number;
  /** How many of them were asked for beside the schedule; none where it is left out. */
  readonly by_hand?: number;
  /** The event had been delivered before, and somebody asked for it once more. */
  readonly repeated?: boolean;
  readonly at: Instant;
  readonly duration_ms: number;
  readonly status_code: number | null;
  readonly error: string | null;
  /** Sealed with the subscriber's key: a receiver may echo personal data. */
  readonly response_body: string | null;
  readonly next_attempt_at: Instant | null;
};

interface Entry {
  readonly outcome: Outcome;
  readonly resolve: () => void;
}

/**
 * The outcome of every delivery, in a stream of its own for each destination. A delivery is acked
 * only when its outcome is stored here; the retry schedule and the delivery log are projections of
 * it. A record that was stored twice does no harm: readers go by the attempt id.
 */
export class Journal {
  private readonly gathered = new Map<string, Entry[]>();
  private readonly writing = new Set<string>();
  private readonly bounded = new Set<string>();

  constructor(
    private readonly connection: EventStoreConnection,
    private readonly clock: Clock,
    /** Told how many seconds each record took to be stored. */
    private readonly measure: (seconds: number) => void = () => undefined,
  ) {}

  /** Resolves when the outcome is stored durably; it never gives up while the process lives. */
  record(destinationId: string, outcome: Outcome): Promise<void> {
    return new Promise((resolve) => {
      const entries = this.gathered.get(destinationId) ?? [];
      entries.push({ outcome, resolve });
      this.gathered.set(destinationId, entries);
      if (this.writing.has(destinationId)) return;
      this.writing.add(destinationId);
      void this.write(destinationId);
    });
  }

  private async write(destinationId: string): Promise<void> {
    await delay(GATHER_MS);
    for (;;) {
      const gathered = this.gathered.get(destinationId) ?? [];
      if (gathered.length === 0) break;
      const entries = gathered.splice(0, fitting(gathered));
      await this.store(destinationId, entries);
      this.bound(destinationId);
      for (const entry of entries) entry.resolve();
    }
    this.gathered.delete(destinationId);
    this.writing.delete(destinationId);
  }

  /** Once in each process: a journal grows no older than what can be replayed. */
  private bound(destinationId: string): void {
    if (this.bounded.has(destinationId)) return;
    this.bounded.add(destinationId);
    const { name } = streams.journal(destinationId);
    keepFor(this.connection, name, KEPT_SECONDS).catch((error: unknown) => {
      this.bounded.delete(destinationId);
      warnOfFailure('a delivery journal is not bounded yet', destinationId, error);
    });
  }

  private async store(destinationId: string, entries: readonly Entry[]): Promise<void> {
    const uuid = randomUUID();
    const outcomes: readonly JsonObject[] = entries.map(({ outcome }) => outcome);
    const beganAt = performance.now();
    let pauseMs = PAUSE_AFTER_FAILURE_MS;
    for (;;) {
      try {
        await append(this.connection, {
          stream: streams.journal(destinationId).name,
          // The one stream that is appended at any revision: nothing is decided on it.
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
        // Many journals fail at the same moment; they must not come back at the same moment.
        await delay(pauseMs * (0.5 + Math.random()));
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      }
    }
  }
}

/** How many of the first outcomes one event can hold: at least one. */
const fitting = (entries: readonly Entry[]): number => {
  let bytes = 0;
  const tooMany = entries.findIndex(({ outcome }, i) => {
    bytes += OUTCOME_BYTES_MAX + (outcome.response_body?.length ?? 0);
    return i > 0 && (i === OUTCOMES_PER_EVENT_MAX || bytes > BYTES_PER_EVENT_MAX);
  });
  return tooMany < 0 ? entries.length : tooMany;
};
