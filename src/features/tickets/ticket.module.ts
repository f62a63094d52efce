import { Module } from '@nestjs/common';
import { EventStoreModule } from '../../event-store/event-store.module';
import { ReadModelsModule } from '../../read-models/read-models.module';
import { TenantModule } from '../tenants/tenant.module';
import { ChangeTicketHandler, SubmitTicketHandler } from './ticket.commands';
import { TicketController } from './ticket.controller';
import { GetTicketHandler, ListTicketsHandler } from './ticket.queries';

@Module({
  imports: [EventStoreModule, ReadModelsModule, TenantModule],
  controllers: [TicketController],
  providers: [SubmitTicketHandler, ChangeTicketHandler, GetTicketHandler, ListTicketsHandler],
})
export class TicketModule {}
