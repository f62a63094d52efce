import type { Channels } from '../../delivery/model/channel';
import type { SchemaVersions } from '../../delivery/model/schema-versions';
import { findKind } from '../../domain/destinations/destination-kinds';
import { EventCatalogue } from '../../event-store/catalogue';
import { DomainError } from '../../kernel/errors';
import { parseEventTypes } from '../../kernel/event-filter';
import type {
  DestinationSettings,
  KnownDestination,
} from '../../domain/destinations/destination.decider';
import type { Scope } from '../../kernel/scope';

/** Checks the rules of a destination that go beyond the form of its fields. */
export class DestinationRules {
  constructor(
    private readonly catalogue: EventCatalogue,
    private readonly versions: SchemaVersions,
    private readonly channels: Channels,
  ) {}

  /** Checks the given settings. Settings that are missing stay unchecked. */
  async checkSettings(
    { type, environment }: Pick<KnownDestination, 'type'> & Pick<Scope, 'environment'>,
    { event_types, schema_version, target }: Partial<DestinationSettings>,
  ): Promise<void> {
    if (event_types != null) this.checkEventTypes(type, event_types);
    if (schema_version != null) this.versions.requireKnown(schema_version, 'schema_version');
    if (target !== undefined) await this.channels.find(target).checkTarget(target, environment);
  }

  private checkEventTypes(type: KnownDestination['type'], eventTypes: readonly string[]): void {
    parseEventTypes(eventTypes, this.catalogue.listTypes());
    const { label, deliverableTypes } = findKind(type);
    if (deliverableTypes === null || eventTypes.every((each) => deliverableTypes.includes(each)))
      return;
    throw new DomainError(
      'parameter_invalid',
      `${label} delivers ${deliverableTypes.join(', ')} only; leave event_types out.`,
      { param: 'event_types' },
    );
  }
}
