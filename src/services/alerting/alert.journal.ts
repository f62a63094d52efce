import { randomUUID } from 'node:crypto';
import { SCHEMA_VERSION, type StoredEvent } from '../../event-store/stored-event';
import { append } from '../../event-store/append';
import type { EventStoreConnection } from '../../event-store/connection';
import { readStream } from '../../event-store/read';
import type { JsonObject } from '../../kernel/json';
import { streams } from '../../event-store/streams';
import type { Clock, Instant } from '../../kernel/time';

/** The event types are a storage format and must not be renamed. */
const ALERT_ENDED = 'alert.ended';
/** The remaining recipients are tried again later. */
export const ALERT_DEFERRED = 'alert.deferred';
/** No recipient remains. It is stored only for alerts that were deferred. */
export const ALERT_SETTLED = 'alert.settled';

export interface EndedAlert {
  readonly eventId: string;
  readonly recipient: string;
  readonly outcome: 'delivered' | 'failed';
}

/** The progress of the alert of an operational event. */
export interface JournalledAlert {
  /** Recipients for whom the alert has ended. */
  readonly recipients: ReadonlySet<string>;
  /** Number of rounds of attempts that were made before the alert was deferred. */
  readonly attempts: number;
  /** Time of the next round; null if there is none. */
  readonly nextAttemptAt: Instant | null;
}

/**
 * Stores the recipients for whom the alert of an operational event has ended, in a stream for each
 * event. After a restart the alert continues with the others.
 */
export class AlertJournal {
  constructor(
    private readonly connection: EventStoreConnection,
    private readonly clock: Clock,
  ) {}

  async read(eventId: string): Promise<JournalledAlert> {
    const recipients = new Set<string>();
    let attempts = 0;
    let nextAttemptAt: Instant | null = null;
    const { name } = streams.alert(eventId);
    for await (const { type, data } of readStream(this.connection.client, name)) {
      if (type === ALERT_ENDED) recipients.add(data['recipient'] as string);
      if (type === ALERT_DEFERRED) attempts = data['attempts'] as number;
      if (type === ALERT_DEFERRED) nextAttemptAt = data['next_attempt_at'] as Instant;
      if (type === ALERT_SETTLED) nextAttemptAt = null;
    }
    return { recipients, attempts, nextAttemptAt };
  }

  /** Stores that the alert has ended for one recipient. Storing it twice does no harm. */
  recordEnded({ eventId, recipient, outcome }: EndedAlert): Promise<void> {
    return this.append(ALERT_ENDED, { event_id: eventId, recipient, outcome });
  }

  /** Stores that the alert is deferred. Only after that may the message be acknowledged. */
  recordDeferred(
    { id, stream, revision }: StoredEvent,
    attempts: number,
    nextAttemptAt: Instant,
  ): Promise<void> {
    const data = { event_id: id, stream, revision, attempts, next_attempt_at: nextAttemptAt };
    return this.append(ALERT_DEFERRED, data);
  }

  recordSettled(eventId: string): Promise<void> {
    return this.append(ALERT_SETTLED, { event_id: eventId });
  }

  private async append(type: string, data: JsonObject & { event_id: string }): Promise<void> {
    const uuid = randomUUID();
    await append(this.connection, {
      stream: streams.alert(data.event_id).name,
      expected: 'any',
      events: [
        {
          uuid,
          type,
          data,
          metadata: { schema: SCHEMA_VERSION, at: this.clock.now(), command: uuid },
        },
      ],
    });
  }
}
