import { Module } from '@nestjs/common';
import { ProjectionsModule } from '../../projections/projections.module';
import { RebuildController } from './rebuild.controller';

@Module({ imports: [ProjectionsModule], controllers: [RebuildController] })
export class RebuildModule {}
