import { Module } from '@nestjs/common';
import { provide } from './provide';
import { Billing } from '../../services/billing/billing';
import { SubscriptionModule } from './subscription.module';
import { MotionDirectory } from '../../directories/motion.directory';
import { MotionDirectoryModule } from './motion-directory.module';
import { Triggering } from '../../services/motion-triggering/triggering';

@Module({
  imports: [SubscriptionModule, MotionDirectoryModule],
  providers: [provide(Triggering, Billing, MotionDirectory)],
  exports: [Triggering],
})
export class TriggeringModule {}
