import type { EventStoreConnection } from '../../event-store/connection';
import { readStream } from '../../event-store/read';
import { streams } from '../../event-store/streams';
import type { Vault } from '../../event-store/vault';
import type { Schedule } from '../../kernel/backoff';
import type { Clock, Instant } from '../../kernel/time';
import { log } from '../../ops/log';
import type { Metrics } from '../../ops/metrics';
import type { Tracing } from '../../ops/tracing';
import type { DatedEvent, DeliveryLog } from '../journal/delivery-log';
import type { Channels, PreparedAttempt, Preview } from '../model/channel';
import type { DeliveryDestination } from '../model/destination';
import type { Outcome } from '../journal/journal';
import { DestinationClosed } from '../schedule/gate';
import { recordAttempt } from './attempt-spans';
import { type AttemptTrace, createAttemptTrace } from './attempt-trace';
import { type AttemptRequest, prepareAttempt, type TracedAttemptRequest } from './prepare';
import type { Renderer } from '../model/render';
import { type AttemptResult, judgeAttempt, type Verdict } from '../model/verdict';
import type { DeliverableEvent, Work } from '../journal/work';

interface AttemptParts {
  readonly connection: EventStoreConnection;
  readonly renderer: Renderer;
  readonly channels: Channels;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly log: DeliveryLog;
  readonly schedules: { readonly live: Schedule; readonly test: Schedule };
}

/** The properties of an attempt that belongs to a replay. */
export interface ReplayAttempt {
  readonly replayId: string;
  readonly dedupeStrategy: string;
  readonly schedule: Schedule;
}

/** The reason for an attempt. */
export type AttemptTrigger =
  /** First attempt of an event that has just arrived. */
  | { readonly kind: 'live' }
  /** Scheduled attempt after a failure. */
  | { readonly kind: 'retry' }
  /** Attempt that somebody asked for (D-66). */
  | { readonly kind: 'manual' }
  | { readonly kind: 'replay'; readonly replay: ReplayAttempt };

/** The result of an attempt: the updated delivery, the verdict, and the facts for the journal. */
export interface Attempted {
  readonly work: Work;
  readonly verdict: Verdict;
  readonly facts: Partial<Outcome>;
}

/**
 * Makes attempts, live and replayed. It reads the event if it is not in memory, renders, signs,
 * sends and judges the response. The caller holds a pass of the destination's gate (`gates.ts`)
 * during the attempt and journals the outcome afterwards (`createOutcome` in `work.ts`).
 */
export class Attempts {
  constructor(private readonly parts: AttemptParts) {}

  /**
   * Makes one attempt of a delivery. It throws only if nothing was sent. `maySend` is asked at the
   * last moment, because the destination may be disabled while the attempt is being prepared.
   */
  async make(
    work: Work,
    destination: DeliveryDestination,
    trigger: AttemptTrigger,
    maySend: () => boolean,
  ): Promise<Attempted> {
    const beganAtMs = Date.now();
    const replay = trigger.kind === 'replay' ? trigger.replay : null;
    const event = work.event ?? (await this.read(work, destination));
    if (event === null) {
      return { work, verdict: { kind: 'failed' }, facts: { error: 'event_deleted' } };
    }
    const attempt = work.attempts + 1;
    // A live delivery knows when the event was first sent; a replay looks it up.
    const firstSentAt =
      work.firstSentAt === undefined
        ? await this.findFirstSentAt(destination, event)
        : work.firstSentAt;
    const trace = this.createTrace({ event, destination, attempt, firstSentAt, replay });
    const toSend = { event, destination, attempt, firstSentAt, replay, trace };
    const prepared = await this.prepare(toSend);
    const { at } = prepared;
    if (!maySend()) throw new DestinationClosed();
    const result = await this.send(prepared);
    const schedule = replay?.schedule ?? this.parts.schedules[destination.scope.environment];
    const verdict = this.judge(result, attempt - (work.unscheduledAttempts ?? 0), schedule);
    this.measure(trigger, verdict, result, replay === null ? event.storedAtMs : null);
    const { id, scope } = destination;
    this.parts.metrics.destinationAttempts?.count(scope, id, verdict.kind);
    const made = { destination, event, attempt, trigger, trace, result, verdict };
    logAttempt(made);
    if (trace.isSampled) {
      recordAttempt(this.parts.tracing, { ...made, trigger: trigger.kind }, { beganAtMs, at });
    }
    return {
      work: { ...work, event, attempts: attempt, firstSentAt: firstSentAt ?? at },
      verdict,
      facts: {
        attempt,
        ...toTraceFields(trace),
        at,
        duration_ms: result.durationMs,
        status_code: result.statusCode,
        error: result.error,
        response_body: await this.seal(work.subscriberId, destination, result),
      },
    };
  }

  /**
   * Sends a test event to a destination. It is no delivery and not journalled. A test e-mail of the
   * test environment is kept for the outbox.
   */
  async sendTest(attempt: AttemptRequest): Promise<AttemptResult> {
    const prepared = await this.prepare({ ...attempt, trace: this.createTrace(attempt) });
    const result = await this.send(prepared);
    await this.parts.channels.find(prepared.destination.target).storeTest(prepared, result);
    return result;
  }

