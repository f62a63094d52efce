import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Config } from './config';
import { EventCatalogue } from './event-store/catalogue';
import { Clock } from './kernel/time';
import { Metrics } from './ops/metrics';
import { SystemClock } from './ops/system-clock';
import { Projections } from './projections/projection';

/** Where the stores are and what unlocks them: known before the application is built. */
export class Runtime {
  readonly eventStoreUrl!: string;
  readonly databaseUrl!: string;
  readonly databaseConnectionsMax!: number;
  readonly operatorToken!: string;
  readonly masterKey!: Uint8Array;
  /** Names this process among those that share the stores. */
  readonly instanceId!: string;

  constructor(values: { [Name in keyof Runtime]: Runtime[Name] }) {
    Object.assign(this, values);
    Object.freeze(this);
  }
}

export interface RuntimeParts {
  readonly config: Config;
  readonly runtime: Runtime;
  readonly catalogue: EventCatalogue;
  readonly projections: Projections;
}

/** The only global module: configuration, clock, metrics, and what the features contribute. */
@Global()
@Module({})
export class RuntimeModule {
  static of({ config, runtime, catalogue, projections }: RuntimeParts): DynamicModule {
    return {
      module: RuntimeModule,
      providers: [
        { provide: Config, useValue: config },
        { provide: Runtime, useValue: runtime },
        { provide: EventCatalogue, useValue: catalogue },
        { provide: Projections, useValue: projections },
        { provide: Clock, useClass: SystemClock },
        Metrics,
      ],
      exports: [Config, Runtime, EventCatalogue, Projections, Clock, Metrics],
    };
  }
}
