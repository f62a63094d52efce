import { setTimeout as delay } from 'node:timers/promises';
import { PendingAcks } from '../../delivery/live/acks';
import { reportFailure, warnOfFailure } from '../../event-store/failures';
import type { Mailer } from '../../delivery/mail/mailer';
import { judgeAttempt } from '../../delivery/model/verdict';
import type { EventStoreConnection } from '../../event-store/connection';
import {
  consumeGroup,
  type GroupBatch,
  type GroupMessage,
  isOwnedElsewhere,
} from '../../event-store/groups';
import { readStream } from '../../event-store/read';
import { keepSubscribed, type SubscriptionSession } from '../../event-store/keep-subscribed';
import type { StoredEvent } from '../../event-store/stored-event';
import { categoryStream, streams } from '../../event-store/streams';
import type { Schedule } from '../../kernel/backoff';
import { type Clock, type Instant, msBetween, plusMs } from '../../kernel/time';
import { log } from '../../ops/log';
import type { TenantDirectory } from '../../directories/tenant.directory';
import type { AlertJournal, JournalledAlert } from './alert.journal';
import { type Alert, alertMessage, recipientOf } from './alert.message';
import type { DeferredAlert, DeferredAlerts } from './deferred-alerts';
import { operationalFact } from './operational-event.facts';

/** Where operational events stand in the log. */
const CATEGORIES = ['destination', 'replay'];
const GROUP = 'alerts';
/** Alerts that are being sent at a time; beyond it the log is the queue. */
const OUTSTANDING_MAX = 100;
const STAND_BY_MS = 2_000;
/** Deferred alerts are looked for this often where another process writes the rows … */
const LOOK_EVERY_MS = 1_000;
/** … and where ours are told of. */
const LOOK_SELDOM_MS = 10_000;

interface AlerterParts {
  readonly connection: EventStoreConnection;
  readonly tenants: TenantDirectory;
  readonly journal: AlertJournal;
  readonly deferred: DeferredAlerts;
  readonly mailer: Mailer;
  readonly schedule: Schedule;
  readonly clock: Clock;
}

/**
 * Sends every operational event to the tenant's `alert_emails` (D-63). It has groups of its own, so it
 * delays no delivery; one process at a time holds each. What was sent, or is to be tried again, is
 * journalled and then acked: a mailbox that defers holds up nobody else's alerts, and a crash between
 * sending and journalling repeats a message, with the same Message-ID.
 */
export class Alerter {
  private readonly acks = new PendingAcks();
  private readonly underWay = new Map<string, Promise<void>>();

  constructor(private readonly parts: AlerterParts) {}

  async run(signal: AbortSignal): Promise<void> {
    await this.parts.tenants.whenReady(signal).catch(() => undefined);
    await Promise.all(CATEGORIES.map((category) => this.follow(category, signal)));
    await Promise.all(this.underWay.values());
  }

  private follow(category: string, signal: AbortSignal): Promise<void> {
    const { connection } = this.parts;
    const name = `alerts of ${category}`;
    return keepSubscribed({ connection, name, signal }, async ({ markHealthy, watched }) => {
      try {
        await this.pull(category, signal, { markHealthy, watched });
      } catch (error) {
        if (!isOwnedElsewhere(error)) throw error;
        markHealthy();
        watched.recordAnswer();
        await delay(STAND_BY_MS, undefined, { signal });
      }
    });
  }

  private async pull(
    category: string,
    signal: AbortSignal,
    { markHealthy, watched }: SubscriptionSession,
  ): Promise<void> {
    const group = { stream: categoryStream(category), name: GROUP, startRevision: 0 };
    const options = { signal, outstandingMax: OUTSTANDING_MAX, watched };
    const session = new AbortController();
    const end = (): void => {
      session.abort();
    };
    signal.addEventListener('abort', end, { once: true });
    let retrying: Promise<void> | undefined;
    try {
      for await (const { messages, ack } of consumeGroup(this.parts.connection, group, options)) {
        markHealthy();
        // The first batch says that the place is ours; whoever has it makes the retries.
        retrying ??= this.retry(category, session.signal);
        await ack(messages.filter((message) => !this.take(message, ack, signal)));
      }
    } finally {
      signal.removeEventListener('abort', end);
      end();
      await retrying;
    }
  }

  /** True when the message stays outstanding until everybody has been tried. */
  private take(message: GroupMessage, ack: GroupBatch['ack'], signal: AbortSignal): boolean {
    const { event } = message;
    if (event === null || this.alertsOf(event).length === 0) return false;
    const { id } = event;
    this.acks.add(id, { message, ack });
    // A message that comes again over a new connection is in hand already.
    if (this.underWay.has(id)) return true;
    const work = this.tell(event, ({ attempts }) => attempts === 0)
      .then(() => {
        this.acks.markJournalled(id);
      })
      .catch((error: unknown) => {
        // It is not acked, so it comes again.
        if (!signal.aborted) reportFailure('alert not sent', id, error);
      })
      .finally(() => this.underWay.delete(id));
    this.underWay.set(id, work);
    return true;
  }

