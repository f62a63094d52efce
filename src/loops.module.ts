import { Module } from '@nestjs/common';
import { Config, type Role } from './config';
import { Attempts } from './delivery/attempt';
import { DeliveryLog } from './delivery/delivery-log';
import { DeliveryModule } from './delivery/delivery.module';
import { Destinations } from './delivery/destination';
import { Dispatcher } from './delivery/dispatcher';
import { Gates } from './delivery/gates';
import { Journal } from './delivery/journal';
import { Aggregates } from './event-store/aggregates';
import { TestMails } from './delivery/mail/test-mails';
import { RetryRequests } from './delivery/retry-requests';
import { Shares } from './delivery/shares';
import { CategoryLinks } from './event-store/category-links';
import { EventStoreConnection } from './event-store/connection';
import { MasterKey } from './event-store/master-key';
import { checkMasterKey, type KeyCheckParts } from './event-store/master-key-check';
import { EventStoreModule } from './event-store/event-store.module';
import { ApiKeyDirectory } from './features/api-keys/api-key.directory';
import { ApiKeyUses } from './features/api-keys/api-key.uses';
import { ApiKeyModule } from './features/api-keys/api-key.module';
import { ClockAdvancer } from './features/clocks/clock.advancer';
import { ClockModule } from './features/clocks/clock.module';
import { CohortDirectory } from './features/cohorts/cohort.directory';
import { CohortDirectoryModule } from './features/cohorts/cohort-directory.module';
import { CohortEvaluator } from './features/cohorts/cohort.evaluator';
import { CohortModule } from './features/cohorts/cohort.module';
import { DestinationDirectory } from './features/destinations/destination.directory';
import { DestinationModule } from './features/destinations/destination.module';
import { ImportDirectory } from './features/imports/import.directory';
import { ImportModule } from './features/imports/import.module';
import { Importer } from './features/imports/importer';
import { Alerter } from './features/operational-events/alerter';
import { OperationalEventModule } from './features/operational-events/operational-event.module';
import { Eraser } from './features/subscribers/eraser.port';
import { SubscriberModule } from './features/subscribers/subscriber.module';
import { MotionDirectory } from './features/motions/motion.directory';
import { MotionDirectoryModule } from './features/motions/motion-directory.module';
import { TenantDirectory } from './features/tenants/tenant.directory';
import { TenantModule } from './features/tenants/tenant.module';
import { TimerModule } from './features/timers/timer.module';
import { Timers } from './features/timers/timers.port';
import { Housekeeping, type Perishable } from './housekeeping';
import { HttpModule } from './http/http.module';
import { IdempotencyStore } from './http/idempotency';
import { SharedRateLimiter } from './http/shared-rate-limit';
import { Clock } from './kernel/time';
import { Metrics } from './ops/metrics';
import type { Loop } from './ops/supervisor';
import { Projector } from './projections/projector';
import { checkLog } from './projections/log-check';
import { ProjectionsModule } from './projections/projections.module';
import { Rebuilder } from './projections/rebuilder';
import { Database } from './read-models/database';
import { Maintenance } from './read-models/maintenance';
import { ReadModelsModule } from './read-models/read-models.module';
import { Courtesy } from './replay/courtesy';
import { Leases } from './replay/leases';
import { ReplayModule } from './replay/replay.module';
import { Replayer } from './replay/replayer';

/** Every loop of the process, chosen by its roles. The supervisor starts and drains them. */
export class Loops {
  constructor(
    /** What must have ended before the others begin. */
    readonly first: Loop,
    readonly all: readonly Loop[],
  ) {}
}

