import { requirePresent } from '../kernel/present';
import type { AllStreamRecordedEvent, RecordedEvent } from '@eventstore/db-client';
import type { SubscriberState, SubscriptionState } from '../kernel/aggregate';
import { toEventId } from '../kernel/ids';
import type { JsonObject } from '../kernel/json';
import type { Actor, ImportMark, Origin } from '../kernel/scope';
import type { Instant } from '../kernel/time';
import { parseOwner, type StreamOwner } from './streams';

/**
 * The schema version of all events stored today. There is one version for the whole catalogue
 * (D-65).
 */
export const SCHEMA_VERSION = 'v1';

/**
 * The metadata of an event. This is a storage format: fields may be added but never renamed.
 * Personal fields are in `sealed`, and `data` has null in their place.
 */
export interface EventMetadata {
  readonly schema: string;
  /**
   * The `created_at` of the envelope: the time of the fact, which is simulated under a test clock.
   */
  readonly at: Instant;
  readonly command: string;
  readonly actor?: Actor;
  /** The origin; absent in events from before the audit log existed. */
  readonly origin?: Origin;
  readonly subscription_id?: string;
  readonly tenant?: { readonly id: string; readonly name: string };
  readonly subscriber?: SubscriberState;
  readonly subscription?: SubscriptionState;
  readonly sealed?: string;
  /** Present in imported history. Such an event is delivered live only if `deliver` is true. */
  readonly import?: ImportMark;
}

/** An event as it was read, with its personal fields still sealed. */
export interface StoredEvent {
  readonly uuid: string;
  /** Public id, `evt_…`. */
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  /** The owner of a subscriber's stream; only events of such streams may be delivered. */
  readonly owner: StreamOwner | null;
  readonly revision: number;
  /** Commit position in $all. */
  readonly position: bigint;
  /**
   * The time at which the store stored it, in Unix milliseconds. It is later than `metadata.at` for
   * imported and simulated events.
   */
  readonly storedAtMs: number;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
}

/** The position of an event that the store sent without one. */
const NO_POSITION = 0n;

/**
 * Converts an event; null if another program wrote it, because it has no metadata of this service.
 */
export const toStoredEvent = (
  event: RecordedEvent | AllStreamRecordedEvent | undefined,
): StoredEvent | null => {
  if (event?.isJson !== true || !hasServiceMetadata(event.metadata)) return null;
  return {
    uuid: event.id,
    id: toEventId(event.id),
    type: event.type,
    stream: event.streamId,
    owner: parseOwner(event.streamId),
    revision: Number(event.revision),
    position: event.position?.commit ?? NO_POSITION,
    storedAtMs: event.created.getTime(),
    data: event.data as unknown as JsonObject,
    metadata: event.metadata,
  };
};

interface Entry {
  readonly event?: { readonly revision: bigint };
  readonly link?: { readonly revision: bigint };
}

/** Returns the revision of an entry in the stream that was read: of its link, if it is a link. */
export const readEntryRevision = ({ event, link }: Entry): number =>
  Number(requirePresent(link ?? event, 'the event of an entry').revision);

/** True unless the event is imported history whose import did not ask for delivery. */
export const isForDelivery = ({ metadata }: Pick<StoredEvent, 'metadata'>): boolean =>
  metadata.import?.deliver !== false;

const hasServiceMetadata = (metadata: unknown): metadata is EventMetadata =>
  typeof metadata === 'object' && metadata !== null && 'schema' in metadata && 'at' in metadata;
