import type { EventStoreConnection } from '../event-store/connection';
import { readStream } from '../event-store/read';
import { streams } from '../event-store/streams';
import type { Vault } from '../event-store/vault';
import type { Schedule } from '../kernel/backoff';
import { scopeName } from '../kernel/scope';
import type { Clock, Instant } from '../kernel/time';
import type { Metrics } from '../ops/metrics';
import type { DeliveryLog } from './delivery-log';
import type { DeliveryDestination } from './destination';
import type { Outcome } from './journal';
import type { Mailer } from './mail/mailer';
import type { TestMails } from './mail/test-mails';
import { prepare, type ToPrepare } from './prepare';
import type { Renderer } from './render';
import type { Sender } from './sender';
import { type AttemptResult, judge, type Verdict } from './verdict';
import type { DeliverableEvent, Work } from './work';

/** Of a receiver's answer, kept in the delivery log. */
const RESPONSE_BODY_KEPT = 4_096;

interface AttemptParts {
  readonly connection: EventStoreConnection;
  readonly renderer: Renderer;
  readonly sender: Sender;
  readonly mailer: Mailer;
  readonly testMails: TestMails;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: DeliveryLog;
  readonly schedules: { readonly live: Schedule; readonly test: Schedule };
}

/** What makes an attempt one of a replay. */
export interface ReplayAttempt {
  readonly replayId: string;
  readonly dedupeStrategy: string;
  readonly schedule: Schedule;
}

/** An attempt that was made: the work as it is now, what it came to, what the journal says of it. */
export interface Attempted {
  readonly work: Work;
  readonly verdict: Verdict;
  readonly facts: Partial<Outcome>;
}

/** A message as it would go out. */
export interface Preview {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Makes attempts, live and replayed: reads the event where only its place is known, renders, signs,
 * sends and judges. The caller holds a place at the destination's gate (`gates.ts`) meanwhile, and
 * journals the outcome afterwards (`outcomeOf` in `work.ts`).
 */
export class Attempts {
  constructor(private readonly parts: AttemptParts) {}

  /** One attempt of a delivery. Throws only where nothing was sent. */
  async make(
    work: Work,
    destination: DeliveryDestination,
    replay: ReplayAttempt | null = null,
  ): Promise<Attempted> {
    const event = work.event ?? (await this.read(work, destination));
    if (event === null) {
      return { work, verdict: { kind: 'failed' }, facts: { error: 'event_deleted' } };
    }
    const attempt = work.attempts + 1;
    const firstSentAt = await this.firstSentAt({ ...work, event }, destination);
    const { at, result } = await this.send({ event, destination, attempt, firstSentAt, replay });
    const schedule = replay?.schedule ?? this.parts.schedules[destination.scope.environment];
    const verdict = this.judge(result, attempt - (work.byHand ?? 0), schedule);
    this.measure(verdict, replay === null ? event.storedAtMs : null);
    return {
      work: { ...work, event, attempts: attempt, firstSentAt: firstSentAt ?? at },
      verdict,
      facts: {
        attempt,
        at,
        duration_ms: result.durationMs,
        status_code: result.statusCode,
        error: result.error,
        response_body: await this.seal(work.subscriberId, destination, result),
      },
    };
  }

  /** Tries a destination out: no delivery, but a message of the test environment is in the outbox. */
  async trial(attempt: ToPrepare): Promise<AttemptResult> {
    const { at, result } = await this.send(attempt);
    const { id, mail, scope } = attempt.destination;
    if (mail !== null && scope.environment === 'test') {
      const about = { scope: scopeName(scope), eventId: attempt.event.id, destinationId: id };
      await this.parts.testMails.keep({ ...about, at, message: result.body });
    }
    return result;
  }

  /** Renders, signs and sends once, without a record. Throws only where nothing was sent. */
  private async send(
    attempt: ToPrepare,
  ): Promise<{ readonly at: Instant; readonly result: AttemptResult }> {
    const { at, envelope, request } = await prepare(this.parts.renderer, this.parts.clock, attempt);
    const { destination, event } = attempt;
    const target = destination.mail;
    const result =
      target === null
        ? await this.parts.sender.send(request)
        : await this.parts.mailer.send({ destination, event, target, envelope });
    return { at, result };
  }

  /** What `send` would send, signature included. */
  async preview(attempt: ToPrepare): Promise<Preview> {
    const { destination, event } = attempt;
    const { envelope, request } = await prepare(this.parts.renderer, this.parts.clock, attempt);
    const target = destination.mail;
    if (target === null) return { headers: request.headers, body: request.body };
    return this.parts.mailer.preview({ destination, event, target, envelope });
  }

  private judge(result: AttemptResult, attempts: number, schedule: Schedule): Verdict {
    return judge(result, {
      attempts,
      schedule,
      nowMs: this.parts.clock.nowMs(),
      chance: Math.random(),
    });
  }

  /** Latency is that of live deliveries: a replay's would only tell how old the events are. */
  private measure({ kind }: Verdict, storedAtMs: number | null): void {
    const { metrics, clock } = this.parts;
    metrics.attempts.inc({ outcome: kind });
    if (kind === 'delivered' && storedAtMs !== null) {
      metrics.deliveryLatency.observe((clock.nowMs() - storedAtMs) / 1000);
    }
  }

  /** Known for a live delivery; a replay has to look it up. */
  private async firstSentAt(
    { firstSentAt, event }: Work & { readonly event: DeliverableEvent },
    destination: DeliveryDestination,
  ): Promise<Instant | null> {
    return firstSentAt === undefined ? this.parts.log.firstSentAt(destination, event) : firstSentAt;
  }

  /** A receiver may echo personal data. Something was sent, so this must not throw. */
  private async seal(
    subscriberId: string,
    { mail }: DeliveryDestination,
    { body }: AttemptResult,
  ): Promise<string | null> {
    if (body === '') return null;
    // What the outbox of the test environment keeps is a message of ours, not an answer.
    const kept = mail === null ? body.slice(0, RESPONSE_BODY_KEPT) : body;
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
