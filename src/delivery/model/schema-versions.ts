import { SCHEMA_VERSION } from '../../event-store/stored-event';
import type { JsonObject } from '../../kernel/json';
import { DomainError } from '../../kernel/errors';

/**
 * A version of the whole catalogue (D-65). Additive changes keep the version; a breaking change
 * makes a new one.
 */
export interface SchemaVersion {
  /** `v1`, `v2` … */
  readonly name: string;
  /**
   * Converts an envelope of this version to the previous version; the first version has none. The
   * caller sets the envelope's `schema_version`.
   */
  readonly down?: (envelope: JsonObject) => JsonObject;
}

/**
 * The versions in which events can be rendered, oldest first. Stored events are never rewritten. An
 * event is rendered in the version in which it was stored, or converted down to the version that a
 * destination pins.
 */
export class SchemaVersions {
  constructor(private readonly versions: readonly SchemaVersion[]) {}

  /**
   * The version in which events are stored today. A destination without a pinned version follows
   * it.
   */
  get current(): string {
    return this.versions.at(-1)?.name ?? SCHEMA_VERSION;
  }

  names(): string[] {
    return this.versions.map(({ name }) => name);
  }

  /** Throws if there is no such version. */
  requireKnown(name: string, param: string): void {
    if (this.versions.some((version) => version.name === name)) return;
    throw new DomainError(
      'parameter_invalid',
      `${param} must be one of ${this.names().join(', ')}.`,
      {
        param,
        details: { versions: this.names() },
      },
    );
  }

  /**
   * Returns the version in which to render an event: the pinned one, but never a later one than
   * that in which it was stored.
   */
  chooseVersion(stored: string, pinned: string | null): string {
    const name = pinned ?? this.current;
    return this.indexOf(name) < this.indexOf(stored) ? name : stored;
  }

  /** Converts an envelope of the version `from` step by step down to `to`. */
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

/** All versions. A breaking change adds one, with its conversion down. */
export const SCHEMA_VERSIONS = new SchemaVersions([{ name: SCHEMA_VERSION }]);