  /** Returns when an event was first sent live to a destination; null if it never was. */
  findFirstSentAt(destination: DeliveryDestination, event: DatedEvent): Promise<Instant | null> {
    return this.parts.log.findFirstSentAt(destination, event);
  }

  /** Returns the message that an attempt would send, signature included. */
  async preview(attempt: AttemptRequest): Promise<Preview> {
    const prepared = await this.prepare({ ...attempt, trace: this.createTrace(attempt) });
    const { target } = prepared.destination;
    return this.parts.channels.find(target).preview(prepared, target);
  }

  private prepare(attempt: TracedAttemptRequest): Promise<PreparedAttempt> {
    return prepareAttempt(this.parts.renderer, this.parts.clock, attempt);
  }

  /** Sends once without a record. It never throws. */
  private send(prepared: PreparedAttempt): Promise<AttemptResult> {
    const { target } = prepared.destination;
    return this.parts.channels.find(target).send(prepared, target);
  }

  /** Creates the trace of an attempt. The start of the trace has decided whether it is sampled. */
  private createTrace({ event, destination, attempt, replay }: AttemptRequest): AttemptTrace {
    const about = { destinationId: destination.id, attempt, replayId: replay?.replayId ?? null };
    const trace = createAttemptTrace(event, about);
    const before = trace.linked === null ? trace.cause : null;
    return { ...trace, isSampled: this.parts.tracing.isSampled(trace.traceId, before) };
  }

  private judge(result: AttemptResult, attempts: number, schedule: Schedule): Verdict {
    return judgeAttempt(result, {
      attempts,
      schedule,
      nowMs: this.parts.clock.nowMs(),
      chance: Math.random(),
    });
  }

  /**
   * Records the metrics of an attempt. Latency is recorded for live deliveries only: for a replay
   * it would only show how old the events are.
   */
  private measure(
    trigger: AttemptTrigger,
    { kind }: Verdict,
    result: AttemptResult,
    storedAtMs: number | null,
  ): void {
    const { metrics, clock } = this.parts;
    metrics.attempts.inc({ trigger: trigger.kind, outcome: kind, reason: toMetricReason(result) });
    metrics.attemptDuration.observe({ outcome: kind }, result.durationMs / 1000);
    if (kind === 'delivered' && storedAtMs !== null) {
      metrics.deliveryLatency.observe((clock.nowMs() - storedAtMs) / 1000);
    }
  }

  /**
   * Seals the receiver's response, which may echo personal data. The message has been sent by now,
   * so this must not throw: the log shows no response if the subscriber has been erased in the
   * meantime or the vault cannot be reached.
   */
  private async seal(
    subscriberId: string,
    { target }: DeliveryDestination,
    { body }: AttemptResult,
  ): Promise<string | null> {
    if (body === '') return null;
    const kept = this.parts.channels.find(target).selectLoggedBody(body);
    return this.parts.vault.sealText(subscriberId, kept).catch(() => null);
  }

  private async read(
    { subscriberId, sequence }: Work,
    { scope }: DeliveryDestination,
  ): Promise<DeliverableEvent | null> {
    const { name } = streams.subscriber(scope, subscriberId);
    const options = { from: sequence - 1, maxCount: 1 };
    for await (const event of readStream(this.parts.connection.client, name, options)) {
      return event as unknown as DeliverableEvent;
    }
    return null;
  }
}

/**
 * Returns the status class or the error code. There are few values, so it can be a label of a
 * metric.
 */
const toMetricReason = ({ statusCode, error }: AttemptResult): string => {
  if (statusCode !== null) return `http_${Math.floor(statusCode / 100)}xx`;
  return error !== null && /^[a-z_0-9]{1,40}$/.test(error) ? error : 'other';
};

/** Returns the fields of the delivery log and of the log line about the trace of an attempt. */
const toTraceFields = ({
  traceId,
  linked,
}: AttemptTrace): Pick<Outcome, 'trace_id' | 'linked_trace_id'> => ({
  trace_id: traceId,
  ...(linked === null ? {} : { linked_trace_id: linked.traceId }),
});

interface AttemptLogFacts {
  readonly destination: DeliveryDestination;
  readonly event: DeliverableEvent;
  readonly attempt: number;
  readonly trigger: AttemptTrigger;
  readonly trace: AttemptTrace;
  readonly result: AttemptResult;
  readonly verdict: Verdict;
}

/** Logs the canonical line of an attempt: all facts in one place and nothing personal. */
const logAttempt = (made: AttemptLogFacts): void => {
  const { destination, event, attempt, trigger, trace, result, verdict } = made;
  log.info(
    {
      event_id: event.id,
      event_type: event.type,
      destination_id: destination.id,
      attempt,
      ...toTraceFields(trace),
      trigger: trigger.kind,
      ...(trigger.kind === 'replay' ? { replay_id: trigger.replay.replayId } : {}),
      status: result.statusCode,
      error: result.error,
      duration_ms: result.durationMs,
      verdict: verdict.kind,
      ...(verdict.kind === 'retry' ? { next_attempt_in_ms: Math.round(verdict.afterMs) } : {}),
    },
    'delivery.attempted',
  );
};
