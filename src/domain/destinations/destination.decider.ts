import { type Dated, type Decider, unreachable } from '../../kernel/decider';
import { DomainError, notFound } from '../../kernel/errors';
import type { Environment, Scope } from '../../kernel/scope';
import { earlier, type Instant, plusDays } from '../../kernel/time';
import {
  type DestinationTarget,
  findKind,
  readStoredTarget,
  toStoredTarget,
} from './destination-kinds';
import type { DestinationFact, DisabledReason, TraceHeaders } from './destination.events';

/** Limits of the specification (section "Limits"). */
export const SECRET_OVERLAP_HOURS = 24;
export const RECOVERABLE_DAYS = 30;

type DataOf<T extends DestinationFact['type']> = Extract<DestinationFact, { type: T }>['data'];
type Registered = DataOf<'destination.registered'>;
type StoredSettings = DataOf<'destination.updated'>;
type CommonSettings = Omit<StoredSettings, 'url' | 'mail' | 'target'>;

/** The settings that a registration states and a change can replace. */
export interface DestinationSettings extends CommonSettings {
  readonly target: DestinationTarget;
}

/** The facts of a registration. */
export interface Registration extends DestinationSettings {
  readonly id: string;
  readonly scope: Scope;
  /** Null for a kind that signs nothing. */
  readonly secret: Secret | null;
  readonly start_revision: number;
}

type Secret = NonNullable<Registered['secret']>;
type LogHead = DataOf<'destination.disabled'>['head'];

/**
 * Events of the category that `resume_from: "now"` skipped. `from` is inclusive, `to` exclusive.
 */
export interface Gap {
  readonly from: LogHead;
  readonly to: LogHead;
}

/** The rendering of events from an instant on. A replay must not reveal more than it did (T9). */
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
  /** All secrets, newest first. Their validity depends on the time. */
  readonly secrets: readonly Secret[];
  /** The newest rendering comes first. */
  readonly renderings: readonly Rendering[];
  readonly disabled: {
    readonly reason: DisabledReason;
    readonly at: Instant;
    readonly head: LogHead;
  } | null;
  readonly deleted: { readonly at: Instant; readonly recoverableUntil: Instant } | null;
  /** The last warning that the destination is failing. */
  readonly warned: { readonly since: Instant; readonly hours: number } | null;
  readonly gaps: readonly Gap[];
  readonly start_revision: number;
  readonly created_at: Instant;
  /** The time of the last registration, enabling or restoration. */
  readonly active_since: Instant;
}

export type Destination =
  | { readonly lifecycle: 'absent' }
  /** Deleted for good. Its consumer group is still to be removed. */
  | { readonly lifecycle: 'purged'; readonly id: string; readonly scope: Scope }
  | KnownDestination;

export const DESTINATION_STATUSES = ['active', 'disabled', 'deleted'] as const;
export type DestinationStatus = (typeof DESTINATION_STATUSES)[number];

export const getStatus = ({ deleted, disabled }: KnownDestination): DestinationStatus =>
  deleted !== null ? 'deleted' : disabled !== null ? 'disabled' : 'active';

