import { type Dated, type Decider, unreachable } from '../../kernel/decider';
import { DomainError, notFound } from '../../kernel/errors';
import type { Environment, Scope } from '../../kernel/scope';
import { earlier, type Instant, plusDays, plusMs, HOUR_MS } from '../../kernel/time';
import type { DestinationFact, DisabledReason, TraceHeaders } from './destination.events';

/** Specification, "Limits". */
export const SECRET_OVERLAP_MS = 24 * HOUR_MS;
export const RECOVERABLE_DAYS = 30;

type DataOf<T extends DestinationFact['type']> = Extract<DestinationFact, { type: T }>['data'];
type Registered = DataOf<'destination.registered'>;
export type DestinationSettings = DataOf<'destination.updated'>;
type Secret = NonNullable<Registered['secret']>;
type Head = DataOf<'destination.disabled'>['head'];

/** Events of the category that `resume_from: "now"` skipped: from (inclusive) to (exclusive). */
export interface Gap {
  readonly from: Head;
  readonly to: Head;
}

/** How events were rendered from an instant on: what a replay may not loosen (T9). */
interface Rendering {
  readonly from: Instant;
  readonly pii_mode: DestinationSettings['pii_mode'];
  readonly schema_version: string | null;
}

export interface KnownDestination extends DestinationSettings {
  readonly lifecycle: 'known';
  readonly id: string;
  readonly type: Registered['type'];
  readonly scope: Scope;
  readonly trace_headers: TraceHeaders;
  /** All there ever were, newest first; which are valid is a matter of time. */
  readonly secrets: readonly Secret[];
  /** Newest first. */
  readonly renderings: readonly Rendering[];
  readonly disabled: {
    readonly reason: DisabledReason;
    readonly at: Instant;
    readonly head: Head;
  } | null;
  readonly deleted: { readonly at: Instant; readonly recoverableUntil: Instant } | null;
  /** The last warning about failure. */
  readonly warned: { readonly since: Instant; readonly hours: number } | null;
  readonly gaps: readonly Gap[];
  readonly start_revision: number;
  readonly created_at: Instant;
  /** When it was registered, enabled or restored, whichever came last. */
  readonly active_since: Instant;
}

export type Destination =
  | { readonly lifecycle: 'absent' }
  /** Deleted for good; its group is still to be removed. */
  | { readonly lifecycle: 'purged'; readonly id: string; readonly scope: Scope }
  | KnownDestination;

export type DestinationStatus = 'active' | 'disabled' | 'deleted';

export const statusOf = ({ deleted, disabled }: KnownDestination): DestinationStatus =>
  deleted !== null ? 'deleted' : disabled !== null ? 'disabled' : 'active';

export const destinationAggregate: Decider<Destination, DestinationFact> = {
  initialState: () => ({ lifecycle: 'absent' }),
  evolve: (destination, fact) => {
    if (fact.type === 'destination.registered') return registered(fact);
    if (destination.lifecycle !== 'known') return destination;
    switch (fact.type) {
      case 'destination.updated':
        return {
          ...destination,
          ...fact.data,
          renderings: [renderingOf(fact.data, fact.at), ...destination.renderings],
        };
      case 'destination.secret_rotated':
        return { ...destination, secrets: rotated(destination.secrets, fact) };
      case 'destination.secrets_rewrapped':
        return { ...destination, secrets: rewrapped(destination.secrets, fact.data) };
      case 'destination.failing':
        return { ...destination, warned: { since: fact.data.since, hours: fact.data.hours } };
      case 'destination.disabled':
        return {
          ...destination,
          disabled: { reason: fact.data.reason, at: fact.at, head: fact.data.head },
        };
      case 'destination.enabled':
        return {
          ...destination,
          disabled: null,
          warned: null,
          active_since: fact.at,
          gaps: [...destination.gaps, ...gapOf(destination, fact.data.resumed_at)],
        };
      case 'destination.deleted':
        return fact.data.recoverable_until === null
          ? { lifecycle: 'purged', id: destination.id, scope: destination.scope }
          : {
              ...destination,
              deleted: { at: fact.at, recoverableUntil: fact.data.recoverable_until },
            };
      case 'destination.restored':
        return { ...destination, deleted: null, active_since: fact.at };
      default:
        return unreachable(fact);
    }
  },
};

