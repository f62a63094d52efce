import { type Static, Type } from '@sinclair/typebox';
import { UNATTEMPTED_COUNTED_MAX } from '../../delivery/journal/unattempted-events';
import { DISABLED_REASONS } from '../../domain/destinations/destination.events';
import { Moment, nullable, oneOf } from '../../domain/schema/fields';
import { Choice, Id } from '../../http/fields/fields';
import { PageParameters } from '../../http/lists/list-query';
import { ENVIRONMENTS } from '../../kernel/scope';

/**
 * The figures count at most this many deliveries, so that a busy destination is read as fast as a
 * quiet one.
 */
export const COUNTED_DELIVERIES_MAX = 5_000;
export const COUNTED_HOURS = 24;

const HEALTH_STATES = ['healthy', 'failing', 'disabled'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

export class ListDestinationHealthQuery extends PageParameters {
  @Choice(HEALTH_STATES, { optional: true })
  readonly health?: HealthState;

  @Id({ optional: true, description: 'Only this destination.' })
  readonly destination_id?: string;
}

export class ListFailingDestinationsQuery extends PageParameters {
  @Id({ optional: true, description: 'Only this tenant.' })
  readonly tenant_id?: string;
}

const describeMoment = (description: string) =>
  Type.Unsafe<Static<typeof Moment>>({ ...Moment, description });

const LastDay = Type.Object(
  {
    delivered: Type.Integer({ description: 'How many events the receiver accepted.' }),
    failed: Type.Integer({
      description: 'How many deliveries were given up after the last attempt.',
    }),
    pending: Type.Integer({
      description: 'How many deliveries failed so far and are tried again later.',
    }),
    first_try_rate: nullable(
      Type.Number({
        description: 'Delivered at the first attempt ÷ all; null without deliveries.',
      }),
    ),
    response_p95_ms: nullable(
      Type.Integer({ description: '95 % of the attempts were answered within this time.' }),
    ),
    delivered_by_hour: Type.Array(Type.Integer(), {
      description:
        'How many events of each hour were delivered: 24 numbers, the oldest hour first.',
    }),
  },
  {
    description: `Numbers of the last 24 hours, from the newest ${COUNTED_DELIVERIES_MAX} deliveries.`,
  },
);

export const DestinationHealth = Type.Object(
  {
    destination_id: Type.String(),
    health: Type.Unsafe<HealthState>({
      ...oneOf(HEALTH_STATES),
      description: 'Whether attempts succeed. For a `disabled` destination no attempts are made.',
    }),
    disabled_reason: nullable(oneOf(DISABLED_REASONS)),
    failing_since: nullable(
      describeMoment(
        'When the first attempt failed since the last success; null if the destination does not fail.',
      ),
    ),
    last_success_at: nullable(describeMoment('When the receiver last accepted an event.')),
    last_status_code: nullable(
      Type.Integer({ description: 'The HTTP status of the last failed attempt.' }),
    ),
    last_error: nullable(Type.String()),
    in_flight: Type.Integer({ description: 'How many attempts are in progress, at most 2 s ago.' }),
    waiting: Type.Integer({
      description: `How many events wait for an attempt. For a destination that is down or disabled that includes up to ${UNATTEMPTED_COUNTED_MAX.toLocaleString('en')} events that it has not taken from the log, which are not in the list of deliveries yet.`,
    }),
    oldest_waiting_at: nullable(describeMoment('When the oldest event that waits was created.')),
    last_24_hours: LastDay,
  },
  { title: 'DestinationHealth' },
);
export type DestinationHealth = Static<typeof DestinationHealth>;

export const FailingDestination = Type.Object(
  {
    tenant_id: Type.String(),
    environment: oneOf(ENVIRONMENTS),
    url: nullable(Type.String({ description: 'Null for an e-mail destination.' })),
    destination: DestinationHealth,
  },
  { title: 'FailingDestination' },
);
export type FailingDestination = Static<typeof FailingDestination>;
