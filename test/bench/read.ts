import {
  CohortMemberProjection,
  CohortSubjectProjection,
} from '../../src/features/cohorts/cohort.projection';
import type { KnownCohort } from '../../src/domain/cohorts/cohort.decider';
import { CohortStore } from '../../src/services/cohort-evaluation/cohort.store';
import { CreditProjection } from '../../src/features/credits/credit.projection';
import { EventProjection } from '../../src/features/events/event.projection';
import { GRANULARITIES, WINDOWS } from '../../src/domain/metrics/buckets';
import { METRIC_NAMES } from '../../src/features/metrics/catalogue';
import { MetricProjection } from '../../src/features/metrics/metric.projection';
import { CutCounts } from '../../src/features/metrics/cut-counts';
import { GetMetric, GetMetricHandler } from '../../src/features/metrics/metric.queries';
import { MotionRunProjection } from '../../src/features/motions/motion.projection';
import { PaymentProjection } from '../../src/features/payments/payment.projection';
import { RefundProjection } from '../../src/features/refunds/refund.projection';
import { SubscriberProjection } from '../../src/features/subscribers/subscriber.projection';
import { SubscriptionProjection } from '../../src/features/subscriptions/subscription.projection';
import type { CohortDirectory } from '../../src/directories/cohort.directory';
import type { DestinationDirectory } from '../../src/directories/destination.directory';
import type { TenantDirectory } from '../../src/directories/tenant.directory';
import { TicketProjection } from '../../src/features/tickets/ticket.projection';
import { TimerProjection } from '../../src/services/timers/timer.projection';
import type { StoredEvent } from '../../src/event-store/stored-event';
import { readPage } from '../../src/http/lists/keyset';
import { type Instant, toMillis } from '../../src/kernel/time';
import { RowChanges } from '../../src/projections/rows';
import { Database } from '../../src/read-models/database';
import { migrate } from '../../src/read-models/migrate';
import { databases, type TestDatabase } from '../support/databases';
import { startOwnSql } from '../support/sql';
import type { BenchOptions } from './main';
import {
  buildJournal,
  EVENTS_PER_SUBSCRIBER,
  generateBatches,
  NOW,
  SCOPE,
  SCOPE_NAME,
} from './support/generated-events';
import { runClosedLoop, formatLatencies, formatRate } from './support/load';
import { measureProjectionLag } from './support/projection-lag';

/**
 * This benchmark measures the read side alone: generated events through every projection into SQL,
 * then the analysts' queries. `npm run bench -- read --size 1000000` is the size of the targets.
 * TEST_DATABASE_URL adds PostgreSQL beside the embedded database.
 */

const DESTINATIONS = 10;
const LAG_RATE = 500;
const LAG_SECONDS = 10;

/** All projections of a subscriber's events. */
const PROJECTIONS = [
  new EventProjection(),
  new SubscriberProjection(),
  new SubscriptionProjection(),
  new TicketProjection(),
  new PaymentProjection(),
  new RefundProjection(),
  new CreditProjection(),
  new TimerProjection(),
  new CohortSubjectProjection(),
  new CohortMemberProjection(),
  new MetricProjection(),
  new MotionRunProjection(),
];

export const run = async ({ size = 5_000 }: BenchOptions): Promise<void> => {
  for (const each of databases) {
    console.log(`\n${each.name}, ${size} subscribers, ${size * EVENTS_PER_SUBSCRIBER} events`);
    const { sql: database, close } = await open(each);
    try {
      await fill(database, size);
      await askMetrics(database);
      await askCohorts(database);
    } finally {
      await close();
    }
    await measureLag(each);
  }
};

const measureLag = async (database: TestDatabase): Promise<void> => {
  const lagsMs = await measureProjectionLag(database, {
    ratePerSecond: LAG_RATE,
    seconds: LAG_SECONDS,
  });
  console.log(
    `lag                ${formatLatencies(lagsMs)} from append to readable at ${LAG_RATE} events/s (target 200 ms)`,
  );
};

const open = async (
  chosen: TestDatabase,
): Promise<{ sql: Database; close: () => Promise<void> }> => {
  if (chosen.name === 'embedded') return startOwnSql();
  const { env, drop } = await chosen.create();
  const sql = new Database(env['DATABASE_URL'] ?? '', 10);
  await migrate(sql);
  return {
    sql,
    close: async () => {
      await sql.close();
      await drop();
    },
  };
};

const fill = async (database: Database, subscribers: number): Promise<void> => {
  const startedAt = performance.now();
  const readSeconds = (): number => (performance.now() - startedAt) / 1000;
  const all = subscribers * EVENTS_PER_SUBSCRIBER;
  let written = 0;
  for (const batch of generateBatches(subscribers)) {
    await write(database, batch);
    const tenths = Math.floor((10 * written) / all);
    written += batch.length;
    if (Math.floor((10 * written) / all) > tenths)
      console.log(
        `  ${(tenths + 1) * 10} % projected, ${formatRate(written, readSeconds())} so far`,
      );
  }
  console.log(
    `projected          ${formatRate(written, readSeconds())} events (target 8,000 on PostgreSQL, 4,000 embedded)`,
  );
  await countDeliveries(database, subscribers);
  await database.query({ text: 'analyze' });
};

