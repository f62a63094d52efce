import { Module } from '@nestjs/common';
import { Billing } from '../billing/billing';
import { SubscriptionModule } from '../../features/subscriptions/subscription.module';
import { MotionDirectory } from '../../directories/motion.directory';
import { MotionDirectoryModule } from '../../directories/motion-directory.module';
import { Triggering } from './triggering';

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