@Module({
  imports: [
    EventStoreModule,
    ReadModelsModule,
    ProjectionsModule,
    DeliveryModule,
    ReplayModule,
    HttpModule,
    TenantModule,
    ApiKeyModule,
    DestinationModule,
    SubscriberModule,
    ImportModule,
    CohortModule,
    CohortDirectoryModule,
    MotionDirectoryModule,
    TimerModule,
    ClockModule,
    OperationalEventModule,
  ],
  providers: [
    {
      provide: Dispatcher,
      inject: [
        EventStoreConnection,
        Destinations,
        DeliveryLog,
        Journal,
        Attempts,
        Gates,
        RetryRequests,
        Shares,
        Metrics,
        Clock,
      ],
      useFactory: (
        connection: EventStoreConnection,
        destinations: Destinations,
        deliveryLog: DeliveryLog,
        journal: Journal,
        attempts: Attempts,
        gates: Gates,
        requests: RetryRequests,
        shares: Shares,
        metrics: Metrics,
        clock: Clock,
      ) =>
        new Dispatcher({
          connection,
          destinations,
          log: deliveryLog,
          journal,
          attempts,
          gates,
          requests,
          shares,
          metrics,
          clock,
        }),
    },
    {
      provide: Replayer,
      inject: [
        EventStoreConnection,
        Aggregates,
        Destinations,
        DeliveryLog,
        Journal,
        Attempts,
        Gates,
        Leases,
        DestinationDirectory,
        Clock,
        Config,
      ],
      useFactory: (
        connection: EventStoreConnection,
        aggregates: Aggregates,
        destinations: Destinations,
        deliveryLog: DeliveryLog,
        journal: Journal,
        attempts: Attempts,
        gates: Gates,
        leases: Leases,
        directory: DestinationDirectory,
        clock: Clock,
        { replayRetrySchedule: schedule }: Config,
      ) =>
        new Replayer({
          connection,
          aggregates,
          destinations,
          log: deliveryLog,
          journal,
          attempts,
          gates,
          courtesy: new Courtesy(() => gates.sinceLiveMs()),
          leases,
          knows: (id, revision, signal) => directory.knows(id, revision, signal),
          clock,
          schedule,
        }),
    },
    {
      provide: Housekeeping,
      inject: [IdempotencyStore, SharedRateLimiter, DeliveryLog, TestMails, DestinationDirectory],
      useFactory: (
        idempotency: IdempotencyStore,
        sharedLimits: SharedRateLimiter,
        deliveryLog: DeliveryLog,
        testMails: TestMails,
        destinations: DestinationDirectory,
      ) => {
        // Seen to as soon as a destination is gone; a rebuild of the read models brings it back.
        const unattended: Perishable = {
          prune: () => deliveryLog.forgetPending(destinations.gone().map(({ id }) => id)),
        };
        return new Housekeeping([idempotency, sharedLimits, deliveryLog, testMails, unattended]);
      },
    },
    {
      provide: Loops,
      inject: [
        Config,
        Database,
        EventStoreConnection,
        MasterKey,
        Clock,
        CategoryLinks,
        TenantDirectory,
        ApiKeyDirectory,
        ApiKeyUses,
        DestinationDirectory,
        Projector,
        Rebuilder,
        Dispatcher,
        Replayer,
        Housekeeping,
        Eraser,
        ImportDirectory,
        Importer,
        CohortDirectory,
        CohortEvaluator,
        MotionDirectory,
        Timers,
        ClockAdvancer,
        Alerter,
      ],
      useFactory: (
        { roles, databaseUrl }: Config,
        database: Database,
        connection: EventStoreConnection,
        masterKey: MasterKey,
        clock: Clock,
        links: CategoryLinks,
        tenants: TenantDirectory,
        keys: ApiKeyDirectory,
        keyUses: ApiKeyUses,
        destinations: DestinationDirectory,
        projector: Projector,
        rebuilder: Rebuilder,
        dispatcher: Dispatcher,
        replayer: Replayer,
        housekeeping: Housekeeping,
        eraser: Eraser,
        imports: ImportDirectory,
        importer: Importer,
        cohorts: CohortDirectory,
        cohortEvaluator: CohortEvaluator,
        motions: MotionDirectory,
        timers: Timers,
        clockAdvancer: ClockAdvancer,
        alerter: Alerter,
      ) => {
        const inRole = (role: Role, ...loops: Loop[]): Loop[] => (roles.has(role) ? loops : []);
        const key = { connection, masterKey, now: () => clock.now() };
        return new Loops(settleStores(links, key, database), [
          { name: 'tenants', run: (signal) => tenants.follow(signal) },
          { name: 'api-keys', run: (signal) => keys.follow(signal) },
          { name: 'destinations', run: (signal) => destinations.follow(signal) },
          { name: 'cohort-definitions', run: (signal) => cohorts.follow(signal) },
          { name: 'motion-definitions', run: (signal) => motions.follow(signal) },
          { name: 'imports', run: (signal) => imports.follow(signal) },
          ...inRole(
            'api',
            { name: 'importer', run: (signal) => importer.run(signal) },
            { name: 'api-key-uses', run: (signal) => keyUses.run(signal) },
          ),
          ...inRole(
            'projector',
            { name: 'projector', run: (signal) => projector.run(signal) },
            { name: 'rebuilder', run: (signal) => rebuilder.run(signal) },
            { name: 'eraser', run: (signal) => eraser.run(signal) },
            { name: 'cohorts', run: (signal) => cohortEvaluator.run(signal) },
          ),
          ...inRole(
            'timers',
            { name: 'timers', run: (signal) => timers.run(signal) },
            { name: 'test-clocks', run: (signal) => clockAdvancer.run(signal) },
          ),
          ...inRole(
            'dispatcher',
            { name: 'dispatcher', run: (signal) => dispatcher.run(signal) },
            { name: 'alerts', run: (signal) => alerter.run(signal) },
          ),
          ...inRole('replayer', { name: 'replayer', run: (signal) => replayer.run(signal) }),
          ...inRole('api', { name: 'housekeeping', run: (signal) => housekeeping.run(signal) }),
          ...(databaseUrl === undefined ? [maintenance(database)] : []),
        ]);
      },
    },
  ],
  exports: [Loops],
})
export class LoopsModule {}

/**
 * Without category links nothing is found in the log, with another key nothing can be read, and read
 * models of another log show what is not there.
 */
const settleStores = (links: CategoryLinks, key: KeyCheckParts, database: Database): Loop => ({
  name: 'stores',
  run: async (signal) => {
    await links.run(signal);
    await checkMasterKey(key, signal);
    await checkLog({ connection: key.connection, database }, signal);
  },
});

/** A PostgreSQL of its own has background processes that do this. */
const maintenance = (database: Database): Loop => ({
  name: 'sql-maintenance',
  run: (signal) => new Maintenance(database).run(signal),
});
