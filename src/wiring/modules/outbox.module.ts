import { Module } from '@nestjs/common';
import { EventStoreModule } from './event-store.module';
import { ReadModelsModule } from './read-models.module';
import { DestinationModule } from './destination.module';
import { OutboxController } from '../../features/outbox/outbox.controller';
import { ListOutboxHandler } from '../../features/outbox/outbox.queries';

@Module({
  imports: [EventStoreModule, ReadModelsModule, DestinationModule],
  controllers: [OutboxController],
  providers: [ListOutboxHandler],
})
export class OutboxModule {}
