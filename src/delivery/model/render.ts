import { type EventCatalogue, type EventSchema, join } from '../../event-store/catalogue';
import { hashEmail } from '../../event-store/email-hash';
import type { EventMetadata } from '../../event-store/stored-event';
import type { Json, JsonObject } from '../../kernel/json';
import type { StreamOwner } from '../../event-store/streams';
import type { Personal, Vault } from '../../event-store/vault';
import type { SchemaVersions } from './schema-versions';

/** How much of a person a receiver may see (specification, "PII modes"; D-64; T2). */
export const PII_MODES = ['full', 'hashed_only', 'minimal'] as const;
export type PiiMode = (typeof PII_MODES)[number];

/** What an envelope is made from: an event of a subscriber's stream, from the log or a row. */
export interface Deliverable {
  readonly id: string;
  readonly type: string;
  readonly owner: StreamOwner;
  /** Revision in the subscriber's stream. */
  readonly revision: number;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
  /** Personal values of a fixture, which has no subscriber and so no vault. */
  readonly personal?: Personal;
}

/** How an envelope is to be shown. */
export interface Shape {
  readonly mode: PiiMode;
  /** The schema version a destination pins; null = the version the event was stored in. */
  readonly version: string | null;
}

export interface Rendered {
  readonly envelope: JsonObject;
  /** The schema version it is in; the minimal envelope has no field for it (T2). */
  readonly version: string;
  /** The person was erased: an earlier rendering of the same event may have said more (T9). */
  readonly forgotten: boolean;
}

const STRICTNESS: Readonly<Record<PiiMode, number>> = { full: 0, hashed_only: 1, minimal: 2 };

/** The mode that shows less. */
export const stricter = (a: PiiMode, b: PiiMode): PiiMode =>
  STRICTNESS[a] >= STRICTNESS[b] ? a : b;

/** Makes envelopes of events whose personal values are at hand. Pure. */
export class EnvelopeWriter {
  constructor(
    private readonly catalogue: EventCatalogue,
    private readonly versions: SchemaVersions,
  ) {}

  /** The envelope as a destination is to see it; `personal` is null where the person was erased. */
  write(event: Deliverable, personal: Personal | null, { mode, version }: Shape): Rendered {
    const { metadata } = event;
    const forgotten = personal === null;
    const wanted = this.versions.effective(metadata.schema, version);
    if (mode === 'minimal') return { envelope: minimal(event), version: wanted, forgotten };
    const stored = this.envelope(event, mode, personal ?? FORGOTTEN);
    return {
      envelope: this.inVersion(stored, metadata.schema, wanted),
      version: wanted,
      forgotten,
    };
  }

  private inVersion(envelope: JsonObject, stored: string, wanted: string): JsonObject {
    if (wanted === stored) return envelope;
    const converted = this.versions.convert(envelope, stored, wanted);
    return { ...converted, schema_version: wanted };
  }

  private envelope(
    event: Deliverable,
    mode: 'full' | 'hashed_only',
    personal: Personal,
  ): JsonObject {
    const { metadata, owner } = event;
    const { subscriber, subscription, tenant } = metadata;
    return {
      id: event.id,
      type: event.type,
      schema_version: metadata.schema,
      created_at: metadata.at,
      tenant: { id: tenant?.id ?? owner.scope.tenantId, name: tenant?.name ?? '' },
      subscriber: {
        id: owner.subscriberId,
        ...(mode === 'full' ? { email: personal.email } : {}),
        email_hashed: hashEmail(personal.email),
        created_at: subscriber?.created_at ?? metadata.at,
      },
      ...(subscription === undefined ? {} : { subscription }),
      data: this.data(event, mode, personal),
      environment: owner.scope.environment,
      sequence: event.revision + 1,
      ...(typeof subscriber?.['test_clock'] === 'string'
        ? { test_clock_id: subscriber['test_clock'] }
        : {}),
    };
  }

  private data(event: Deliverable, mode: 'full' | 'hashed_only', personal: Personal): Json {
    const schema = this.catalogue.schema(event.type) ?? {};
    // Stored data has null where personal values were: that is what other modes show. They are put
    // back before what is not published is left out, for they may stand inside of it.
    const data =
      mode === 'full' && personal !== FORGOTTEN
        ? join(event.data, personal.fields)
        : // A field that was marked as personal later may still be open in an older event.
          this.catalogue.split(event.type, event.data).data;
    const shown = this.catalogue.published(event.type, data);
    return mode === 'full' ? shown : withoutEmails(schema, shown);
  }
}

/** Makes envelopes. The order of fields is fixed: the same event always gives the same bytes. */
export class Renderer {
  private readonly writer: EnvelopeWriter;

  constructor(
    catalogue: EventCatalogue,
    private readonly vault: Vault,
    versions: SchemaVersions,
  ) {
    this.writer = new EnvelopeWriter(catalogue, versions);
  }

  /** The envelope in the version the event was stored in. */
  async render(event: Deliverable, mode: PiiMode): Promise<JsonObject> {
    return (await this.shape(event, { mode, version: null })).envelope;
  }

  /** The envelope as a destination is to see it. */
  async shape(event: Deliverable, shape: Shape): Promise<Rendered> {
    const { owner, metadata } = event;
    const personal = event.personal ?? (await this.vault.open(owner.subscriberId, metadata.sealed));
    return this.writer.write(event, personal, shape);
  }
}

const FORGOTTEN: Personal = { email: null, fields: [] };

/** T2: the minimal envelope is a shape of its own. */
const minimal = ({ id, type, metadata, owner }: Deliverable): JsonObject => ({
  id,
  type,
  created_at: metadata.at,
  subscriber: { id: owner.subscriberId },
  ...(metadata.subscription === undefined
    ? {}
    : { subscription: { id: metadata.subscription.id } }),
});

/** D-64: an e-mail is left out, however deep it stands (`previous` has what an update replaced). */
const withoutEmails = ({ properties }: EventSchema, data: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => {
      const schema = properties?.[name];
      if (schema?.pii === 'email') return [];
      return [[name, schema?.properties && isObject(value) ? withoutEmails(schema, value) : value]];
    }),
  );

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
