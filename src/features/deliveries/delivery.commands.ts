import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { RetryRequests } from '../../delivery/journal/retry-requests';
import { scopeName, type TenantContext } from '../../kernel/scope';
import { requireActive } from '../../domain/destinations/destination.decider';
import { DestinationDirectory } from '../../directories/destination.directory';
import type { DeliveryItem } from './delivery.dto';
import { Deliveries, viewDelivery } from './delivery.queries';

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
    private readonly requests: RetryRequests,
  ) {}

  async execute({ context, destinationId, eventId }: RetryDelivery): Promise<DeliveryItem> {
    const { scope, now } = context;
    requireActive(this.directory.require(scope, destinationId));
    const row = await this.deliveries.require(scope, destinationId, eventId);
    const position = await this.requests.request(
      {
        destination_id: destinationId,
        event_id: eventId,
        event_type: row.event_type,
        scope: scopeName(scope),
        subscriber_id: row.subscriber_id,
        sequence: row.sequence,
        category_revision: Number(row.category_revision),
        created_at: row.created_at,
        status: row.status,
        attempt_count: row.live_attempts,
        first_sent_at: row.first_sent_at,
      },
      context,
    );
    context.wrote(position);
    return { ...viewDelivery(row), next_attempt_at: now };
  }
}