  /** To the addresses of now, about what happened since there have been any. */
  private alertsOf(event: StoredEvent): Alert[] {
    const fact = operationalFact(event);
    if (fact === null) return [];
    const tenant = this.parts.tenants.get(streams.tenant(fact.scope.tenantId).name);
    if (tenant?.status !== 'known') return [];
    const { name: tenantName, settings, alertsSince } = tenant;
    if (alertsSince === null || fact.at < alertsSince) return [];
    return settings.alert_emails.map((to) => ({ fact, tenantName, to }));
  }

  private async retry(category: string, signal: AbortSignal): Promise<void> {
    const news = this.parts.deferred.news();
    while (!signal.aborted) {
      const restMs = await this.retryDue(category).catch((error: unknown) => {
        warnOfFailure('could not try deferred alerts again', `alerts of ${category}`, error);
        return LOOK_EVERY_MS;
      });
      await news.waitForRows(restMs, signal);
    }
  }

  /** Answers after how long the next look is worth it. */
  private async retryDue(category: string): Promise<number> {
    const { clock, deferred: alerts } = this.parts;
    const now = clock.now();
    const found = await alerts.first(category);
    const due = found.filter(({ dueAt }) => dueAt <= now);
    await Promise.all(due.map((deferred) => this.tellAgain(deferred, now)));
    if (due.length > 0 || !alerts.hearsAll()) return LOOK_EVERY_MS;
    const [next] = found;
    const inMs = next === undefined ? LOOK_SELDOM_MS : msBetween(clock.now(), next.dueAt);
    return Math.max(1, Math.min(inMs, LOOK_SELDOM_MS));
  }

  /** What breaks at one of them is tried again at the next look, and holds up no other. */
  private async tellAgain(deferred: DeferredAlert, now: Instant): Promise<void> {
    try {
      const event = await this.eventAt(deferred);
      if (event === undefined) return;
      // The row may be behind the journal.
      await this.tell(event, ({ nextAttemptAt }) => nextAttemptAt !== null && nextAttemptAt <= now);
    } catch (error) {
      warnOfFailure('an alert is not sent yet', deferred.stream, error, { ...deferred });
    }
  }

  private async eventAt({ stream, revision }: DeferredAlert): Promise<StoredEvent | undefined> {
    const options = { from: revision, maxCount: 1 };
    for await (const event of readStream(this.parts.connection.client, stream, options)) {
      return event;
    }
    return undefined;
  }

  /** A round of attempts, where the journal calls for one: everyone who is not done with it. */
  private async tell(
    event: StoredEvent,
    isDue: (journalled: JournalledAlert) => boolean,
  ): Promise<void> {
    const { journal, clock } = this.parts;
    const journalled = await journal.of(event.id);
    if (!isDue(journalled)) return;
    const attempts = journalled.attempts + 1;
    const open = this.alertsOf(event).filter(
      ({ to }) => !journalled.recipients.has(recipientOf(to)),
    );
    const waits = await Promise.all(open.map((alert) => this.send(alert, attempts)));
    const waitMs = Math.max(...waits.filter((ms) => ms !== null));
    if (waitMs >= 0) await journal.defer(event, attempts, plusMs(clock.now(), waitMs));
    else if (attempts > 1) await journal.settle(event.id);
  }

  /** How long to wait before another attempt, in milliseconds; null when there is none. */
  private async send(alert: Alert, attempts: number): Promise<number | null> {
    const { id } = alert.fact;
    const recipient = recipientOf(alert.to);
    const verdict = await this.attempt(alert, attempts);
    if (verdict.kind === 'retry') return verdict.afterMs;
    const outcome = verdict.kind === 'delivered' ? 'delivered' : 'failed';
    if (outcome === 'failed') log.warn({ event_id: id, recipient }, 'an alert was not accepted');
    await this.parts.journal.record({ eventId: id, recipient, outcome });
    return null;
  }

  private async attempt(alert: Alert, attempts: number) {
    const { mailer, schedule, clock } = this.parts;
    const file = `${alert.fact.id}.${recipientOf(alert.to)}.eml`;
    const result = await mailer.sendOwnMessage(file, (from) => alertMessage(alert, from));
    return judgeAttempt(result, {
      attempts,
      schedule,
      nowMs: clock.nowMs(),
      chance: Math.random(),
    });
  }
}
