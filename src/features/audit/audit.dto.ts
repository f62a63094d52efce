import { type Static, Type } from '@sinclair/typebox';
import { Moment, nullable, oneOf } from '../../domain/schema/fields';
import { Id, Text } from '../../http/fields/fields';
import { ListQuery } from '../../http/lists/list-query';

export class ListAuditLogQuery extends ListQuery {
  @Text({ max: 128, optional: true, description: 'Done by the actor with this id.' })
  readonly actor?: string;

  @Text({
    max: 100,
    optional: true,
    description: 'The action, for example `destination.updated` or `analytics.exported`.',
  })
  readonly action?: string;

  @Text({ max: 128, optional: true, description: 'Done to the object with this id.' })
  readonly object?: string;
}

export class ListOperatorAuditLogQuery extends ListAuditLogQuery {
  @Id({ optional: true, description: 'About this tenant, in both environments.' })
  readonly tenant_id?: string;
}

/**
 * One action of a key, an operator or a member. It contains ids and names of the product only,
 * nothing personal of a subscriber.
 */
export const AuditItem = Type.Object(
  {
    id: Type.String(),
    at: Moment,
    actor: Type.Object({
      type: oneOf(['api_key', 'operator', 'member']),
      id: Type.String(),
      name: Type.String({ description: 'As it was called when it acted.' }),
    }),
    action: Type.String({
      example: 'destination.updated',
      description: 'What was done: the noun, and what happened to it.',
    }),
    object: Type.Object(
      {
        type: Type.String({ description: 'The noun of what it was done to.' }),
        id: Type.String({ description: 'The id of what it was done to.' }),
      },
      { description: 'What it was done to.' },
    ),
    request_id: nullable(Type.String({ description: '`X-Request-Id` of the request.' })),
    address: nullable(Type.String({ description: 'Where the request came from.' })),
  },
  { title: 'AuditItem' },
);
export type AuditItem = Static<typeof AuditItem>;
