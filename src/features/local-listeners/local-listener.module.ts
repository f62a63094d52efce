import { Module } from '@nestjs/common';
import { DeliveryModule } from '../../delivery/delivery.module';
import { LocalListenerController } from './local-listener.controller';

@Module({ imports: [DeliveryModule], controllers: [LocalListenerController] })
export class LocalListenerModule {}
