import { Module } from '@nestjs/common';
import { Clock } from '../../kernel/time';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from '../../read-models/read-models.module';
import { Billing } from '../billing/billing';
import { SubscriptionModule } from '../../features/subscriptions/subscription.module';
import { TenantDirectory } from '../../directories/tenant.directory';
import { TenantModule } from '../../features/tenants/tenant.module';
import { Timers } from './timers';

@Module({
  imports: [ReadModelsModule, SubscriptionModule, TenantModule],
  providers: [
    {
      provide: Timers,
      inject: [Database, Billing, TenantDirectory, Clock],
      useFactory: (database: Database, billing: Billing, tenants: TenantDirectory, clock: Clock) =>
        new Timers({ database, billing, tenants, clock }),
    },
  ],
  exports: [Timers],
})
export class TimerModule {}
