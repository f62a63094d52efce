import { Module } from '@nestjs/common';
import { EventStoreModule } from './event-store.module';
import { ReadModelsModule } from './read-models.module';
import { TenantModule } from './tenant.module';
import { ChangeTicketHandler, SubmitTicketHandler } from '../../features/tickets/ticket.commands';
import { TicketController } from '../../features/tickets/ticket.controller';
import { GetTicketHandler, ListTicketsHandler } from '../../features/tickets/ticket.queries';

@Module({
  imports: [EventStoreModule, ReadModelsModule, TenantModule],
  controllers: [TicketController],
  providers: [SubmitTicketHandler, ChangeTicketHandler, GetTicketHandler, ListTicketsHandler],
})
export class TicketModule {}