/** Delivers every event to one of a few destinations, as input of the delivery metrics. */
const countDeliveries = async (database: Database, subscribers: number): Promise<void> => {
  const startedAt = performance.now();
  let counted = 0;
  let batches = 0;
  for (const batch of generateBatches(subscribers)) {
    const revision = Math.floor(batches / DESTINATIONS);
    await write(database, [buildJournal(batch, batches % DESTINATIONS, revision)]);
    batches += 1;
    counted += batch.length;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`deliveries counted ${formatRate(counted, seconds)}`);
};

const write = async (database: Database, events: readonly StoredEvent[]): Promise<void> => {
  const changes = new RowChanges();
  for (const event of events) {
    for (const projection of PROJECTIONS) projection.project(event, changes);
  }
  await database.transaction((session) => changes.write(session));
};

const askMetrics = async (database: Database): Promise<void> => {
  const tenants = {
    require: () => ({ settings: { currency: 'USD' } }),
  } as unknown as TenantDirectory;
  const destinations = {} as unknown as DestinationDirectory;
  const clock = {
    now: () => NOW,
    nowMs: () => toMillis(NOW),
    monotonicMs: () => performance.now(),
  };
  const handler = new GetMetricHandler(
    database,
    tenants,
    destinations,
    new CutCounts(database, {} as unknown as CohortDirectory),
    clock,
  );
  const asked = METRIC_NAMES.flatMap((name) =>
    WINDOWS.flatMap((window) =>
      GRANULARITIES.map((granularity) => new GetMetric(SCOPE, name, { window, granularity })),
    ),
  );
  const { latenciesMs } = await runClosedLoop(asked.length, 1, (i) => handler.execute(asked[i]!));
  const slowest = latenciesMs.indexOf(Math.max(...latenciesMs));
  const { name, request } = asked[slowest]!;
  console.log(
    `metric query       ${formatLatencies(latenciesMs)} (target p99 50 ms), ${asked.length} of every kind; ` +
      `slowest: ${name} of ${request.window} by ${request.granularity}, ${latenciesMs[slowest]!.toFixed(0)} ms`,
  );
};

const buildCohort = (definition: KnownCohort['definition']): KnownCohort => ({
  status: 'known',
  id: 'cohort_bench',
  scope: SCOPE,
  name: 'Bench',
  description: null,
  definition,
  definitionVersion: 1,
  backfilled: true,
  createdAt: NOW,
  updatedAt: NOW,
});

const askCohorts = async (database: Database): Promise<void> => {
  const store = new CohortStore(database);
  const vips = buildCohort({ tags_include: ['vip'] });
  const startedAt = performance.now();
  const found = await store.listMatching(vips, NOW, { after: '', limit: 1_000_000 });
  const chunk = { scope: SCOPE_NAME, cohort_id: vips.id, subscriber_ids: found };
  const event = {
    type: 'cohort.backfilled',
    stream: '',
    owner: null,
    data: chunk,
    metadata: { at: NOW },
  };
  await write(database, [event as unknown as StoredEvent]);
  const filled = (performance.now() - startedAt) / 1000;
  console.log(`cohort filled      ${formatRate(found.length, filled)} members (${found.length})`);
  await database.query({ text: 'analyze cohort_members' });

  const all = await database.query<{ n: string }>({
    text: 'select count(*) as n from cohort_subjects',
  });
  const active = buildCohort({ status: ['active'], tenure_days_min: 30 });
  const begunAt = performance.now();
  const moved = await store.listDifferences(active, NOW, { after: '', limit: 1_000_000 });
  const seconds = (performance.now() - begunAt) / 1000;
  console.log(
    `definition changed ${formatRate(Number(all[0]!.n), seconds)} subscribers re-evaluated (target 100,000), ${moved.length} to move`,
  );

  const page = (limit: number) =>
    readPage<{ id: string; created_at: Instant }>(
      database,
      {
        from: `(select scope, cohort_id, subscriber_id as id, entered_at as created_at from cohort_members) members`,
        columns: 'id, created_at',
        scope: SCOPE_NAME,
        conditions: [['cohort_id = ?', vips.id]],
      },
      { limit },
    );
  const pages = await runClosedLoop(100, 1, () => page(50));
  console.log(`membership page    ${formatLatencies(pages.latenciesMs)} (target 50 ms)`);
  const counts = await runClosedLoop(100, 1, () => store.countMembers([vips.id]));
  console.log(`cohort list counts ${formatLatencies(counts.latenciesMs)} (target 50 ms)`);
};
