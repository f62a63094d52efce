import type { AllStreamRecordedEvent, RecordedEvent } from '@eventstore/db-client';
import type { SubscriberState, SubscriptionState } from '../kernel/aggregate';
import { eventIdOf } from '../kernel/ids';
import type { JsonObject } from '../kernel/json';
import type { Actor, ImportMark, Origin } from '../kernel/scope';
import type { Instant } from '../kernel/time';
import { ownerOfStream, type StreamOwner } from './streams';

/**
 * What is stored beside an event's `data`. A storage format: add, never rename.
 * Personal fields stand in `sealed`; where they were, `data` has null.
 */
export interface EventMetadata {
  readonly schema: string;
  /** `created_at` of the envelope: when the fact happened, simulated time under a test clock. */
  readonly at: Instant;
  readonly command: string;
  readonly actor?: Actor;
  /** Absent in events from before there was an audit log. */
  readonly origin?: Origin;
  readonly subscription_id?: string;
  readonly tenant?: { readonly id: string; readonly name: string };
  readonly subscriber?: SubscriberState;
  readonly subscription?: SubscriptionState;
  readonly sealed?: string;
  /** Present in imported history; without `deliver` live delivery leaves it out. */
  readonly import?: ImportMark;
}

/** An event as it was read: still sealed. */
export interface StoredEvent {
  readonly uuid: string;
  /** The public id, `evt_…`. */
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  /** Set for events of a subscriber's stream: those that may be delivered. */
  readonly owner: StreamOwner | null;
  readonly revision: number;
  /** Commit position in $all. */
  readonly position: bigint;
  /** When the store took it, Unix ms: later than `metadata.at` for imported and simulated time. */
  readonly storedAtMs: number;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
}

/** Null for an event this service did not write (no metadata of ours). */
export const toStoredEvent = (
  event: RecordedEvent | AllStreamRecordedEvent | undefined,
): StoredEvent | null => {
  if (event?.isJson !== true || !isOurs(event.metadata)) return null;
  return {
    uuid: event.id,
    id: eventIdOf(event.id),
    type: event.type,
    stream: event.streamId,
    owner: ownerOfStream(event.streamId),
    revision: Number(event.revision),
    position: event.position?.commit ?? 0n,
    storedAtMs: event.created.getTime(),
    data: event.data as unknown as JsonObject,
    metadata: event.metadata,
  };
};

/** Imported history is delivered only where the import asked for it. */
export const isForDelivery = ({ metadata }: Pick<StoredEvent, 'metadata'>): boolean =>
  metadata.import?.deliver !== false;

const isOurs = (metadata: unknown): metadata is EventMetadata =>
  typeof metadata === 'object' && metadata !== null && 'schema' in metadata && 'at' in metadata;
