import { Controller, Get, Header, Module } from '@nestjs/common';
import { provide } from './provide';
import { ApiExcludeController } from '@nestjs/swagger';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from './event-store.module';
import { ForMetrics, ForMonitoring } from '../../http/pipeline/audience';
import { DomainError } from '../../kernel/errors';
import { ProjectionsModule } from './projections.module';
import { ReadYourWrites } from '../../projections/read-your-writes';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { Metrics } from '../../ops/metrics';
import { VERSION } from '../../ops/version';
import { Readiness } from './readiness';

@ApiExcludeController()
@Controller()
@ForMonitoring()
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
  ) {}

  /** Returns the version of the service and of Node. */
  @Get('health')
  health(): { status: string; version: string; node: string } {
    return { status: 'ok', version: VERSION, node: process.version };
  }

  /** Answers 200 as long as the process runs. */
  @Get('health/live')
  live(): { status: string } {
    return { status: 'ok' };
  }

  /** The process can do its work: both stores answer and the read models are complete. */
  @Get('health/ready')
  async ready(): Promise<{ status: string; checks: Record<string, string> }> {
    const checks = await this.readiness.check();
    const failing = Object.entries(checks).filter(([, state]) => state !== 'ok');
    if (failing.length === 0) return { status: 'ok', checks };
    throw new DomainError(
      'service_unavailable',
      `Not ready: ${failing.map(([name, state]) => `${name} ${state}`).join(', ')}.`,
      { details: checks },
    );
  }

  @Get('metrics')
  @ForMetrics()
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  prometheus(): Promise<string> {
    return this.metrics.collectText();
  }
}

@Module({
  imports: [EventStoreModule, ReadModelsModule, ProjectionsModule],
  controllers: [HealthController],
  providers: [provide(Readiness, EventStoreConnection, Database, ReadYourWrites)],
  exports: [Readiness],
})
export class HealthModule {}
