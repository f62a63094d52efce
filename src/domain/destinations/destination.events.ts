import { Type } from '@sinclair/typebox';
import type { FactOf } from '../../kernel/decider';
import { Moment, nullable, oneOf } from '../schema/fields';
import { DESTINATION_TYPES, storedTargetFields } from './destination-kinds';
import { ENVIRONMENTS } from '../../kernel/scope';

export const PII_MODES = ['full', 'hashed_only', 'minimal'] as const;
export const ORDERINGS = ['relaxed', 'strict'] as const;
/** `on` if webhooks carry the trace context of their cause. */
export const TRACE_HEADERS = ['on', 'off'] as const;
export type TraceHeaders = (typeof TRACE_HEADERS)[number];
export const DISABLED_REASONS = ['gone', 'failing', 'manual'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** A signing secret wrapped by the master key. `expires_at` is set when its successor is made. */
const Secret = Type.Object({
  id: Type.String(),
  wrapped: Type.String(),
  created_at: Moment,
  expires_at: nullable(Moment),
});

/** The settings that PATCH can change. */
const settings = {
  ...storedTargetFields,
  event_types: nullable(Type.Array(Type.String())),
  pii_mode: oneOf(PII_MODES),
  schema_version: nullable(Type.String()),
  description: nullable(Type.String()),
  max_in_flight: Type.Integer(),
  rate_limit_per_second: nullable(Type.Number()),
  ordering: oneOf(ORDERINGS),
  /** Absent in older events, which count as `on`. */
  trace_headers: Type.Optional(oneOf(TRACE_HEADERS)),
};

/** The scope of an operational event, so that the projection that lists it needs no look-up. */
const scoped = { tenant_id: Type.String(), environment: oneOf(ENVIRONMENTS) };

/** The end of the category stream: its next revision, and the log position of its last event. */
const Head = Type.Object({ revision: Type.Integer(), position: Type.String() });

/** The type strings and field names are a storage format: add, never rename. */
export const destinationEvents = {
  'destination.registered': Type.Object({
    id: Type.String(),
    ...scoped,
    type: oneOf(DESTINATION_TYPES),
    ...settings,
    /** Null for a kind that signs nothing. */
    secret: nullable(Secret),
    /** First revision of the category stream that can hold an event of this destination. */
    start_revision: Type.Integer(),
  }),
  'destination.updated': Type.Object(settings),
  'destination.secret_rotated': Type.Object({
    secret: Secret,
    /** The end of validity of the replaced secret. Older secrets end at once. */
    previous_expires_at: Moment,
  }),
  /** The same secrets, wrapped by another master key. */
  'destination.secrets_rewrapped': Type.Object({
    secrets: Type.Array(Type.Object({ id: Type.String(), wrapped: Type.String() })),
  }),
  'destination.failing': Type.Object({
    destination_id: Type.String(),
    ...scoped,
    /** The first failed attempt since the last success. */
    since: Moment,
    /** Level of the warning: 24 or 72 hours of failure. */
    hours: Type.Integer(),
    last_status: nullable(Type.Integer()),
    last_error: nullable(Type.String()),
  }),
  'destination.disabled': Type.Object({
    destination_id: Type.String(),
    ...scoped,
    reason: oneOf(DISABLED_REASONS),
    since: nullable(Moment),
    last_status: nullable(Type.Integer()),
    head: Head,
  }),
  'destination.enabled': Type.Object({
    destination_id: Type.String(),
    ...scoped,
    /** The position at which `resume_from: "now"` continues. Null means where it stopped. */
    resumed_at: nullable(Head),
  }),
  'destination.deleted': Type.Object({
    /** Null if the destination was deleted for good. */
    recoverable_until: nullable(Moment),
  }),
  'destination.restored': Type.Object({}),
};

export type DestinationFact = FactOf<typeof destinationEvents>;
