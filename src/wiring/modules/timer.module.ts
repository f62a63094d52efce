import { Module } from '@nestjs/common';
import { provideWithParts } from './provide';
import { Clock } from '../../kernel/time';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { Billing } from '../../services/billing/billing';
import { SubscriptionModule } from './subscription.module';
import { TenantDirectory } from '../../directories/tenant.directory';
import { TenantModule } from './tenant.module';
import { Timers } from '../../services/timers/timers';

@Module({
  imports: [ReadModelsModule, SubscriptionModule, TenantModule],
  providers: [
    provideWithParts(Timers, {
      database: Database,
      billing: Billing,
      tenants: TenantDirectory,
      clock: Clock,
    }),
  ],
  exports: [Timers],
})
export class TimerModule {}
