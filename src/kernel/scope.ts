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
