import {
  type EventCatalogue,
  type EventSchema,
  restorePersonal,
} from '../../event-store/catalogue';
import { hashEmail } from '../../event-store/email-hash';
import type { EventMetadata } from '../../event-store/stored-event';
import { DomainError } from '../../kernel/errors';
import type { Json, JsonObject } from '../../kernel/json';
import type { StreamOwner } from '../../event-store/streams';
import type { Personal, Vault } from '../../event-store/vault';
import type { SchemaVersions } from './schema-versions';

/** The amount of personal data that a receiver sees (specification, "PII modes"; D-64; T2). */
export const PII_MODES = ['full', 'hashed_only', 'minimal'] as const;
export type PiiMode = (typeof PII_MODES)[number];

/** The source of an envelope: an event of a subscriber's stream, from the log or from a row. */
export interface Deliverable {
  readonly id: string;
  readonly type: string;
  readonly owner: StreamOwner;
  /** Revision in the subscriber's stream. */
  readonly revision: number;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
  /** Personal values of a fixture event, which has no subscriber and so no data key. */
  readonly personal?: Personal;
}

/** The options of a rendering. */
export interface RenderOptions {
  readonly mode: PiiMode;
  /**
   * The schema version that the destination pins; null = the version in which the event was stored.
   */
  readonly version: string | null;
}

export interface RenderedEvent {
  readonly envelope: JsonObject;
  /** The schema version of the envelope. The minimal envelope has no field for it (T2). */
  readonly version: string;
  /**
   * True if the person was erased. An earlier rendering of the same event may have shown more (T9).
   */
  readonly isErased: boolean;
}

const STRICTNESS: Readonly<Record<PiiMode, number>> = { full: 0, hashed_only: 1, minimal: 2 };

/** Returns the mode that shows less. */
export const chooseStricterMode = (a: PiiMode, b: PiiMode): PiiMode =>
  STRICTNESS[a] >= STRICTNESS[b] ? a : b;

/** The tenant's name in an event that was stored before events contained it. */
const NO_NAME = '';

/**
 * Renders events whose personal values are in memory. Pure. An event of a type without a schema is
 * refused, except in mode `minimal`, which shows nothing of its `data`.
 */
export class EnvelopeWriter {
  constructor(
    private readonly catalogue: EventCatalogue,
    private readonly versions: SchemaVersions,
  ) {}

  /** Renders an event for a destination. `personal` is null if the person was erased. */
  write(
    event: Deliverable,
    personal: Personal | null,
    { mode, version }: RenderOptions,
  ): RenderedEvent {
    const { metadata } = event;
    const isErased = personal === null;
    const wanted = this.versions.chooseVersion(metadata.schema, version);
    if (mode === 'minimal')
      return { envelope: createMinimalEnvelope(event), version: wanted, isErased };
    const stored = this.createEnvelope(event, mode, personal ?? ERASED_PERSONAL);
    return {
      envelope: this.convertToVersion(stored, metadata.schema, wanted),
      version: wanted,
      isErased,
    };
  }

  private convertToVersion(envelope: JsonObject, stored: string, wanted: string): JsonObject {
    if (wanted === stored) return envelope;
    const converted = this.versions.convert(envelope, stored, wanted);
    return { ...converted, schema_version: wanted };
  }

  private createEnvelope(
    event: Deliverable,
    mode: 'full' | 'hashed_only',
    personal: Personal,
  ): JsonObject {
    const { metadata, owner } = event;
    const { subscriber, subscription } = metadata;
    const { id, name } = metadata.tenant ?? { id: owner.scope.tenantId, name: NO_NAME };
    return {
      id: event.id,
      type: event.type,
      schema_version: metadata.schema,
      created_at: metadata.at,
      tenant: { id, name },
      subscriber: {
        id: owner.subscriberId,
        ...(mode === 'full' ? { email: personal.email } : {}),
        email_hashed: hashEmail(personal.email),
        created_at: subscriber?.created_at ?? metadata.at,
      },
      ...(subscription === undefined ? {} : { subscription }),
      data: this.createData(event, mode, personal),
      environment: owner.scope.environment,
      sequence: event.revision + 1,
      ...(typeof subscriber?.['test_clock'] === 'string'
        ? { test_clock_id: subscriber['test_clock'] }
        : {}),
    };
  }

  private createData(event: Deliverable, mode: 'full' | 'hashed_only', personal: Personal): Json {
    const schema = this.catalogue.findSchema(event.type);
    // Without the schema nothing says which fields a receiver may see.
    if (schema === undefined) throw new UnknownEventType(event.type);
    // Stored data has null in the place of personal values, and the other modes show it so. In mode
    // full they are put back before unpublished fields are removed, because they may be inside of
    // them.
    const data =
      mode === 'full' && personal !== ERASED_PERSONAL
        ? restorePersonal(event.data, personal.fields)
        : // An older event may contain a field openly that was marked as personal later.
          this.catalogue.splitPersonal(event.type, event.data).data;
    const shown = this.catalogue.removeUnpublished(event.type, data);
    return mode === 'full' ? shown : removeEmails(schema, shown);
  }
}

/** Renders events. The order of fields is fixed, so the same event always gives the same bytes. */
export class Renderer {
  private readonly writer: EnvelopeWriter;

  constructor(
    catalogue: EventCatalogue,
    private readonly vault: Vault,
    versions: SchemaVersions,
  ) {
    this.writer = new EnvelopeWriter(catalogue, versions);
  }

  /** Renders an event in the version in which it was stored. */
  async renderAsStored(event: Deliverable, mode: PiiMode): Promise<JsonObject> {
    return (await this.renderAs(event, { mode, version: null })).envelope;
  }

  /** Renders an event as a destination is to see it. */
  async renderAs(event: Deliverable, shape: RenderOptions): Promise<RenderedEvent> {
    const { owner, metadata } = event;
    const personal = event.personal ?? (await this.vault.open(owner.subscriberId, metadata.sealed));
    return this.writer.write(event, personal, shape);
  }
}

const ERASED_PERSONAL: Personal = { email: null, fields: [] };

/**
 * The refusal to render an event of a type that this version does not know: a later version stored
 * it, which runs beside this one during an upgrade or ran before a return to this version. Its
 * delivery waits, and a process of the later version makes it in full.
 */
export class UnknownEventType extends DomainError {
  constructor(type: string) {
    super(
      'service_unavailable',
      `A later version of the service stored an event of the type ${type}, which this version does ` +
        'not know. Repeat the request when the later version runs.',
    );
  }
}

/** Creates the minimal envelope, which has a structure of its own (T2). */
const createMinimalEnvelope = ({ id, type, metadata, owner }: Deliverable): JsonObject => ({
  id,
  type,
  created_at: metadata.at,
  subscriber: { id: owner.subscriberId },
  ...(metadata.subscription === undefined
    ? {}
    : { subscription: { id: metadata.subscription.id } }),
});

/**
 * Removes e-mail addresses at every depth (D-64). `previous` contains the values that an update
 * replaced.
 */
const removeEmails = ({ properties }: EventSchema, data: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => {
      const schema = properties?.[name];
      if (schema?.pii === 'email') return [];
      return [[name, schema?.properties && isObject(value) ? removeEmails(schema, value) : value]];
    }),
  );

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
