import { randomUUID } from 'node:crypto';
import type { Instant } from '../../kernel/time';
import type { Session } from '../../read-models/database';

/** Retention in days, the same as that of deliveries (D-66). */
const RETENTION_DAYS = 30;

export interface TestMail {
  readonly scope: string;
  readonly eventId: string;
  readonly destinationId: string;
  readonly at: Instant;
  /** The whole message, as JSON. */
  readonly message: string;
}

/**
 * Stores the messages of test deliveries to e-mail destinations in the test environment, for the
 * outbox. They are about a made-up subscriber, so nothing in them is personal.
 */
export class TestMails {
  constructor(private readonly database: Session) {}

  async store({ scope, eventId, destinationId, at, message }: TestMail): Promise<void> {
    await this.database.query({
      name: 'keep test mail',
      text: `insert into test_mails (id, created_at, scope, event_id, destination_id, message)
        values ($1, $2, $3, $4, $5, $6)`,
      values: [randomUUID(), at, scope, eventId, destinationId, message],
    });
  }

  async prune(): Promise<void> {
    await this.database.query({
      text: `delete from test_mails where created_at < now() - interval '${RETENTION_DAYS} days'`,
    });
  }
}
