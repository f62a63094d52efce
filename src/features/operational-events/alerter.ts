import { setTimeout as delay } from 'node:timers/promises';
import { Acks } from '../../delivery/acks';
import type { Mailer } from '../../delivery/mail/mailer';
import { judge } from '../../delivery/verdict';
import type { EventStoreConnection } from '../../event-store/connection';
import { consume, type GroupBatch, type GroupMessage, isTaken } from '../../event-store/groups';
import { resubscribe } from '../../event-store/resubscribe';
import { categoryStream, streams } from '../../event-store/streams';
import type { Schedule } from '../../kernel/backoff';
import type { Clock } from '../../kernel/time';
import { describeError, log } from '../../ops/log';
import type { TenantDirectory } from '../tenants/tenant.directory';
import type { AlertJournal } from './alert.journal';
import { type Alert, alertMessage, recipientOf } from './alert.message';
import { operationalFact } from './operational-event.facts';

/** Where operational events stand in the log. */
const CATEGORIES = ['destination', 'replay'];
const GROUP = 'alerts';
/** Alerts that wait at a time; beyond it the log is the queue. */
const OUTSTANDING_MAX = 100;
const STAND_BY_MS = 2_000;

interface AlerterParts {
  readonly connection: EventStoreConnection;
  readonly tenants: TenantDirectory;
  readonly journal: AlertJournal;
  readonly mailer: Mailer;
  readonly schedule: Schedule;
  readonly clock: Clock;
}

/**
 * Sends every operational event to the tenant's `alert_emails` (D-63). It has groups of its own, so it
 * delays no delivery; one process at a time holds each. What was sent is journalled and then acked:
 * a crash between sending and journalling repeats a message, with the same Message-ID.
 */
export class Alerter {
  private readonly acks = new Acks();
  private readonly underWay = new Map<string, Promise<void>>();

  constructor(private readonly parts: AlerterParts) {}

  async run(signal: AbortSignal): Promise<void> {
    await this.parts.tenants.whenReady(signal).catch(() => undefined);
    await Promise.all(CATEGORIES.map((category) => this.follow(category, signal)));
    await Promise.all(this.underWay.values());
  }

  private follow(category: string, signal: AbortSignal): Promise<void> {
    return resubscribe(`alerts of ${category}`, signal, async (healthy) => {
      try {
        await this.pull(category, signal, healthy);
      } catch (error) {
        if (!isTaken(error)) throw error;
        healthy();
        await delay(STAND_BY_MS, undefined, { signal });
      }
    });
  }

  private async pull(category: string, signal: AbortSignal, healthy: () => void): Promise<void> {
    const group = { stream: categoryStream(category), name: GROUP, startRevision: 0 };
    const options = { signal, outstandingMax: OUTSTANDING_MAX };
    for await (const { messages, ack } of consume(this.parts.connection, group, options)) {
      healthy();
      await ack(messages.filter((message) => !this.take(message, ack, signal)));
    }
  }

  /** True when the message stays outstanding until everybody has been told. */
  private take(message: GroupMessage, ack: GroupBatch['ack'], signal: AbortSignal): boolean {
    const alerts = this.alertsOf(message);
    const [first] = alerts;
    if (first === undefined) return false;
    const { id } = first.fact;
    this.acks.hold(id, { message, ack });
    // A message that comes again over a new connection is in hand already.
    if (this.underWay.has(id)) return true;
    const work = this.tell(id, alerts, signal)
      .catch((error: unknown) => {
        // It is not acked, so it comes again.
        if (!signal.aborted) log.error({ event_id: id, ...describeError(error) }, 'alert not sent');
      })
      .finally(() => this.underWay.delete(id));
    this.underWay.set(id, work);
    return true;
  }

  /** To the addresses of now, about what happened since there have been any. */
  private alertsOf({ event }: GroupMessage): Alert[] {
    const fact = event === null ? null : operationalFact(event);
    if (fact === null) return [];
    const tenant = this.parts.tenants.get(streams.tenant(fact.scope.tenantId).name);
    if (tenant?.status !== 'known') return [];
    const { name: tenantName, settings, alertsSince } = tenant;
    if (alertsSince === null || fact.at < alertsSince) return [];
    return settings.alert_emails.map((to) => ({ fact, tenantName, to }));
  }

  private async tell(id: string, alerts: readonly Alert[], signal: AbortSignal): Promise<void> {
    const told = await this.parts.journal.recipients(id);
    const open = alerts.filter(({ to }) => !told.has(recipientOf(to)));
    await Promise.all(open.map((alert) => this.send(alert, signal)));
    this.acks.release(id);
  }

  private async send(alert: Alert, signal: AbortSignal): Promise<void> {
    const { id } = alert.fact;
    const recipient = recipientOf(alert.to);
    for (let attempts = 1; ; attempts += 1) {
      const verdict = await this.attempt(alert, attempts);
      if (verdict.kind === 'retry') {
        await delay(verdict.afterMs, undefined, { signal });
        continue;
      }
      const outcome = verdict.kind === 'delivered' ? 'delivered' : 'failed';
      if (outcome === 'failed') log.warn({ event_id: id, recipient }, 'an alert was not accepted');
      await this.parts.journal.record({ eventId: id, recipient, outcome });
      return;
    }
  }

  private async attempt(alert: Alert, attempts: number) {
    const { mailer, schedule, clock } = this.parts;
    const file = `${alert.fact.id}.${recipientOf(alert.to)}.eml`;
    const result = await mailer.post(file, (from) => alertMessage(alert, from));
    return judge(result, {
      attempts,
      schedule,
      nowMs: clock.nowMs(),
      chance: Math.random(),
    });
  }
}
