import { Module } from '@nestjs/common';
import { Billing } from '../subscriptions/billing.port';
import { SubscriptionModule } from '../subscriptions/subscription.module';
import { MotionDirectory } from './motion.directory';
import { MotionDirectoryModule } from './motion-directory.module';
import { Triggering } from './triggering.port';

@Module({
  imports: [SubscriptionModule, MotionDirectoryModule],
  providers: [
    {
      provide: Triggering,
      inject: [Billing, MotionDirectory],
      useFactory: (billing: Billing, directory: MotionDirectory) =>
        new Triggering(billing, directory),
    },
  ],
  exports: [Triggering],
})
export class TriggeringModule {}
