import { SCHEMA_VERSION } from '../../event-store/aggregates';
import type { JsonObject } from '../../kernel/json';
import { DomainError } from '../../kernel/errors';

/** A version of the whole catalogue (D-65). Additive changes keep it, breaking ones make the next. */
export interface SchemaVersion {
  /** `v1`, `v2` … */
  readonly name: string;
  /**
   * From an envelope of this version to the one before; the first version has none. The envelope's
   * `schema_version` is set by the caller.
   */
  readonly down?: (envelope: JsonObject) => JsonObject;
}

/**
 * The versions events can be rendered in, oldest first. Stored events are never rewritten: an event
 * is rendered in the version it was stored in, or converted down to the one a destination pins.
 */
export class SchemaVersions {
  constructor(private readonly versions: readonly SchemaVersion[]) {}

  /** The version of events stored today: what a destination without a pin follows. */
  get current(): string {
    return this.versions.at(-1)?.name ?? SCHEMA_VERSION;
  }

  names(): string[] {
    return this.versions.map(({ name }) => name);
  }

  /** Refuses a version there is not. */
  require(name: string, param: string): void {
    if (this.versions.some((version) => version.name === name)) return;
    throw new DomainError('parameter_invalid', 'There is no such schema version.', {
      param,
      details: { versions: this.names() },
    });
  }

  /** What an event stored in a version is rendered in for a pin: never a later one than its own. */
  effective(stored: string, pinned: string | null): string {
    const name = pinned ?? this.current;
    return this.indexOf(name) < this.indexOf(stored) ? name : stored;
  }

  /** An envelope of the version `from`, converted step by step down to `to`. */
  convert(envelope: JsonObject, from: string, to: string): JsonObject {
    return this.versions
      .slice(this.indexOf(to) + 1, this.indexOf(from) + 1)
      .reduceRight<JsonObject>((converted, { down }) => down?.(converted) ?? converted, envelope);
  }

  private indexOf(name: string): number {
    const index = this.versions.findIndex((version) => version.name === name);
    if (index < 0) throw new Error(`no schema version ${name}`);
    return index;
  }
}

/** Every version there is so far. A breaking change adds one, with its way down. */
export const SCHEMA_VERSIONS = new SchemaVersions([{ name: SCHEMA_VERSION }]);
