import { requirePresent } from '../../kernel/present';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Preview } from '../../delivery/model/channel';
import type { SchemaVersions } from '../../delivery/model/schema-versions';
import { mapPage } from '../../http/lists/keyset';
import { readMemoryPage } from '../../http/lists/memory-page';
import type { Page, PageQuery } from '../../http/lists/pagination';
import { DomainError } from '../../kernel/errors';
import type { CommandContext, Scope } from '../../kernel/scope';
import { type Clock, HOUR_MS, plusMs } from '../../kernel/time';
import {
  ChangeDestination,
  DeleteDestination,
  RegisterDestination,
  RestoreDestination,
  RotateSecret,
} from './destination.commands';
import {
  type DestinationStatus,
  type KnownDestination,
  SECRET_OVERLAP_HOURS,
  getStatus,
} from '../../domain/destinations/destination.decider';
import {
  type ChangeDestinationBody,
  type DeletedDestination,
  type DestinationResource,
  type PreviewBody,
  type RegisterDestinationBody,
  type RegisteredDestinationResource,
  type RotatedSecret,
  type RotateSecretBody,
  viewDestination,
} from './destination.dto';
import { toChanges, toSettings } from './destination.settings';
import { PreviewDelivery, TestDestination, type TestResult } from './destination.trial';

type Filters = Readonly<Record<string, unknown>> & {
  readonly status: DestinationStatus | undefined;
};

/** The actions on destinations that the tenant API and the operator API share. */
export class DestinationActions {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly versions: SchemaVersions,
    private readonly clock: Clock,
  ) {}

  view(destination: KnownDestination): DestinationResource {
    const { current: currentSchema } = this.versions;
    return viewDestination(destination, { currentSchema, now: this.clock.now() });
  }

  /**
   * Lists destinations, newest first. Deleted ones are included only if the filter asks for them.
   */
  async list(
    query: PageQuery,
    items: readonly KnownDestination[],
    filters: Filters,
  ): Promise<Page<DestinationResource>> {
    const { status } = filters;
    const page = await readMemoryPage(query, {
      name: 'destinations',
      items: items.filter((each) =>
        status === undefined ? getStatus(each) !== 'deleted' : getStatus(each) === status,
      ),
      filters,
      keyOf: ({ created_at, id }) => ({ createdAt: created_at, id }),
    });
    return mapPage(page, (destination) => this.view(destination));
  }

  async register(
    context: CommandContext,
    scope: Scope,
    body: RegisterDestinationBody,
  ): Promise<RegisteredDestinationResource> {
    const command = new RegisterDestination(context, scope, toSettings(body));
    const { destination, signingSecret } = await this.commands.execute(command);
    return {
      ...this.view(destination),
      ...(signingSecret === null ? {} : { signing_secret: signingSecret }),
    };
  }

  async change(
    context: CommandContext,
    destination: KnownDestination,
    body: ChangeDestinationBody,
  ): Promise<DestinationResource> {
    const { status, resume_from: resumeFrom } = body;
    if (resumeFrom !== undefined && status !== 'active') {
      throw new DomainError('parameter_invalid', 'resume_from needs status "active".', {
        param: 'resume_from',
      });
    }
    const change = {
      settings: toChanges(destination, body),
      ...(status === undefined ? {} : { status }),
      resumeFromNow: resumeFrom === 'now',
    };
    return this.view(
      await this.commands.execute(new ChangeDestination(context, destination, change)),
    );
  }

  async rotateSecret(
    context: CommandContext,
    destination: KnownDestination,
    { overlap_hours: overlapHours = SECRET_OVERLAP_HOURS }: RotateSecretBody,
  ): Promise<RotatedSecret> {
    const command = new RotateSecret(context, destination, overlapHours);
    const rotated = await this.commands.execute(command);
    return {
      id: destination.id,
      signing_secret: requirePresent(rotated.signingSecret, 'the new secret'),
      previous_secret_expires_at: plusMs(context.now, overlapHours * HOUR_MS),
    };
  }

  /** Deletes a destination. Returns null if it was deleted for good. */
  async delete(
    context: CommandContext,
    destination: KnownDestination,
    force: boolean,
  ): Promise<DeletedDestination | null> {
    const command = new DeleteDestination(context, destination, force);
    const left = await this.commands.execute(command);
    if (left?.deleted == null) return null;
    return {
      id: left.id,
      status: 'deleted',
      deleted_at: left.deleted.at,
      recoverable_until: left.deleted.recoverableUntil,
    };
  }

  async restore(
    context: CommandContext,
    destination: KnownDestination,
  ): Promise<DestinationResource> {
    return this.view(await this.commands.execute(new RestoreDestination(context, destination)));
  }

  test(destination: KnownDestination): Promise<TestResult> {
    return this.commands.execute(new TestDestination(destination));
  }

  preview(destination: KnownDestination, body: PreviewBody): Promise<Preview> {
    const { event_id: eventId, pii_mode: piiMode, schema_version: schemaVersion } = body;
    return this.queries.execute(
      new PreviewDelivery(destination, {
        eventId,
        ...(piiMode === undefined ? {} : { piiMode }),
        ...(schemaVersion === undefined ? {} : { schemaVersion }),
      }),
    );
  }
}
