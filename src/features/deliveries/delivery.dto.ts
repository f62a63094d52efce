import { type Static, Type } from '@sinclair/typebox';
import { Choice, Id, QueryInt, Text } from '../../http/fields/fields';
import { EVENT_FILTER_FORMAT } from '../../http/fields/list-fields';
import { ListQuery, PageParameters } from '../../http/lists/list-query';
import {
  DESTINATION_STATUSES,
  type DestinationStatus,
} from '../../domain/destinations/destination.decider';
import { Moment, nullable, oneOf } from '../../domain/schema/fields';

const STATUSES = ['pending', 'delivered', 'failed'] as const;
/**
 * The status of an event at a destination, with the reason if it was not received (D-66).
 * `log_expired` is an addition to the decision: the log has no row of the delivery any more.
 */
const EVENT_STATUSES = [
  ...STATUSES,
  'filtered',
  'before_destination',
  'destination_disabled',
  'log_expired',
] as const;

export class ListDeliveriesQuery extends ListQuery {
  @Choice(STATUSES, { optional: true })
  readonly status?: (typeof STATUSES)[number];

  @Text({
    optional: true,
    max: 64,
    format: EVENT_FILTER_FORMAT,
    description: 'A type such as `payment.failed`, or a family such as `payment.*`.',
  })
  readonly event_type?: string;
}

export class ListAllDeliveriesQuery extends ListDeliveriesQuery {
  @Id({ optional: true, description: 'Only deliveries to this destination.' })
  readonly destination_id?: string;

  @QueryInt({
    min: 100,
    max: 599,
    optional: true,
    description: 'Only deliveries whose last attempt was answered with this HTTP status.',
  })
  readonly status_code?: number;
}

export class ListEventDeliveriesQuery extends PageParameters {}

/**
 * The reason why an attempt got no complete response (`toFailureReason` in
 * delivery/model/failure-reason.ts).
 */
const AttemptError = nullable(
  Type.String({
    description:
      'Why there was no complete response: `timeout`; `dns_not_found`, `dns_failed`; `connection_refused`, `connection_unreachable`, ' +
      '`connection_reset`, `connection_closed`, `connection_failed`; `tls_certificate_expired`, `tls_certificate_untrusted`, ' +
      '`tls_certificate_of_other_name`, `tls_failed`; `answer_invalid`, `answer_incomplete`, `answer_headers_too_large`; ' +
      '`url_not_allowed`, `address_not_allowed` (a store of the service); `proxy_closed`, `proxy_refused_407` with its status; ' +
      '`event_deleted`. Null if there was a response, with any status.',
  }),
);

const WAITING_REASONS = ['earlier_event', 'retry', 'destination'] as const;
export type WaitingReason = (typeof WAITING_REASONS)[number];

const WaitingFor = Type.Unsafe<WaitingReason>({
  ...oneOf(WAITING_REASONS),
  title: 'WaitingReason',
  description:
    '`earlier_event`: an older event of the same subscriber goes first. `retry`: the next attempt is planned at `next_attempt_at`; it comes earlier ' +
    'if an outage of the receiver ends. `destination`: the destination is disabled, or its receiver is down and only probed.',
});

const TraceId = nullable(
  Type.String({ description: 'The trace of the last attempt, as in its `traceparent`.' }),
);

const LinkedTraceId = nullable(
  Type.String({
    description:
      'For an attempt of a replay: the trace in which the event happened. A replay has a trace of its own.',
  }),
);

const fields = {
  event_id: Type.String(),
  event_type: Type.String(),
  destination_id: Type.String(),
  attempt_count: Type.Integer(),
  last_attempt_at: nullable(Moment),
  last_status_code: nullable(Type.Integer()),
  last_error: AttemptError,
  next_attempt_at: nullable(Moment),
  waiting_for: nullable(WaitingFor),
  delivered_at: nullable(Moment),
  replay_id: nullable(Type.String()),
  trace_id: TraceId,
};

export const DeliveryItem = Type.Object(
  { ...fields, status: oneOf(STATUSES), created_at: Moment },
  { title: 'Delivery' },
);
export type DeliveryItem = Static<typeof DeliveryItem>;

export const EventDeliveryItem = Type.Object(
  {
    ...fields,
    status: oneOf(EVENT_STATUSES),
    destination_status: Type.Unsafe<DestinationStatus>({
      ...oneOf(DESTINATION_STATUSES),
      description:
        'The status of the destination now. `deleted`: what the event became before that; for 30 days, even if the destination was deleted for good.',
    }),
  },
  { title: 'EventDelivery' },
);
export type EventDeliveryItem = Static<typeof EventDeliveryItem>;

const Attempt = Type.Object({
  attempt: Type.Integer(),
  at: Moment,
  duration_ms: Type.Integer(),
  status_code: nullable(Type.Integer()),
  error: AttemptError,
  response_body: nullable(Type.String()),
  replay_id: nullable(Type.String()),
  trace_id: TraceId,
  linked_trace_id: LinkedTraceId,
});
export type Attempt = Static<typeof Attempt>;

export const DeliveryDetail = Type.Object(
  { ...fields, status: oneOf(STATUSES), created_at: Moment, attempts: Type.Array(Attempt) },
  { title: 'DeliveryDetail' },
);
export type DeliveryDetail = Static<typeof DeliveryDetail>;
