import type { Entropy } from './ids';
import type { Instant } from './time';

export const ENVIRONMENTS = ['live', 'test'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/**
 * The data of a tenant in one environment. Test and live data are always separate: every name and
 * row contains both parts.
 */
export interface Scope {
  readonly tenantId: string;
  readonly environment: Environment;
}

/** `<tenant>.<environment>`: the category of its streams and the `scope` column of its rows. */
export const scopeName = ({ tenantId, environment }: Scope): string => `${tenantId}.${environment}`;

/** Parses the result of `scopeName`. */
export const parseScope = (name: string): Scope => {
  const [tenantId = '', environment] = name.split('.');
  return { tenantId, environment: environment === 'live' ? 'live' : 'test' };
};

/** The origin of a fact as events show it. */
export type Actor = 'api' | 'dashboard' | 'system' | 'motion' | 'provider';

/**
 * The originator of an action in the audit log: a key, an operator's token, a member, or the
 * service itself.
 */
export interface Originator {
  readonly type: 'api_key' | 'operator' | 'member' | 'system';
  /** The id; for the service itself the part of it that acted. */
  readonly id: string;
  readonly name: string;
}

/**
 * The origin of an append: its originator, address and request. It contains nothing personal of a
 * subscriber.
 */
export interface Origin {
  readonly by: Originator;
  readonly request_id?: string;
  readonly address?: string;
  /** The W3C trace context of the request, from its client or created for it. */
  readonly traceparent?: string;
  /** The tenant, or `<tenant>.<environment>`, that the request concerned. */
  readonly within?: string;
  /**
   * The event types, or families such as `subscription.*`, by which the audit log shows the request.
   * Its other events are by-products. Undefined: the first event of each command is shown.
   */
  readonly shown_by?: readonly string[];
}

/** Creates the origin of an action of the service itself; `part` names the part that acted. */
export const createSystemOrigin = (part: string): Origin => ({
  by: { type: 'system', id: part, name: part },
});

/** The import of an imported event, and whether destinations receive it. */
export interface ImportMark {
  readonly id: string;
  readonly deliver: boolean;
}

/** The context of a command: everything besides its own fields. */
export interface CommandContext {
  /**
   * Id of the command, derived from the Idempotency-Key if one is given. Event ids are derived from
   * it.
   */
  readonly commandId: string;
  readonly now: Instant;
  readonly actor: Actor;
  /** Origin of the command; undefined if the service acted by itself. */
  readonly origin?: Origin;
  /** Random bytes, the same for a repetition of the command. They must not be used for secrets. */
  readonly entropy: Entropy;
  /** True if an earlier run of the same command may have been interrupted after its append. */
  readonly resumed: boolean;
  /** Set for imported history. Every event then says whether it may be delivered. */
  readonly imported?: ImportMark;
  /**
   * True if the stream is most likely new, so that the decision is tried before the stream is read.
   */
  readonly assumesNew?: boolean;
  /**
   * The sequence that the caller saw (`If-Match`). If it differs, the command fails with
   * `version_conflict`.
   */
  readonly expectedSequence?: number;
  /** Called with the position of each append, so that a later read can wait for its projection. */
  readonly wrote: (position: bigint) => void;
}

/** A command on a tenant's data. */
export interface TenantContext extends CommandContext {
  readonly scope: Scope;
  readonly tenant: { readonly id: string; readonly name: string };
}
