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
import { pollUntilStopped } from '../../ops/polling';
import type { TenantDirectory } from '../../directories/tenant.directory';
import type { AlertJournal, JournalledAlert } from './alert.journal';
import { type Alert, createAlertMessage, hashRecipient } from './alert.message';
import type { DeferredAlert, DeferredAlerts } from './deferred-alerts';
import { toOperationalFact } from './operational-event.facts';

/** Categories that contain operational events. */
const CATEGORIES = ['destination', 'replay'];
const CONSUMER_GROUP = 'alerts';
/** Maximum number of alerts in progress. Further events stay unread in the log. */
const OUTSTANDING_MAX = 100;
const STANDBY_RETRY_MS = 2_000;
/** Interval for reading deferred alerts if another process writes the rows. */
const POLL_MS = 1_000;
/** Interval for reading deferred alerts if this process writes the rows and is notified. */
const NOTIFIED_POLL_MS = 15_000;

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
 * Sends every operational event to the tenant's `alert_emails` (D-63). It has consumer groups of
 * its own, so it delays no delivery, and each group has one owner at a time. An event is
 * acknowledged once its alert is recorded as sent or deferred. A deferred alert does not delay
 * others. After a crash a message may be sent again, with the same Message-ID.
 */
export class Alerter {
  private readonly acks = new PendingAcks();
  private readonly inProgress = new Map<string, Promise<void>>();

  constructor(private readonly parts: AlerterParts) {}

  async run(signal: AbortSignal): Promise<void> {
    await this.parts.tenants.waitUntilReady(signal).catch(() => undefined);
    await Promise.all(CATEGORIES.map((category) => this.follow(category, signal)));
    await Promise.all(this.inProgress.values());
  }

  private follow(category: string, signal: AbortSignal): Promise<void> {
    const { connection } = this.parts;
    const name = `alerts of ${category}`;
    return keepSubscribed({ connection, name, signal }, async ({ markHealthy, watched }) => {
      try {
        await this.consumeAlerts(category, signal, { markHealthy, watched });
      } catch (error) {
        if (!isOwnedElsewhere(error)) throw error;
        markHealthy();
        watched.recordAnswer();
        await delay(STANDBY_RETRY_MS, undefined, { signal });
      }
    });
  }