const registered = ({
  data,
  at,
}: Dated<Extract<DestinationFact, { type: 'destination.registered' }>>): KnownDestination => {
  const { tenant_id: tenantId, environment, secret, ...rest } = data;
  return {
    ...rest,
    trace_headers: rest.trace_headers ?? 'on',
    lifecycle: 'known',
    scope: { tenantId, environment },
    secrets: secret === null ? [] : [secret],
    renderings: [renderingOf(data, at)],
    disabled: null,
    deleted: null,
    warned: null,
    gaps: [],
    created_at: at,
    active_since: at,
  };
};

const renderingOf = (
  { pii_mode, schema_version }: DestinationSettings,
  from: Instant,
): Rendering => ({ from, pii_mode, schema_version });

/** The current one ends after the overlap, any older one now: at most two are valid at a time. */
const rotated = (
  [current, ...older]: readonly Secret[],
  { data, at }: { readonly data: DataOf<'destination.secret_rotated'>; readonly at: Instant },
): readonly Secret[] => [
  data.secret,
  ...(current === undefined ? [] : [{ ...current, expires_at: data.previous_expires_at }]),
  ...older.map((secret) => ({ ...secret, expires_at: earlier(secret.expires_at ?? at, at) })),
];

const rewrapped = (
  secrets: readonly Secret[],
  { secrets: found }: DataOf<'destination.secrets_rewrapped'>,
): readonly Secret[] =>
  secrets.map((secret) => ({
    ...secret,
    wrapped: found.find(({ id }) => id === secret.id)?.wrapped ?? secret.wrapped,
  }));

/** Puts secrets under the current master key; `rewrap` answers null for one that is. */
export const rewrapSecrets =
  (rewrap: (wrapped: string) => string | null) =>
  (destination: Destination): DestinationFact[] => {
    if (destination.lifecycle !== 'known') return [];
    const secrets = destination.secrets.flatMap(({ id, wrapped }) => {
      const text = rewrap(wrapped);
      return text === null ? [] : [{ id, wrapped: text }];
    });
    return secrets.length === 0
      ? []
      : [{ type: 'destination.secrets_rewrapped', data: { secrets } }];
  };

const gapOf = ({ disabled }: KnownDestination, resumedAt: Head | null): Gap[] =>
  disabled === null || resumedAt === null ? [] : [{ from: disabled.head, to: resumedAt }];

export const register =
  (data: Registered) =>
  (destination: Destination): DestinationFact[] =>
    destination.lifecycle === 'absent' ? [{ type: 'destination.registered', data }] : [];

/** Changed settings; what stays the same decides nothing. */
export const update =
  (changes: Partial<DestinationSettings>) =>
  (destination: KnownDestination): DestinationFact[] => {
    requireUndeleted(destination);
    const before = settingsOf(destination);
    const next = { ...before, ...changes };
    return JSON.stringify(before) === JSON.stringify(next)
      ? []
      : [{ type: 'destination.updated', data: next }];
  };

const settingsOf = (destination: KnownDestination): DestinationSettings => ({
  url: destination.url,
  mail: destination.mail,
  event_types: destination.event_types,
  pii_mode: destination.pii_mode,
  schema_version: destination.schema_version,
  description: destination.description,
  max_in_flight: destination.max_in_flight,
  rate_limit_per_second: destination.rate_limit_per_second,
  ordering: destination.ordering,
  trace_headers: destination.trace_headers,
});

