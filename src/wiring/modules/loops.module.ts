import { Module } from '@nestjs/common';
import { provideBy, provideWithParts } from './provide';
import { Config, type Role } from '../../config/config';
import { Runtime } from '../../config/runtime';
import { Attempts } from '../../delivery/attempt/attempt';
import { DeliveryLog } from '../../delivery/journal/delivery-log';
import { DeliveryModule } from './delivery.module';
import { Destinations } from '../../delivery/model/destination';
import { Dispatcher } from '../../delivery/live/dispatcher';
import { Gates } from '../../delivery/schedule/gates';
import { Journal } from '../../delivery/journal/journal';
import { Aggregates } from '../../event-store/aggregates';
import { TestMails } from '../../delivery/mail/test-mails';
import { RetryRequests } from '../../delivery/journal/retry-requests';
import { DestinationShares } from '../../delivery/live/shares';
import { checkRights } from '../../event-store/start-rights';
import { CategoryLinks } from '../../event-store/category-links';
import { EventStoreConnection } from '../../event-store/connection';
import { KeyRing } from '../../event-store/key-ring';
import { EventStoreModule } from './event-store.module';
import { ApiKeyDirectory } from '../../directories/api-key.directory';
import { OperatorTokenDirectory } from '../../directories/operator-token.directory';
import { OperatorTokenModule } from './operator-token.module';
import { ApiKeyUses } from '../../features/api-keys/api-key.uses';
import { ApiKeyModule } from './api-key.module';
import { checkDataFormat } from '../../event-store/data-format';
import { SystemClock } from '../../ops/system-clock';
import { ClockAdvancer } from '../../services/clock-advancing/clock.advancer';
import { ClockModule } from './clock.module';
import { CohortDirectory } from '../../directories/cohort.directory';
import { CohortDirectoryModule } from './cohort-directory.module';
import { CohortEvaluator } from '../../services/cohort-evaluation/cohort.evaluator';
import { CohortModule } from './cohort.module';
import { DestinationDirectory } from '../../directories/destination.directory';
import { DestinationModule } from './destination.module';
import { ImportDirectory } from '../../directories/import.directory';
import { ImportModule } from './import.module';
import { Importer } from '../../services/importing/importer';
import { Alerter } from '../../services/alerting/alerter';
import { OperationalEventModule } from './operational-event.module';
import { AuditModule } from './audit.module';
import { AuditLog } from '../../features/audit/audit.queries';
import { MasterKeyModule } from './master-key.module';
import { Rewrapper } from '../../services/key-rotation/rewrapper';
import { DailyScavenge } from '../../services/store-maintenance/daily-scavenge';
import { StoreModule } from './store.module';
import { TenantRemover } from '../../services/tenant-removal/tenant.remover';
import { Eraser } from '../../services/erasure/eraser';
import { ErasureFollower } from '../../services/erasure/erasure-follower';
import { SubscriberModule } from './subscriber.module';
import { MotionDirectory } from '../../directories/motion.directory';
import { MotionDirectoryModule } from './motion-directory.module';
import { TenantDirectory } from '../../directories/tenant.directory';
import { ConsoleModule } from './console.module';
import { SessionStore } from '../../features/console/session.store';
import { SignInAttempts } from '../../features/console/sign-in-attempts';
import { MemberDirectory } from '../../directories/member.directory';
import { TenantModule } from './tenant.module';
import { TimerModule } from './timer.module';
import { Timers } from '../../services/timers/timers';
import { Housekeeping, type Prunable } from '../../services/store-maintenance/housekeeping';
import { HttpModule } from './http.module';
import { IdempotencyStore } from '../../http/pipeline/idempotency';
import { SharedRateLimiter } from '../../http/pipeline/shared-rate-limit';
import { Clock } from '../../kernel/time';
import { Metrics } from '../../ops/metrics';
import { Tracing } from '../../ops/tracing';
import type { Loop } from '../../ops/supervisor';
import { Projector } from '../../projections/projector';
import { checkLog } from '../../projections/log-check';
import { ProjectionsModule } from './projections.module';
import { Rebuilder } from '../../projections/rebuilder';
import { Database } from '../../read-models/database';
import { Maintenance } from '../../read-models/maintenance';
import { ReadModelsModule } from './read-models.module';
import { LivePriority } from '../../replay/running/live-priority';
import { ReplayLeases } from '../../replay/running/leases';
import { ReplayModule } from './replay.module';
import { Replayer } from '../../replay/running/replayer';