  private async consumeAlerts(
    category: string,
    signal: AbortSignal,
    { markHealthy, watched }: SubscriptionSession,
  ): Promise<void> {
    const group = { stream: categoryStream(category), name: CONSUMER_GROUP, startRevision: 0 };
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
        // The first batch proves that this process owns the group. Only the owner retries deferred
        // alerts.
        retrying ??= this.retryDeferred(category, session.signal);
        await ack(messages.filter((message) => !this.acceptMessage(message, ack, signal)));
      }
    } finally {
      signal.removeEventListener('abort', end);
      end();
      await retrying;
    }
  }

  /**
   * Starts sending the alerts of a message. Returns true if the message must not be acknowledged
   * until all recipients have been tried.
   */
  private acceptMessage(
    message: GroupMessage,
    ack: GroupBatch['ack'],
    signal: AbortSignal,
  ): boolean {
    const { event } = message;
    if (event === null || this.createAlerts(event).length === 0) return false;
    const { id } = event;
    this.acks.add(id, { message, ack });
    // A message that arrives again over a new connection is already in progress.
    if (this.inProgress.has(id)) return true;
    const work = this.sendRound(event, ({ attempts }) => attempts === 0)
      .then(() => {
        this.acks.markJournalled(id);
      })
      .catch((error: unknown) => {
        // The message is not acknowledged, so the store sends it again.
        if (!signal.aborted)
          reportFailure(
            'an alert cannot be sent: it is tried again when the event arrives again',
            id,
            error,
          );
      })
      .finally(() => this.inProgress.delete(id));
    this.inProgress.set(id, work);
    return true;
  }

  /**
   * Creates the alerts of an event for the current addresses. Events before the first address was
   * set cause none.
   */
  private createAlerts(event: StoredEvent): Alert[] {
    const fact = toOperationalFact(event);
    if (fact === null) return [];
    const tenant = this.parts.tenants.get(streams.tenant(fact.scope.tenantId).name);
    if (tenant?.status !== 'known') return [];
    const { name: tenantName, settings, alertsSince } = tenant;
    if (alertsSince === null || fact.at < alertsSince) return [];
    return settings.alert_emails.map((to) => ({ fact, tenantName, to }));
  }

  private async retryDeferred(category: string, signal: AbortSignal): Promise<void> {
    const news = this.parts.deferred.listen();
    await pollUntilStopped(signal, () => this.retryDue(category), {
      everyMs: POLL_MS,
      wait: (ms, stop) => news.waitForRows(ms, stop),
      onFailure: (error) => {
        warnOfFailure(
          'deferred alerts cannot be read: it is tried again',
          `alerts of ${category}`,
          error,
        );
      },
    });
  }

  /** Retries due alerts and returns the milliseconds until the next check. */
  private async retryDue(category: string): Promise<number> {
    const { clock, deferred: alerts } = this.parts;
    const now = clock.now();
    const found = await alerts.findFirst(category);
    const due = found.filter(({ dueAt }) => dueAt <= now);
    await Promise.all(due.map((deferred) => this.retry(deferred, now)));
    if (due.length > 0 || !alerts.notifiesAll()) return POLL_MS;
    const [next] = found;
    const inMs = next === undefined ? NOTIFIED_POLL_MS : msBetween(clock.now(), next.dueAt);
    return Math.max(1, Math.min(inMs, NOTIFIED_POLL_MS));
  }

  /**
   * Retries one alert. A failure is tried again at the next check and does not affect the others.
   */
  private async retry(deferred: DeferredAlert, now: Instant): Promise<void> {
    try {
      const event = await this.readEvent(deferred);
      if (event === undefined) return;
      // The journal is read again, because the row may be outdated.
      await this.sendRound(
        event,
        ({ nextAttemptAt }) => nextAttemptAt !== null && nextAttemptAt <= now,
      );
    } catch (error) {
      warnOfFailure('a deferred alert cannot be sent: it is tried again', deferred.stream, error, {
        ...deferred,
      });
    }
  }

  private async readEvent({ stream, revision }: DeferredAlert): Promise<StoredEvent | undefined> {
    const options = { from: revision, maxCount: 1 };
    for await (const event of readStream(this.parts.connection.client, stream, options)) {
      return event;
    }
    return undefined;
  }

  /**
   * Makes one round of attempts for all remaining recipients, if the journal shows that one is due.
   */
  private async sendRound(
    event: StoredEvent,
    isDue: (journalled: JournalledAlert) => boolean,
  ): Promise<void> {
    const { journal, clock } = this.parts;
    const journalled = await journal.read(event.id);
    if (!isDue(journalled)) return;
    const attempts = journalled.attempts + 1;
    const open = this.createAlerts(event).filter(
      ({ to }) => !journalled.recipients.has(hashRecipient(to)),
    );
    const waits = await Promise.all(open.map((alert) => this.send(alert, attempts)));
    const waitMs = Math.max(...waits.filter((ms) => ms !== null));
    if (waitMs >= 0) await journal.recordDeferred(event, attempts, plusMs(clock.now(), waitMs));
    else if (attempts > 1) await journal.recordSettled(event.id);
  }

  /** Sends one alert. Returns the milliseconds until its next attempt; null if there is none. */
  private async send(alert: Alert, attempts: number): Promise<number | null> {
    const { id } = alert.fact;
    const recipient = hashRecipient(alert.to);
    const verdict = await this.attempt(alert, attempts);
    if (verdict.kind === 'retry') return verdict.afterMs;
    const outcome = verdict.kind === 'delivered' ? 'delivered' : 'failed';
    if (outcome === 'failed')
      log.warn({ event_id: id, recipient }, 'a mail server refused an alert: it is not sent again');
    await this.parts.journal.recordEnded({ eventId: id, recipient, outcome });
    return null;
  }

  private async attempt(alert: Alert, attempts: number) {
    const { mailer, schedule, clock } = this.parts;
    const file = `${alert.fact.id}.${hashRecipient(alert.to)}.eml`;
    const result = await mailer.sendOwnMessage(file, (from) => createAlertMessage(alert, from));
    return judgeAttempt(result, {
      attempts,
      schedule,
      nowMs: clock.nowMs(),
      chance: Math.random(),
    });
  }
}
