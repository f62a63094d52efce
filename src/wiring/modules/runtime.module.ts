import { type DynamicModule, Global, Module } from '@nestjs/common';
import { provide } from './provide';
import { Config } from '../../config/config';
import { Runtime } from '../../config/runtime';
import { EventCatalogue } from '../../event-store/catalogue';
import { EventReference } from '../../http/reference/event-reference';
import { Clock } from '../../kernel/time';
import { Metrics } from '../../ops/metrics';
import { LiveRequests } from '../../ops/live-requests';
import { OpenTelemetryTracing } from '../../ops/open-telemetry';
import { SystemClock } from '../../ops/system-clock';
import { NO_TRACING, Tracing } from '../../ops/tracing';

export interface RuntimeParts {
  readonly config: Config;
  readonly runtime: Runtime;
  readonly catalogue: EventCatalogue;
  readonly eventReference: EventReference;
}

/** The only global module: configuration, clock, metrics, and the contributions of the features. */
@Global()
@Module({})
export class RuntimeModule {
  static create(parts: RuntimeParts): DynamicModule {
    const { config, runtime, catalogue, eventReference } = parts;
    return {
      module: RuntimeModule,
      providers: [
        { provide: Config, useValue: config },
        { provide: Runtime, useValue: runtime },
        { provide: EventCatalogue, useValue: catalogue },
        { provide: EventReference, useValue: eventReference },
        { provide: Clock, useClass: SystemClock },
        Metrics,
        { provide: Tracing, useValue: createTracing(config) },
        provide(LiveRequests),
      ],
      exports: [
        Config,
        Runtime,
        EventCatalogue,
        EventReference,
        Clock,
        Metrics,
        Tracing,
        LiveRequests,
      ],
    };
  }
}

const createTracing = ({ tracing }: Config): Tracing =>
  tracing === undefined ? NO_TRACING : new OpenTelemetryTracing(tracing);
