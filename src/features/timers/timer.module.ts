import { Module } from '@nestjs/common';
import { Clock } from '../../kernel/time';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from '../../read-models/read-models.module';
import { Billing } from '../subscriptions/billing.port';
import { SubscriptionModule } from '../subscriptions/subscription.module';
import { TenantDirectory } from '../tenants/tenant.directory';
import { TenantModule } from '../tenants/tenant.module';
import { Timers } from './timers.port';

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
