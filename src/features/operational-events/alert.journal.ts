import { randomUUID } from 'node:crypto';
import { SCHEMA_VERSION } from '../../event-store/aggregates';
import { append } from '../../event-store/append';
import type { EventStoreConnection } from '../../event-store/connection';
import { readStream } from '../../event-store/read';
import { streams } from '../../event-store/streams';
import type { Clock } from '../../kernel/time';

/** A storage format: add, never rename. */
const ALERT_ENDED = 'alert.ended';

export interface EndedAlert {
  readonly eventId: string;
  readonly recipient: string;
  readonly outcome: 'delivered' | 'failed';
}

/** Which recipients are done with an operational event, in a stream of its own: a restart asks it. */
export class AlertJournal {
  constructor(
    private readonly connection: EventStoreConnection,
    private readonly clock: Clock,
  ) {}

  async recipients(eventId: string): Promise<Set<string>> {
    const found = new Set<string>();
    const { name } = streams.alert(eventId);
    for await (const { data } of readStream(this.connection.client, name)) {
      found.add(data['recipient'] as string);
    }
    return found;
  }

  /** Resolves when it is stored. A record that is stored twice does no harm. */
  async record({ eventId, recipient, outcome }: EndedAlert): Promise<void> {
    const uuid = randomUUID();
    await append(this.connection, {
      stream: streams.alert(eventId).name,
      expected: 'any',
      events: [
        {
          uuid,
          type: ALERT_ENDED,
          data: { event_id: eventId, recipient, outcome },
          metadata: { schema: SCHEMA_VERSION, at: this.clock.now(), command: uuid },
        },
      ],
    });
  }
}
