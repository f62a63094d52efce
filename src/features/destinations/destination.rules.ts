import type { SchemaVersions } from '../../delivery/schema-versions';
import { parseTemplate } from '../../delivery/mail/template';
import { EventCatalogue } from '../../event-store/catalogue';
import { DomainError } from '../../kernel/errors';
import { parseEventTypes } from '../../kernel/event-filter';
import type { Scope } from '../../kernel/scope';
import { TenantDirectory } from '../tenants/tenant.directory';
import { type DestinationSettings, type KnownDestination, statusOf } from './destination.decider';
import { DestinationDirectory } from './destination.directory';
import { UrlPolicy } from './url-policy';

/** The one event type an e-mail destination delivers (specification, "Email fallback"). */
const MAILED = 'ticket.submitted';

/** What a destination must fulfil beside the form of its fields. */
export class DestinationRules {
  constructor(
    private readonly catalogue: EventCatalogue,
    private readonly versions: SchemaVersions,
    private readonly tenants: TenantDirectory,
    private readonly directory: DestinationDirectory,
    private readonly urls: UrlPolicy,
  ) {}

  /** Checks the settings that are given. */
  async checkSettings(
    type: KnownDestination['type'],
    { event_types, schema_version, url, mail }: Partial<DestinationSettings>,
  ): Promise<void> {
    if (event_types != null) this.checkEventTypes(type, event_types);
    if (schema_version != null) this.versions.require(schema_version, 'schema_version');
    if (mail?.subject_template != null) parseTemplate(mail.subject_template);
    if (url != null) await this.urls.check(url);
  }

  /** D-68 and "Destinations": soft-deleted ones do not count. */
  checkRoom(scope: Scope): void {
    const { max_destinations: max } = this.tenants.require(scope.tenantId).settings;
    const kept = this.directory.of(scope).filter((each) => statusOf(each) !== 'deleted');
    if (kept.length < max) return;
    throw new DomainError('destination_limit_reached', `At most ${max} destinations are allowed.`, {
      details: { max_destinations: max },
    });
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
