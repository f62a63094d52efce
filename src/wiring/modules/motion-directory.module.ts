import { Module } from '@nestjs/common';
import { provide } from './provide';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from './event-store.module';
import { MotionDirectory } from '../../directories/motion.directory';

/** The definitions of motions, for features that only read them. */
@Module({
  imports: [EventStoreModule],
  providers: [provide(MotionDirectory, EventStoreConnection)],
  exports: [MotionDirectory],
})
export class MotionDirectoryModule {}
