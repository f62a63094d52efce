import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Message } from '../../delivery/mail/message';
import { Vault } from '../../event-store/vault';
import { createPeriodConditions, mapPageAsync, readPage } from '../../http/lists/keyset';
import type { Page } from '../../http/lists/pagination';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { Database } from '../../read-models/database';
import { DestinationDirectory } from '../../directories/destination.directory';
import type { ListOutboxQuery, OutboxMessage } from './outbox.dto';

export class ListOutbox extends Query<Page<OutboxMessage>> {
  constructor(
    readonly scope: Scope,
    readonly filters: ListOutboxQuery,
  ) {
    super();
  }
}

interface OutboxRow {
  readonly id: string;
  readonly created_at: Instant;
  readonly event_id: string;
  readonly destination_id: string;
  /** Null for a test message, which is not sealed. */
  readonly subscriber_id: string | null;
  readonly message: string;
}

/**
 * Selects the e-mails of the test environment, which are stored instead of sent. The message is in
 * the delivery log: it is the sealed response body of the attempt. Messages of destination tests
 * are in a table of their own.
 */
const STORED_MAILS = `(select a.attempt_id as id, a.at as created_at, d.scope, d.event_id,
    d.destination_id, d.subscriber_id, a.response_body as message
  from delivery_attempts a join deliveries d using (destination_id, event_id)
  where a.response_body is not null
  union all
  select id, created_at, scope, event_id, destination_id, null, message::text from test_mails) m`;

@QueryHandler(ListOutbox)
export class ListOutboxHandler implements IQueryHandler<ListOutbox> {
  constructor(
    private readonly database: Database,
    private readonly directory: DestinationDirectory,
    private readonly vault: Vault,
  ) {}

  async execute({ scope, filters }: ListOutbox): Promise<Page<OutboxMessage>> {
    const mailing = this.directory
      .listInScope(scope)
      .filter(({ type }) => type === 'email_fallback');
    const page = await readPage<OutboxRow>(
      this.database,
      {
        from: STORED_MAILS,
        columns: 'id, created_at, event_id, destination_id, subscriber_id, message',
        scope: scopeName(scope),
        conditions: [
          ['destination_id = any(?)', mailing.map(({ id }) => id)],
          ...createPeriodConditions(filters),
        ],
      },
      filters,
    );
    return mapPageAsync(page, (row) => this.viewMessage(row));
  }

  private async viewMessage(row: OutboxRow): Promise<OutboxMessage> {
    const { subscriber_id: subscriberId, message: kept } = row;
    const text = subscriberId === null ? kept : await this.vault.openText(subscriberId, kept);
    const message = text === null ? null : (JSON.parse(text) as Message);
    return {
      event_id: row.event_id,
      destination_id: row.destination_id,
      created_at: row.created_at,
      message_id: message?.message_id ?? null,
      from: message?.from ?? null,
      to: message?.to ?? null,
      reply_to: message?.reply_to ?? null,
      subject: message?.subject ?? null,
      text: message?.text ?? null,
      headers: message?.headers ?? null,
    };
  }
}
