import {
  Command,
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  Query,
  QueryHandler,
} from '@nestjs/cqrs';
import { randomBytes } from 'node:crypto';
import { Attempts } from '../../delivery/attempt/attempt';
import type { Preview } from '../../delivery/model/channel';
import type { DeliveryDestination } from '../../delivery/model/destination';
import { type Deliverable, type PiiMode } from '../../delivery/model/render';
import { SchemaVersions } from '../../delivery/model/schema-versions';
import { StoredDeliverables } from '../../delivery/model/stored-deliverables';
import { notFound } from '../../kernel/errors';
import { toEventId, createEventUuid } from '../../kernel/ids';
import { scopeName } from '../../kernel/scope';
import { Clock, type Instant, toMillis } from '../../kernel/time';
import { TenantDirectory } from '../../directories/tenant.directory';
import {
  type KnownDestination,
  requireUndeleted,
} from '../../domain/destinations/destination.decider';
import { DestinationDirectory } from '../../directories/destination.directory';

/** The result of a test. `error` is set if there was no complete response. */
export interface TestResult {
  readonly status_code: number | null;
  readonly duration_ms: number;
  readonly error: string | null;
}

/** Sends `test.ping` now (D-67). The ping is neither stored in the log nor retried. */
export class TestDestination extends Command<TestResult> {
  constructor(readonly destination: KnownDestination) {
    super();
  }
}

export class PreviewDelivery extends Query<Preview> {
  constructor(
    readonly destination: KnownDestination,
    readonly options: {
      readonly eventId: string;
      readonly piiMode?: PiiMode;
      readonly schemaVersion?: string;
    },
  ) {
    super();
  }
}

@CommandHandler(TestDestination)
export class TestDestinationHandler implements ICommandHandler<TestDestination> {
  constructor(
    private readonly directory: DestinationDirectory,
    private readonly tenants: TenantDirectory,
    private readonly attempts: Attempts,
    private readonly versions: SchemaVersions,
    private readonly clock: Clock,
  ) {}

  async execute({ destination }: TestDestination): Promise<TestResult> {
    requireUndeleted(destination);
    const { name } = this.tenants.require(destination.scope.tenantId);
    const result = await this.attempts.sendTest({
      event: createPing(destination, {
        now: this.clock.now(),
        tenantName: name,
        version: this.versions.current,
      }),
      destination: requireForDelivery(this.directory, destination),
      attempt: 1,
      firstSentAt: null,
    });
    return {
      status_code: result.statusCode,
      duration_ms: result.durationMs,
      error: result.error,
    };
  }
}

@QueryHandler(PreviewDelivery)
export class PreviewDeliveryHandler implements IQueryHandler<PreviewDelivery> {
  constructor(
    private readonly directory: DestinationDirectory,
    private readonly events: StoredDeliverables,
    private readonly attempts: Attempts,
    private readonly versions: SchemaVersions,
  ) {}

  async execute({ destination, options }: PreviewDelivery): Promise<Preview> {
    requireUndeleted(destination);
    const { eventId, piiMode, schemaVersion } = options;
    if (schemaVersion !== undefined) this.versions.requireKnown(schemaVersion, 'schema_version');
    const event = await this.events.find(destination.scope, eventId);
    if (event === null) throw notFound('event', 'event_id');
    const view = requireForDelivery(this.directory, destination);
    if (piiMode === undefined && schemaVersion === undefined) {
      const firstSentAt = await this.attempts.findFirstSentAt(view, event);
      return this.attempts.preview({ event, destination: view, attempt: 1, firstSentAt });
    }
    // With other settings, the preview shows the message as if the destination had always had them.
    const rendering = {
      from: destination.created_at,
      piiMode: piiMode ?? destination.pii_mode,
      schemaVersion: schemaVersion ?? destination.schema_version,
    };
    return this.attempts.preview({
      event,
      destination: { ...view, renderings: [rendering] },
      attempt: 1,
      firstSentAt: null,
    });
  }
}

const requireForDelivery = (
  directory: DestinationDirectory,
  { id }: KnownDestination,
): DeliveryDestination => {
  const view = directory.findForDelivery(id);
  if (view === undefined) throw notFound('destination', 'destinationId');
  return view;
};

const FIXTURE_SUBSCRIBER = `subscriber_${'0'.repeat(16)}`;

interface PingFacts {
  readonly now: Instant;
  readonly tenantName: string;
  readonly version: string;
}

const createPing = (
  { scope }: KnownDestination,
  { now, tenantName, version }: PingFacts,
): Deliverable => {
  const uuid = createEventUuid({
    atMs: toMillis(now),
    sequence: 1,
    tail: randomBytes(8).toString('hex'),
  });
  return {
    id: toEventId(uuid),
    type: 'test.ping',
    owner: { scope, scopeName: scopeName(scope), subscriberId: FIXTURE_SUBSCRIBER },
    revision: 0,
    data: { message: 'ping' },
    metadata: {
      schema: version,
      at: now,
      command: uuid,
      tenant: { id: scope.tenantId, name: tenantName },
      subscriber: { id: FIXTURE_SUBSCRIBER, created_at: now },
    },
    personal: { email: 'ping@example.com', fields: [] },
  };
};
