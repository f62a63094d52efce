import { randomUUID } from 'node:crypto';
import { SCHEMA_VERSION } from '../../event-store/aggregates';
import { append } from '../../event-store/append';
import type { EventStoreConnection } from '../../event-store/connection';
import { readStream } from '../../event-store/read';
import type { StoredEvent } from '../../event-store/stored-event';
import type { JsonObject } from '../../kernel/json';
import { streams } from '../../event-store/streams';
import type { Clock, Instant } from '../../kernel/time';

/** A storage format: add, never rename. */
const ALERT_ENDED = 'alert.ended';
/** Whoever is not done with it is tried again. */
export const ALERT_DEFERRED = 'alert.deferred';
/** Nobody waits for it any more; stated only of what was deferred. */
export const ALERT_SETTLED = 'alert.settled';

export interface EndedAlert {
  readonly eventId: string;
  readonly recipient: string;
  readonly outcome: 'delivered' | 'failed';
}

/** What has become of an operational event. */
export interface JournalledAlert {
  /** Who is done with it. */
  readonly recipients: ReadonlySet<string>;
  /** Rounds of attempts after which it was deferred. */
  readonly attempts: number;
  /** Null where it waits for no other round. */
  readonly nextAttemptAt: Instant | null;
}

/** Which recipients are done with an operational event, in a stream of its own: a restart asks it. */
export class AlertJournal {
  constructor(
    private readonly connection: EventStoreConnection,
    private readonly clock: Clock,
  ) {}

  async of(eventId: string): Promise<JournalledAlert> {
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

  /** Resolves when it is stored. A record that is stored twice does no harm. */
  record({ eventId, recipient, outcome }: EndedAlert): Promise<void> {
    return this.append(ALERT_ENDED, { event_id: eventId, recipient, outcome });
  }

  /** Resolves when it is stored: then the event need not be kept in hand. */
  defer(
    { id, stream, revision }: StoredEvent,
    attempts: number,
    nextAttemptAt: Instant,
  ): Promise<void> {
    const data = { event_id: id, stream, revision, attempts, next_attempt_at: nextAttemptAt };
    return this.append(ALERT_DEFERRED, data);
  }

  settle(eventId: string): Promise<void> {
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
