import { Module } from '@nestjs/common';
import { provide } from './provide';
import { DeliveryModule } from './delivery.module';
import { Renderer } from '../../delivery/model/render';
import { Aggregates } from '../../event-store/aggregates';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from './event-store.module';
import { Vault } from '../../event-store/vault';
import { CohortDirectory } from '../../directories/cohort.directory';
import { CohortDirectoryModule } from './cohort-directory.module';
import { MotionDirectory } from '../../directories/motion.directory';
import { MotionDirectoryModule } from './motion-directory.module';
import { SubscriberModule } from './subscriber.module';
import { Billing } from '../../services/billing/billing';
import { SubscriptionModule } from './subscription.module';
import {
  EmitFixtureHandler,
  Fixtures,
  PlayScenarioHandler,
} from '../../features/fixtures/fixture.commands';
import { FixtureController } from '../../features/fixtures/fixture.controller';
import { FixtureDefinitions } from '../../features/fixtures/fixture.definitions';

@Module({
  imports: [
    EventStoreModule,
    DeliveryModule,
    SubscriberModule,
    SubscriptionModule,
    MotionDirectoryModule,
    CohortDirectoryModule,
  ],
  controllers: [FixtureController],
  providers: [
    provide(Fixtures, Billing, Vault, EventStoreConnection, Renderer),
    provide(FixtureDefinitions, Aggregates, MotionDirectory, CohortDirectory),
    EmitFixtureHandler,
    PlayScenarioHandler,
  ],
})
export class FixtureModule {}