export const destinationAggregate: Decider<Destination, DestinationFact> = {
  initialState: () => ({ lifecycle: 'absent' }),
  evolve: (destination, fact) => {
    if (fact.type === 'destination.registered') return applyRegistered(fact);
    if (destination.lifecycle !== 'known') return destination;
    switch (fact.type) {
      case 'destination.updated':
        return {
          ...destination,
          ...readSettings(fact.data),
          renderings: [toRendering(fact.data, fact.at), ...destination.renderings],
        };
      case 'destination.secret_rotated':
        return { ...destination, secrets: addSecret(destination.secrets, fact) };
      case 'destination.secrets_rewrapped':
        return { ...destination, secrets: replaceWrapped(destination.secrets, fact.data) };
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
          gaps: [...destination.gaps, ...createGaps(destination, fact.data.resumed_at)],
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

const applyRegistered = ({
  data,
  at,
}: Dated<Extract<DestinationFact, { type: 'destination.registered' }>>): KnownDestination => {
  const { tenant_id: tenantId, environment, secret, ...rest } = data;
  return {
    ...readSettings(rest),
    trace_headers: rest.trace_headers ?? 'on',
    lifecycle: 'known',
    scope: { tenantId, environment },
    secrets: secret === null ? [] : [secret],
    renderings: [toRendering(data, at)],
    disabled: null,
    deleted: null,
    warned: null,
    gaps: [],
    created_at: at,
    active_since: at,
  };
};

const readSettings = <Stored extends StoredSettings>({ url, mail, target, ...common }: Stored) => ({
  ...common,
  target: readStoredTarget({ url, mail, target }),
});

const toStored = ({ target, ...common }: DestinationSettings): StoredSettings => ({
  ...toStoredTarget(target),
  ...common,
});

const toRendering = ({ pii_mode, schema_version }: CommonSettings, from: Instant): Rendering => ({
  from,
  pii_mode,
  schema_version,
});

/**
 * Adds a secret. The current one ends after the overlap and older ones end now, so at most two are
 * valid.
 */
const addSecret = (
  [current, ...older]: readonly Secret[],
  { data, at }: { readonly data: DataOf<'destination.secret_rotated'>; readonly at: Instant },
): readonly Secret[] => [
  data.secret,
  ...(current === undefined ? [] : [{ ...current, expires_at: data.previous_expires_at }]),
  ...older.map((secret) => ({ ...secret, expires_at: earlier(secret.expires_at ?? at, at) })),
];

const replaceWrapped = (
  secrets: readonly Secret[],
  { secrets: found }: DataOf<'destination.secrets_rewrapped'>,
): readonly Secret[] =>
  secrets.map((secret) => ({
    ...secret,
    wrapped: found.find(({ id }) => id === secret.id)?.wrapped ?? secret.wrapped,
  }));

/** Wraps secrets with the current master key. `rewrap` returns null if a secret already uses it. */
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

const createGaps = ({ disabled }: KnownDestination, resumedAt: LogHead | null): Gap[] =>
  disabled === null || resumedAt === null ? [] : [{ from: disabled.head, to: resumedAt }];

export const registerDestination =
  ({ id, scope, secret, start_revision, ...settings }: Registration) =>
  (destination: Destination): DestinationFact[] => {
    if (destination.lifecycle !== 'absent') return [];
    const { tenantId: tenant_id, environment } = scope;
    const { type } = settings.target;
    const data = {
      ...toStored(settings),
      id,
      tenant_id,
      environment,
      type,
      start_revision,
      secret,
    };
    return [{ type: 'destination.registered', data }];
  };

/** Changes settings. If none of them differs, no event is added. */
export const changeDestination =
  (changes: Partial<DestinationSettings>) =>
  (destination: KnownDestination): DestinationFact[] => {
    requireUndeleted(destination);
    const before = getSettings(destination);
    const next = { ...before, ...changes };
    return JSON.stringify(before) === JSON.stringify(next)
      ? []
      : [{ type: 'destination.updated', data: toStored(next) }];
  };

const getSettings = (destination: KnownDestination): DestinationSettings => ({
  target: destination.target,
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
  (secret: Secret, previous_expires_at: Instant) =>
  (destination: KnownDestination): DestinationFact[] => {
    requireUndeleted(destination);
    const { label, isSigned } = findKind(destination.type);
    if (!isSigned) {
      throw new DomainError('invalid_state_transition', `${label} has no signing secret.`, {
        details: { type: destination.type },
      });
    }
    return [{ type: 'destination.secret_rotated', data: { secret, previous_expires_at } }];
  };

const toScopedData = ({ id, scope }: KnownDestination) => ({
  destination_id: id,
  tenant_id: scope.tenantId,
  environment: scope.environment satisfies Environment,
});

interface Disabling {
  readonly reason: DisabledReason;
  readonly head: LogHead;
  /** Time of the first failure and status of the last response, if failure is the reason. */
  readonly since?: Instant | null;
  readonly lastStatus?: number | null;
}

export const disableDestination =
  ({ reason, head, since = null, lastStatus = null }: Disabling) =>
  (destination: KnownDestination): DestinationFact[] =>
    destination.disabled !== null
      ? []
      : [
          {
            type: 'destination.disabled',
            data: { ...toScopedData(destination), reason, since, last_status: lastStatus, head },
          },
        ];

/** Enables the destination at the place where it stopped, or at `resumedAt`, the end of the log. */
export const enableDestination =
  (resumedAt: LogHead | null) =>
  (destination: KnownDestination): DestinationFact[] =>
    destination.disabled === null
      ? []
      : [
          {
            type: 'destination.enabled',
            data: { ...toScopedData(destination), resumed_at: resumedAt },
          },
        ];

interface Warning {
  readonly since: Instant;
  readonly hours: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
}

/** Warns once per level and outage, however many processes notice the outage. */
export const stateFailureWarning =
  ({ since, hours, lastStatus, lastError }: Warning) =>
  (destination: KnownDestination): DestinationFact[] => {
    const { warned } = destination;
    const known = warned !== null && warned.since === since && warned.hours >= hours;
    if (known || getStatus(destination) !== 'active') return [];
    const last = { last_status: lastStatus, last_error: lastError };
    return [
      {
        type: 'destination.failing',
        data: { ...toScopedData(destination), since, hours, ...last },
      },
    ];
  };

/**
 * Deletes softly: recoverable for 30 days, and a repeat changes nothing. `force` works in any
 * state.
 */
export const deleteDestination =
  ({ force, now }: { readonly force: boolean; readonly now: Instant }) =>
  (destination: KnownDestination): DestinationFact[] => {
    if (!force && destination.deleted !== null) return [];
    const recoverable_until = force ? null : plusDays(now, RECOVERABLE_DAYS);
    return [{ type: 'destination.deleted', data: { recoverable_until } }];
  };

export const restoreDestination =
  () =>
  (destination: KnownDestination): DestinationFact[] =>
    destination.deleted === null ? [] : [{ type: 'destination.restored', data: {} }];

/** Throws if the destination is soft-deleted. */
export const requireUndeleted = ({ deleted }: KnownDestination): void => {
  if (deleted === null) return;
  throw new DomainError(
    'destination_deleted',
    'The destination was deleted. Restore it first: POST …/restore.',
  );
};

/** Throws unless the destination receives deliveries. */
export const requireActive = (destination: KnownDestination): void => {
  requireUndeleted(destination);
  if (destination.disabled === null) return;
  throw new DomainError(
    'destination_disabled',
    'The destination is disabled. Enable it first: PATCH it with {"status":"active"}.',
    {
      details: { disabled_reason: destination.disabled.reason },
    },
  );
};

/** True if the destination was deleted for good, or was not restored in time. */
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
