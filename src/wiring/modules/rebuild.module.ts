import { Module } from '@nestjs/common';
import { ProjectionsModule } from './projections.module';
import { RebuildController } from '../../features/rebuilds/rebuild.controller';

@Module({ imports: [ProjectionsModule], controllers: [RebuildController] })
export class RebuildModule {}