/** Every loop of the process, chosen by its roles. The supervisor starts and drains them. */
export class Loops {
  constructor(
    /** The loop that must end before the others begin. */
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
    OperatorTokenModule,
    DestinationModule,
    SubscriberModule,
    ImportModule,
    CohortModule,
    CohortDirectoryModule,
    MotionDirectoryModule,
    TimerModule,
    ClockModule,
    OperationalEventModule,
    MasterKeyModule,
    AuditModule,
    ConsoleModule,
    StoreModule,
  ],
  providers: [
    provideWithParts(Dispatcher, {
      connection: EventStoreConnection,
      destinations: Destinations,
      log: DeliveryLog,
      journal: Journal,
      attempts: Attempts,
      gates: Gates,
      requests: RetryRequests,
      shares: DestinationShares,
      metrics: Metrics,
      clock: Clock,
    }),
    provideBy(
      Replayer,
      {
        connection: EventStoreConnection,
        aggregates: Aggregates,
        destinations: Destinations,
        deliveryLog: DeliveryLog,
        journal: Journal,
        attempts: Attempts,
        gates: Gates,
        leases: ReplayLeases,
        directory: DestinationDirectory,
        clock: Clock,
        tracing: Tracing,
        config: Config,
      },
      ({
        connection,
        aggregates,
        destinations,
        deliveryLog,
        journal,
        attempts,
        gates,
        leases,
        directory,
        clock,
        tracing,
        config: { replayRetrySchedule: schedule },
      }) =>
        new Replayer({
          connection,
          aggregates,
          destinations,
          log: deliveryLog,
          journal,
          attempts,
          gates,
          livePriority: new LivePriority(() => gates.msSinceLiveStart()),
          leases,
          knowsDestination: (id, revision, signal) =>
            directory.waitUntilDestinationKnown(id, revision, signal),
          clock,
          tracing,
          schedule,
        }),
    ),
    provideWithParts(TenantRemover, {
      aggregates: Aggregates,
      tenants: TenantDirectory,
      destinations: DestinationDirectory,
      keys: ApiKeyDirectory,
      members: MemberDirectory,
      eraser: Eraser,
      database: Database,
      clock: Clock,
    }),
    provideBy(
      Housekeeping,
      {
        idempotency: IdempotencyStore,
        sharedLimits: SharedRateLimiter,
        deliveryLog: DeliveryLog,
        testMails: TestMails,
        auditLog: AuditLog,
        sessions: SessionStore,
        signInAttempts: SignInAttempts,
        destinations: DestinationDirectory,
      },
      ({
        idempotency,
        sharedLimits,
        deliveryLog,
        testMails,
        auditLog,
        sessions,
        signInAttempts,
        destinations,
      }) => {
        // The dispatcher deletes pending deliveries when their destination is gone, but a rebuild
        // of the read models restores them, so they are deleted here again.
        const goneDeliveries: Prunable = {
          prune: () =>
            deliveryLog.forgetPending(destinations.listPermanentlyDeleted().map(({ id }) => id)),
        };
        return new Housekeeping({
          'idempotent answers': idempotency,
          'shared rate limits': sharedLimits,
          'delivery log': deliveryLog,
          'test e-mails': testMails,
          'audit log': auditLog,
          'console sessions': sessions,
          'password attempts': signInAttempts,
          'deliveries of deleted destinations': goneDeliveries,
        });
      },
    ),
    provideBy(
      Loops,
      {
        config: Config,
        runtime: Runtime,
        database: Database,
        connection: EventStoreConnection,
        keyRing: KeyRing,
        rewrapper: Rewrapper,
        links: CategoryLinks,
        tenants: TenantDirectory,
        members: MemberDirectory,
        keys: ApiKeyDirectory,
        operatorTokens: OperatorTokenDirectory,
        keyUses: ApiKeyUses,
        destinations: DestinationDirectory,
        projector: Projector,
        rebuilder: Rebuilder,
        dispatcher: Dispatcher,
        replayer: Replayer,
        housekeeping: Housekeeping,
        eraser: Eraser,
        tenantRemover: TenantRemover,
        erasureFollower: ErasureFollower,
        dailyScavenge: DailyScavenge,
        imports: ImportDirectory,
        importer: Importer,
        cohorts: CohortDirectory,
        cohortEvaluator: CohortEvaluator,
        motions: MotionDirectory,
        timers: Timers,
        clockAdvancer: ClockAdvancer,
        alerter: Alerter,
      },
      ({
        config: { roles },
        runtime: { isSqlEmbedded, siblings },
        database,
        connection,
        keyRing,
        rewrapper,
        links,
        tenants,
        members,
        keys,
        operatorTokens,
        keyUses,
        destinations,
        projector,
        rebuilder,
        dispatcher,
        replayer,
        housekeeping,
        eraser,
        tenantRemover,
        erasureFollower,
        dailyScavenge,
        imports,
        importer,
        cohorts,
        cohortEvaluator,
        motions,
        timers,
        clockAdvancer,
        alerter,
      }) => {
        const selectInRole = (role: Role, ...loops: Loop[]): Loop[] =>
          roles.has(role) ? loops : [];
        // One process looks after the database; of several that share it, the one that writes most.
        const needsMaintenance = isSqlEmbedded && (siblings === null || roles.has('projector'));
        const first = checkStores({ links, keyRing, connection, database });
        return new Loops(first, [
          { name: 'category-links', run: (signal) => links.watch(signal) },
          { name: 'master-key', run: (signal) => keyRing.follow(signal) },
          { name: 'tenants', run: (signal) => tenants.follow(signal) },
          { name: 'members', run: (signal) => members.follow(signal) },
          { name: 'api-keys', run: (signal) => keys.follow(signal) },
          { name: 'operator-tokens', run: (signal) => operatorTokens.follow(signal) },
          { name: 'destinations', run: (signal) => destinations.follow(signal) },
          { name: 'cohort-definitions', run: (signal) => cohorts.follow(signal) },
          { name: 'motion-definitions', run: (signal) => motions.follow(signal) },
          { name: 'imports', run: (signal) => imports.follow(signal) },
          toLoop('erasures', erasureFollower),
          ...selectInRole('api', toLoop('importer', importer), toLoop('api-key-uses', keyUses)),
          ...selectInRole(
            'projector',
            toLoop('projector', projector),
            toLoop('rebuilder', rebuilder),
            toLoop('eraser', eraser),
            toLoop('tenant-remover', tenantRemover),
            toLoop('daily-scavenge', dailyScavenge),
            toLoop('rewrapper', rewrapper),
            toLoop('cohorts', cohortEvaluator),
          ),
          ...selectInRole('timers', toLoop('timers', timers), toLoop('test-clocks', clockAdvancer)),
          ...selectInRole(
            'dispatcher',
            toLoop('dispatcher', dispatcher),
            toLoop('alerts', alerter),
          ),
          ...selectInRole('replayer', toLoop('replayer', replayer)),
          ...selectInRole('api', toLoop('housekeeping', housekeeping)),
          ...(needsMaintenance ? [createMaintenanceLoop(database)] : []),
        ]);
      },
    ),
  ],
  exports: [Loops],
})
export class LoopsModule {}

/** Creates the loop that runs one part. */
const toLoop = (name: string, part: Pick<Loop, 'run'>): Loop => ({
  name,
  run: (signal) => part.run(signal),
});

interface StoresToCheck {
  readonly links: CategoryLinks;
  readonly keyRing: KeyRing;
  readonly connection: EventStoreConnection;
  readonly database: Database;
}

/**
 * Checks the stores. Without category links no event is found, with another key nothing can be
 * decrypted, and read models of another log show wrong data.
 */
const checkStores = ({ links, keyRing, connection, database }: StoresToCheck): Loop => ({
  name: 'stores',
  run: async (signal) => {
    await checkRights(connection, signal);
    await checkDataFormat({ connection, clock: new SystemClock() }, signal);
    await links.ensureRunning(signal);
    await keyRing.check(signal);
    await checkLog({ connection, database }, signal);
  },
});

/**
 * Runs the maintenance of the embedded PostgreSQL. An external one has background processes for it.
 */
const createMaintenanceLoop = (database: Database): Loop => ({
  name: 'sql-maintenance',
  run: (signal) => new Maintenance(database).run(signal),
});
