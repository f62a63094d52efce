import { hash } from 'node:crypto';
import type { EnvelopeState, SubscriberState } from '../kernel/aggregate';
import type { Dated, Fact } from '../kernel/decider';
import { createEventUuid } from '../kernel/ids';
import type { JsonObject } from '../kernel/json';
import type { CommandContext, TenantContext } from '../kernel/scope';
import { toMillis } from '../kernel/time';
import type { NewEvent } from './append';
import { type EventCatalogue, restorePersonal } from './catalogue';
import type { DatedFact } from './steps';
import { type EventMetadata, SCHEMA_VERSION, type StoredEvent } from './stored-event';
import type { Stream } from './streams';
import type { Vault } from './vault';

/** A fact that is to be stored, and where. */
export interface FactToStore extends DatedFact<Fact> {
  readonly stream: Stream;
  readonly context: CommandContext | TenantContext;
  /** The number of the event in its stream; the first is 1. */
  readonly sequence: number;
}

/**
 * Converts between the facts of the domain and events as they are stored: personal values are
 * encrypted with the key of their subscriber, and the metadata has what the envelope shows.
 */
export class EventCodec {
  constructor(
    private readonly vault: Vault,
    private readonly catalogue: EventCatalogue,
  ) {}

  async encode(toStore: FactToStore, envelope: EnvelopeState | null): Promise<NewEvent> {
    const { stream, commandId, fact, sequence, index } = toStore;
    // Without a schema the personal fields are unknown and would be stored unencrypted.
    if (stream.subscriberId !== undefined && this.catalogue.findSchema(fact.type) === undefined)
      throw new Error(`the event catalogue has no schema of ${fact.type}`);
    const { data, personal } = this.catalogue.splitPersonal(fact.type, fact.data as JsonObject);
    const sealed =
      stream.subscriberId === undefined
        ? null
        : await this.vault.seal(stream.subscriberId, {
            email: envelope?.email ?? null,
            fields: personal,
          });
    return {
      uuid: createEventUuid({
        atMs: toMillis(fact.at),
        sequence,
        tail: computeUuidTail(commandId, index),
      }),
      type: fact.type,
      data,
      metadata: createMetadata(toStore, envelope, sealed),
    };
  }

  /** Personal values that can no longer be decrypted are null in the fact. */
  async decode(stream: Stream, event: StoredEvent): Promise<Dated<Fact>> {
    const personal =
      stream.subscriberId === undefined
        ? null
        : await this.vault.open(stream.subscriberId, event.metadata.sealed);
    return {
      type: event.type,
      data:
        personal === null
          ? this.catalogue.splitPersonal(event.type, event.data).data
          : restorePersonal(event.data, personal.fields),
      at: event.metadata.at,
      ...(event.metadata.subscription_id === undefined
        ? {}
        : { subscriptionId: event.metadata.subscription_id }),
    };
  }
}

const createMetadata = (
  { stream, context, commandId, fact }: FactToStore,
  envelope: EnvelopeState | null,
  sealed: string | null,
): EventMetadata => ({
  schema: SCHEMA_VERSION,
  at: fact.at,
  command: commandId,
  actor: context.actor,
  ...(context.origin === undefined ? {} : { origin: context.origin }),
  ...(fact.subscriptionId === undefined ? {} : { subscription_id: fact.subscriptionId }),
  ...('tenant' in context && envelope !== null ? { tenant: context.tenant } : {}),
  ...(envelope === null || stream.subscriberId === undefined
    ? {}
    : { subscriber: { ...envelope.subscriber, id: stream.subscriberId } as SubscriberState }),
  ...(envelope?.subscription == null ? {} : { subscription: envelope.subscription }),
  ...(sealed === null ? {} : { sealed }),
  ...(context.imported === undefined ? {} : { import: context.imported }),
});

const computeUuidTail = (commandId: string, index: number): string =>
  hash('sha256', `${commandId}:${index}`);
