import { type Static, Type } from '@sinclair/typebox';
import { Moment, nullable, oneOf } from '../../domain/schema/fields';
import { Id, Text } from '../../http/fields/fields';
import { ListQuery } from '../../http/lists/list-query';

export class ListAuditLogQuery extends ListQuery {
  @Text({ max: 128, optional: true, description: 'Only actions of the actor with this id.' })
  readonly actor?: string;

  @Text({
    max: 100,
    optional: true,
    description: 'The action, for example `destination.updated` or `analytics.exported`.',
  })
  readonly action?: string;

  @Text({ max: 128, optional: true, description: 'Only actions on the object with this id.' })
  readonly object?: string;
}

export class ListOperatorAuditLogQuery extends ListAuditLogQuery {
  @Id({ optional: true, description: 'Only items about this tenant, in both environments.' })
  readonly tenant_id?: string;
}

/**
 * One action of a key, an operator or a member. It contains ids and names of the product only,
 * nothing personal of a subscriber.
 */
export const AuditItem = Type.Object(
  {
    id: Type.String(),
    at: {
      ...Moment,
      description:
        'When the call was made. It is a real time also on a subscriber with a test clock.',
    },
    actor: Type.Object({
      type: oneOf(['api_key', 'operator', 'member']),
      id: Type.String(),
      name: Type.String({
        description:
          'The name of the key or operator at the time of the action. Of a member: the current name, or the role if there is none.',
      }),
    }),
    action: Type.String({
      example: 'destination.updated',
      description: 'The action: a noun and what happened to it, such as `destination.updated`.',
    }),
    object: Type.Object(
      {
        type: Type.String({ description: 'The kind of that object.' }),
        id: Type.String({ description: 'The id of that object.' }),
        name: nullable(
          Type.String({
            description: 'The current name, if the object is a member; null for other objects.',
          }),
        ),
      },
      { description: 'The object of the action.' },
    ),
    request_id: nullable(Type.String({ description: '`X-Request-Id` of the request.' })),
    address: nullable(Type.String({ description: 'The address from which the request came.' })),
  },
  { title: 'AuditItem' },
);
export type AuditItem = Static<typeof AuditItem>;
