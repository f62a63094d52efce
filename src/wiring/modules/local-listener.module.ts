import { Module } from '@nestjs/common';
import { DeliveryModule } from './delivery.module';
import { LocalListenerController } from '../../features/local-listeners/local-listener.controller';

@Module({ imports: [DeliveryModule], controllers: [LocalListenerController] })
export class LocalListenerModule {}
