import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Answer, AnswerPage, Refuses } from '../../http/answers';
import { Caller, InTenant, ReadsOwnWrites, Requires } from '../../http/decorators';
import type { Page } from '../../http/pagination';
import type { Principal } from '../../http/request-facts';
import type { TenantContext } from '../../kernel/scope';
import { RetryDelivery } from './delivery.commands';
import {
  DeliveryDetail,
  DeliveryItem,
  EventDeliveryItem,
  ListDeliveriesQuery,
  ListEventDeliveriesQuery,
} from './delivery.dto';
import { GetDelivery, ListDeliveries, ListEventDeliveries } from './delivery.queries';

@ApiTags('Destinations')
@Controller('v1/destinations/:destinationId/deliveries')
export class DeliveryController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** What was sent to a destination, or waits to be; newest event first. Kept for 30 days. */
  @Get()
  @Requires('destinations:read')
  @AnswerPage(DeliveryItem)
  list(
    @Caller() { scope }: Principal,
    @Param('destinationId') destinationId: string,
    @Query() query: ListDeliveriesQuery,
  ): Promise<Page<DeliveryItem>> {
    return this.queries.execute(new ListDeliveries(scope, destinationId, query));
  }

  /** One delivery with every attempt; the receiver's answers need the scope `pii:read`. */
  @Get(':eventId')
  @Requires('destinations:read')
  @Answer(DeliveryDetail)
  get(
    @Caller() caller: Principal,
    @Param('destinationId') destinationId: string,
    @Param('eventId') eventId: string,
  ): Promise<DeliveryDetail> {
    return this.queries.execute(new GetDelivery(caller, destinationId, eventId));
  }

  /**
   * One attempt now, within the limits of the destination and beside the schedule: if it fails, the
   * scheduled ones come as they would have.
   */
  @Post(':eventId/retry')
  @Refuses('destination_deleted', 'destination_disabled')
  @ReadsOwnWrites()
  @Requires('destinations:write')
  @Answer(DeliveryItem, { status: 202 })
  retry(
    @InTenant() context: TenantContext,
    @Param('destinationId') destinationId: string,
    @Param('eventId') eventId: string,
  ): Promise<DeliveryItem> {
    return this.commands.execute(new RetryDelivery(context, destinationId, eventId));
  }
}

@ApiTags('Events')
@Controller('v1/events/:eventId/deliveries')
export class EventDeliveryController {
  constructor(private readonly queries: QueryBus) {}

  /** For every destination of the environment: did it get the event, and if not, why not? */
  @Get()
  @Requires('events:read')
  @AnswerPage(EventDeliveryItem)
  list(
    @Caller() { scope }: Principal,
    @Param('eventId') eventId: string,
    @Query() query: ListEventDeliveriesQuery,
  ): Promise<Page<EventDeliveryItem>> {
    return this.queries.execute(new ListEventDeliveries(scope, eventId, query));
  }
}
