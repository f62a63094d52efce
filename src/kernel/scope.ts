import type { Entropy } from './ids';
import type { Instant } from './time';

export type Environment = 'live' | 'test';

/** A tenant's data in one environment. Test and live never meet: every name and row carries both. */
export interface Scope {
  readonly tenantId: string;
  readonly environment: Environment;
}

/** `<tenant>.<environment>`: the category of its streams and the `scope` column of its rows. */
export const scopeName = ({ tenantId, environment }: Scope): string => `${tenantId}.${environment}`;

/** Reads what `scopeName` wrote. */
export const parseScope = (name: string): Scope => {
  const [tenantId = '', environment] = name.split('.');
  return { tenantId, environment: environment === 'live' ? 'live' : 'test' };
};

/** Who made a fact happen (decisions 1.8). */
export type Actor = 'api' | 'dashboard' | 'system' | 'motion' | 'provider';

/** Who did something, for the audit log: a key, an operator's token, a member, or the service itself. */
export interface Doer {
  readonly type: 'api_key' | 'operator' | 'member' | 'system';
  /** Of the service itself: the part of it that acted. */
  readonly id: string;
  readonly name: string;
}

/** Who caused an append, from where and in which request. Nothing personal of a subscriber is in it. */
export interface Origin {
  readonly by: Doer;
  readonly request_id?: string;
  readonly address?: string;
  /** The W3C trace context of the request, as its client sent it or as it was made for it. */
  readonly traceparent?: string;
  /** The tenant, or `<tenant>.<environment>`, that the request was about. */
  readonly within?: string;
}

/** What the service does by itself; `part` says what caused it. */
export const causedBySystem = (part: string): Origin => ({
  by: { type: 'system', id: part, name: part },
});

/** Where an imported event came from, and whether destinations receive it. */
export interface ImportMark {
  readonly id: string;
  readonly deliver: boolean;
}

/** Everything a command brings along beside its own fields. */
export interface CommandContext {
  /** Derived from the Idempotency-Key where one is given; event ids derive from it. */
  readonly commandId: string;
  readonly now: Instant;
  readonly actor: Actor;
  /** Who asked for it; without it the service acted by itself. */
  readonly origin?: Origin;
  /** Random bytes that a repeated command draws again. Not for secrets. */
  readonly entropy: Entropy;
  /** True when an earlier run of the same command may have been cut off after its append. */
  readonly resumed: boolean;
  /** Set where history is brought in; what must not be delivered says so in every event. */
  readonly imported?: ImportMark;
  /** The stream is most likely new: the decision is tried before the stream is read. */
  readonly assumesNew?: boolean;
  /** The sequence the caller saw (`If-Match`); another one is a `version_conflict`. */
  readonly expectedSequence?: number;
  /** Told about each append, so that a read that follows can wait for its projection. */
  readonly wrote: (position: bigint) => void;
}

/** A command on a tenant's data. */
export interface TenantContext extends CommandContext {
  readonly scope: Scope;
  readonly tenant: { readonly id: string; readonly name: string };
}
