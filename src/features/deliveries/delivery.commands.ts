import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type RetryRequest, RetryRequests } from '../../delivery/journal/retry-requests';
import type { StoredDeliverable } from '../../delivery/model/stored-deliverables';
import { notFound } from '../../kernel/errors';
import { type Scope, scopeName, type TenantContext } from '../../kernel/scope';
import { requireActive } from '../../domain/destinations/destination.decider';
import { DestinationDirectory } from '../../directories/destination.directory';
import type { DeliveryItem } from './delivery.dto';
import { Deliveries, type DeliveryRow, viewDelivery, viewUnattempted } from './delivery.queries';
import { UnattemptedDeliveries } from './unattempted-deliveries';

/** The revision in the category stream of a delivery that the journal does not know yet. */
const UNKNOWN_REVISION = -1;

/** Makes one attempt now, regardless of the schedule (D-66). */
export class RetryDelivery extends Command<DeliveryItem> {
  constructor(
    readonly context: TenantContext,
    readonly destinationId: string,
    readonly eventId: string,
  ) {
    super();
  }
}

@CommandHandler(RetryDelivery)
export class RetryDeliveryHandler implements ICommandHandler<RetryDelivery> {
  constructor(
    private readonly deliveries: Deliveries,
    private readonly directory: DestinationDirectory,
    private readonly unattempted: UnattemptedDeliveries,
    private readonly requests: RetryRequests,
  ) {}

  async execute({ context, destinationId, eventId }: RetryDelivery): Promise<DeliveryItem> {
    const { scope, now } = context;
    const destination = this.directory.require(scope, destinationId);
    requireActive(destination);
    const row = await this.deliveries.find(scope, destinationId, eventId);
    if (row !== null) {
      await this.request(toRequest(row, scope), context);
      return { ...viewDelivery(row, this.directory), next_attempt_at: now };
    }
    const event = await this.unattempted.findPending(scope, destination, eventId);
    if (event === null) throw notFound('delivery', 'eventId');
    await this.request(toFirstRequest(destinationId, event), context);
    return { ...viewUnattempted(destinationId, event), next_attempt_at: now };
  }

  private async request(request: RetryRequest, context: TenantContext): Promise<void> {
    context.wrote(await this.requests.request(request, context));
  }
}

const toRequest = (row: DeliveryRow, scope: Scope): RetryRequest => ({
  destination_id: row.destination_id,
  event_id: row.event_id,
  event_type: row.event_type,
  scope: scopeName(scope),
  subscriber_id: row.subscriber_id,
  sequence: row.sequence,
  category_revision: Number(row.category_revision),
  created_at: row.created_at,
  status: row.status,
  attempt_count: row.live_attempts,
  first_sent_at: row.first_sent_at,
});

/**
 * Requests the first attempt of a delivery. The consumer already has the event, so the request
 * needs no more than its identity.
 */
const toFirstRequest = (destinationId: string, event: StoredDeliverable): RetryRequest => ({
  destination_id: destinationId,
  event_id: event.id,
  event_type: event.type,
  scope: event.owner.scopeName,
  subscriber_id: event.owner.subscriberId,
  sequence: event.revision + 1,
  category_revision: UNKNOWN_REVISION,
  created_at: event.metadata.at,
  status: 'pending',
  attempt_count: 0,
  first_sent_at: null,
});
