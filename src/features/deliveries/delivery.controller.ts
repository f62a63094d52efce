import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Answer, AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { Requires } from '../../http/pipeline/audience';
import { Caller, InTenant, ReadsOwnWrites } from '../../http/pipeline/decorators';
import type { Page } from '../../http/lists/pagination';
import type { Principal } from '../../http/pipeline/request-facts';
import type { TenantContext } from '../../kernel/scope';
import { RetryDelivery } from './delivery.commands';
import {
  DeliveryDetail,
  DeliveryItem,
  EventDeliveryItem,
  ListAllDeliveriesQuery,
  ListDeliveriesQuery,
  ListEventDeliveriesQuery,
} from './delivery.dto';
import { ListAllDeliveries } from './all-deliveries.queries';
import { GetDelivery, ListDeliveries, ListEventDeliveries } from './delivery.queries';

@ApiTags('Destinations')
@Controller('v1/destinations/:destinationId/deliveries')
export class DeliveryController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Does(
    'Lists the deliveries to a destination, newest event first.',
    'A delivery is listed from its first attempt on, for 30 days, even if the destination was deleted for good.',
  )
  @Requires('destinations:read')
  @AnswerPage(DeliveryItem)
  list(
    @Caller() { scope }: Principal,
    @Param('destinationId') destinationId: string,
    @Query() query: ListDeliveriesQuery,
  ): Promise<Page<DeliveryItem>> {
    return this.queries.execute(new ListDeliveries(scope, destinationId, query));
  }

  @Get(':eventId')
  @Does(
    'Shows one delivery with all its attempts.',
    'Before the first attempt has ended, the delivery is `pending` and its list of attempts is empty. The response bodies of the receiver are shown to keys with the scope `pii:read`.',
  )
  @Requires('destinations:read')
  @Answer(DeliveryDetail)
  get(
    @Caller() caller: Principal,
    @Param('destinationId') destinationId: string,
    @Param('eventId') eventId: string,
  ): Promise<DeliveryDetail> {
    return this.queries.execute(new GetDelivery(caller, destinationId, eventId));
  }

  @Post(':eventId/retry')
  @Does(
    'Makes one more delivery attempt now.',
    'The limits of the destination apply. The retry schedule does not change: if this attempt fails, the scheduled ones still follow.',
  )
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

@ApiTags('Destinations')
@Controller('v1/deliveries')
export class AllDeliveriesController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Refuses('resource_not_found')
  @Does(
    'Lists the deliveries to all destinations, newest event first.',
    'A delivery is listed from its first attempt on, for 30 days, even if the destination was deleted for good.',
  )
  @Requires('destinations:read')
  @AnswerPage(DeliveryItem)
  list(
    @Caller() { scope }: Principal,
    @Query() query: ListAllDeliveriesQuery,
  ): Promise<Page<DeliveryItem>> {
    return this.queries.execute(new ListAllDeliveries(scope, query));
  }
}

@ApiTags('Events')
@Controller('v1/events/:eventId/deliveries')
export class EventDeliveryController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Does(
    'Shows for each destination whether it received an event.',
    'If it did not, the status gives the reason: `filtered` (its `event_types` leave the type out), `before_destination` (it was created later), `destination_disabled`, or `log_expired` (the event is older than 30 days, and the delivery log no longer has it). A destination that was deleted is listed if the event was sent to it.',
  )
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