export const rotateSecret =
  (secret: Secret, now: Instant) =>
  (destination: KnownDestination): DestinationFact[] => {
    requireUndeleted(destination);
    if (destination.type !== 'https_webhook') {
      throw new DomainError(
        'invalid_state_transition',
        'An e-mail destination has no signing secret.',
        { details: { type: destination.type } },
      );
    }
    const previous_expires_at = plusMs(now, SECRET_OVERLAP_MS);
    return [{ type: 'destination.secret_rotated', data: { secret, previous_expires_at } }];
  };

const scopedOf = ({ id, scope }: KnownDestination) => ({
  destination_id: id,
  tenant_id: scope.tenantId,
  environment: scope.environment satisfies Environment,
});

interface Disabling {
  readonly reason: DisabledReason;
  readonly head: Head;
  /** First failure and last answer, where failure is the reason. */
  readonly since?: Instant | null;
  readonly lastStatus?: number | null;
}

export const disable =
  ({ reason, head, since = null, lastStatus = null }: Disabling) =>
  (destination: KnownDestination): DestinationFact[] =>
    destination.disabled !== null
      ? []
      : [
          {
            type: 'destination.disabled',
            data: { ...scopedOf(destination), reason, since, last_status: lastStatus, head },
          },
        ];

/** Continues where it stopped, or, given where the log ends now, there. */
export const enable =
  (resumedAt: Head | null) =>
  (destination: KnownDestination): DestinationFact[] =>
    destination.disabled === null
      ? []
      : [
          {
            type: 'destination.enabled',
            data: { ...scopedOf(destination), resumed_at: resumedAt },
          },
        ];

interface Warning {
  readonly since: Instant;
  readonly hours: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
}

/** Each warning once for each outage, however many processes notice it. */
export const warn =
  ({ since, hours, lastStatus, lastError }: Warning) =>
  (destination: KnownDestination): DestinationFact[] => {
    const { warned } = destination;
    const known = warned !== null && warned.since === since && warned.hours >= hours;
    if (known || statusOf(destination) !== 'active') return [];
    const last = { last_status: lastStatus, last_error: lastError };
    return [
      { type: 'destination.failing', data: { ...scopedOf(destination), since, hours, ...last } },
    ];
  };

/** Soft: recoverable for 30 days. A second soft delete changes nothing; force works in any state. */
export const remove =
  ({ force, now }: { readonly force: boolean; readonly now: Instant }) =>
  (destination: KnownDestination): DestinationFact[] => {
    if (!force && destination.deleted !== null) return [];
    const recoverable_until = force ? null : plusDays(now, RECOVERABLE_DAYS);
    return [{ type: 'destination.deleted', data: { recoverable_until } }];
  };

export const restore =
  () =>
  (destination: KnownDestination): DestinationFact[] =>
    destination.deleted === null ? [] : [{ type: 'destination.restored', data: {} }];

/** Refuses work on a soft-deleted destination. */
export const requireUndeleted = ({ deleted }: KnownDestination): void => {
  if (deleted === null) return;
  throw new DomainError('destination_deleted', 'The destination was deleted. Restore it first.');
};

/** Refuses what needs a destination that receives deliveries. */
export const requireActive = (destination: KnownDestination): void => {
  requireUndeleted(destination);
  if (destination.disabled === null) return;
  throw new DomainError('destination_disabled', 'The destination is disabled.', {
    details: { disabled_reason: destination.disabled.reason },
  });
};

/** Whether it can still be seen: deleted for good, or not restored in time, it is gone. */
export const isGone = (destination: Destination, now: Instant): boolean =>
  destination.lifecycle !== 'known' ||
  (destination.deleted !== null && destination.deleted.recoverableUntil <= now);

export const requireDestination = (
  destination: Destination | undefined,
  now: Instant,
  param = 'destinationId',
): KnownDestination => {
  if (destination?.lifecycle === 'known' && !isGone(destination, now)) return destination;
  throw notFound('destination', param);
};
