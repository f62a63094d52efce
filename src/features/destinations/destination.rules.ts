import type { SchemaVersions } from '../../delivery/model/schema-versions';
import { parseTemplate } from '../../delivery/mail/template';
import { EventCatalogue } from '../../event-store/catalogue';
import { DomainError } from '../../kernel/errors';
import { parseEventTypes } from '../../kernel/event-filter';
import type {
  DestinationSettings,
  KnownDestination,
} from '../../domain/destinations/destination.decider';
import type { Scope } from '../../kernel/scope';
import { UrlPolicy } from './url-policy';

/** The only event type that an e-mail destination delivers (specification, "Email fallback"). */
const MAILED = 'ticket.submitted';

/** Checks the rules of a destination that go beyond the form of its fields. */
export class DestinationRules {
  constructor(
    private readonly catalogue: EventCatalogue,
    private readonly versions: SchemaVersions,
    private readonly urls: UrlPolicy,
  ) {}

  /** Checks the given settings. Settings that are missing stay unchecked. */
  async checkSettings(
    { type, environment }: Pick<KnownDestination, 'type'> & Pick<Scope, 'environment'>,
    { event_types, schema_version, url, mail }: Partial<DestinationSettings>,
  ): Promise<void> {
    if (event_types != null) this.checkEventTypes(type, event_types);
    if (schema_version != null) this.versions.requireKnown(schema_version, 'schema_version');
    if (mail?.subject_template != null) parseTemplate(mail.subject_template);
    if (url != null) await this.urls.check(url, environment);
  }

  private checkEventTypes(type: KnownDestination['type'], eventTypes: readonly string[]): void {
    parseEventTypes(eventTypes, this.catalogue.types());
    if (type === 'https_webhook' || eventTypes.every((each) => each === MAILED)) return;
    throw new DomainError(
      'parameter_invalid',
      `An e-mail destination delivers ${MAILED} only; leave event_types out.`,
      { param: 'event_types' },
    );
  }
}
