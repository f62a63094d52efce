import { type Static, Type } from '@sinclair/typebox';
import { ListQuery } from '../../http/lists/list-query';
import { Moment, nullable } from '../../domain/schema/fields';

export class ListOutboxQuery extends ListQuery {}

/** A stored e-mail. Its content is null after the erasure of the subscriber. */
export const OutboxMessage = Type.Object(
  {
    event_id: Type.String(),
    destination_id: Type.String(),
    created_at: Moment,
    message_id: nullable(Type.String()),
    from: nullable(Type.String()),
    to: nullable(Type.String()),
    reply_to: nullable(Type.String()),
    subject: nullable(Type.String()),
    text: nullable(Type.String()),
    headers: nullable(Type.Record(Type.String(), Type.String())),
  },
  { title: 'OutboxMessage' },
);
export type OutboxMessage = Static<typeof OutboxMessage>;
