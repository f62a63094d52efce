import { Module } from '@nestjs/common';
import { EventStoreModule } from '../../event-store/event-store.module';
import { ReadModelsModule } from '../../read-models/read-models.module';
import { DestinationModule } from '../destinations/destination.module';
import { OutboxController } from './outbox.controller';
import { ListOutboxHandler } from './outbox.queries';

@Module({
  imports: [EventStoreModule, ReadModelsModule, DestinationModule],
  controllers: [OutboxController],
  providers: [ListOutboxHandler],
})
export class OutboxModule {}
