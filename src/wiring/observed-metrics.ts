import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Config } from '../config/config';
import type { DestinationBacklog } from '../delivery/live/backlog';
import { Dispatcher } from '../delivery/live/dispatcher';
import { DestinationDirectory } from '../directories/destination.directory';
import { CategoryLinks } from '../event-store/category-links';
import { type AppendFacts, EventStoreConnection } from '../event-store/connection';
import { newSpanId } from '../event-store/event-trace';
import type { SubscriptionReport, SubscriptionWatch } from '../event-store/subscription-watch';
import { requirePresent } from '../kernel/present';
import { parseTraceparent } from '../kernel/trace';
import { DESTINATIONS_SHOWN_MAX, createDestinationLabels } from '../ops/destination-counter';
import { Metrics, type Sample } from '../ops/metrics';
import { Tracing } from '../ops/tracing';
import { VERSION } from '../ops/version';
import { Projector } from '../projections/projector';
import { Database } from '../read-models/database';
import type { Readiness } from './modules/readiness';

/** Connects the metrics that are read on collection, and those of the event store connection. */
export const observeMetrics = (http: NestFastifyApplication, readiness: Readiness): void => {
  const metrics = http.get(Metrics);
  metrics.observe('build_info', () => [
    { value: 1, labels: { version: VERSION, node: process.version } },
  ]);
  metrics.observe('ready', async () => {
    const checks = Object.values(await readiness.check());
    return [{ value: checks.every((state) => state === 'ok') ? 1 : 0 }];
  });
  metrics.observe('clock_timestamp_seconds', () => [{ value: Date.now() / 1000 }]);
  observeDeliveries(metrics, http);
  observeEventStore(metrics, http);
  observeDatabase(metrics, http.get(Database, { strict: false }));
  const projector = http.get(Projector, { strict: false });
  metrics.observe('projection_lag_seconds', () => [{ value: projector.lagSeconds() }]);
  observeDisk(metrics, resolve(http.get(Config).dataDir));
};

const observeDeliveries = (metrics: Metrics, http: NestFastifyApplication): void => {
  const dispatcher = http.get(Dispatcher, { strict: false });
  const destinations = http.get(DestinationDirectory, { strict: false });
  metrics.observe('destinations', () =>
    [...destinations.countByStatus()].map(([status, value]) => ({ value, labels: { status } })),
  );
  metrics.observe('breakers_open', () => [
    { value: dispatcher.countBacklogs().filter(({ isProbing }) => isProbing).length },
  ]);
  metrics.observe('deliveries_waiting', () => {
    const waiting = dispatcher.countBacklogs();
    return [
      { value: sum(waiting.map(({ ready }) => ready)), labels: { state: 'ready' } },
      { value: sum(waiting.map(({ retrying }) => retrying)), labels: { state: 'retrying' } },
    ];
  });
  metrics.observe('oldest_waiting_seconds', () => {
    const since = dispatcher.countBacklogs().flatMap(({ oldestAtMs }) => oldestAtMs ?? []);
    return [{ value: since.length === 0 ? 0 : (Date.now() - findMinimum(since)) / 1000 }];
  });
  if (http.get(Config).metricsPerTenant) observeEachDestination(metrics, dispatcher, destinations);
};

/** Shows the backlog of each destination, starting with the oldest waiting event. */
const observeEachDestination = (
  metrics: Metrics,
  dispatcher: Dispatcher,
  destinations: DestinationDirectory,
): void => {
  metrics.showDestinations();
  const listSamples = (samplesOf: (backlog: DestinationBacklog) => readonly Sample[]): Sample[] =>
    dispatcher
      .countBacklogs()
      .toSorted((one, other) => (one.oldestAtMs ?? Infinity) - (other.oldestAtMs ?? Infinity))
      .slice(0, DESTINATIONS_SHOWN_MAX)
      .flatMap((backlog) => {
        const { destinationId } = backlog;
        const scope = destinations.findForDelivery(destinationId)?.scope;
        if (scope === undefined) return [];
        const labels = createDestinationLabels(scope, destinationId);
        return samplesOf(backlog).map((sample) => ({
          ...sample,
          labels: { ...labels, ...sample.labels },
        }));
      });
  metrics.observe('destination_waiting', () =>
    listSamples(({ ready, retrying }) => [
      { value: ready, labels: { state: 'ready' } },
      { value: retrying, labels: { state: 'retrying' } },
    ]),
  );
  metrics.observe('destination_oldest_waiting_seconds', () =>
    listSamples(({ oldestAtMs }) => [
      { value: oldestAtMs === null ? 0 : (Date.now() - oldestAtMs) / 1000 },
    ]),
  );
};

const observeEventStore = (metrics: Metrics, http: NestFastifyApplication): void => {
  const connection = http.get(EventStoreConnection, { strict: false });
  const links = http.get(CategoryLinks, { strict: false });
  const tracing = http.get(Tracing);
  connection.appendMetrics = {
    recordAppend: (seconds, facts) => {
      metrics.appendDuration.observe(seconds);
      if (tracing.isOn) recordAppendStep(tracing, seconds, facts);
    },
    recordConflict: () => {
      metrics.appendConflicts.inc();
    },
  };
  const { subscriptions } = connection;
  metrics.observe('event_store_subscriptions_unconfirmed', () => [
    { value: subscriptions.listUnconfirmed().length },
  ]);
  metrics.observe('event_store_subscription_unconfirmed_seconds', () => [
    {
      value:
        findMaximum(subscriptions.listReports().map(({ unconfirmedForMs }) => unconfirmedForMs)) /
        1000,
    },
  ]);
  metrics.observe('event_store_subscription_lag_seconds', () => [
    { value: findMaximum(subscriptions.listReports().map(({ lagMs }) => lagMs ?? 0)) / 1000 },
  ]);
  metrics.observe('event_store_category_links_still_seconds', () => [
    { value: links.stalledForMs() / 1000 },
  ]);
  if (http.get(Config).metricsPerTenant) observeEachSubscription(metrics, subscriptions);
};

/**
 * Records an append as a span of the trace of the request that caused it. An append that the
 * service makes by itself has no trace.
 */
const recordAppendStep = (
  tracing: Tracing,
  seconds: number,
  { events, traceparent }: AppendFacts,
): void => {
  const cause = parseTraceparent(traceparent);
  if (cause === null) return;
  const durationMs = seconds * 1_000;
  tracing.record({
    name: 'append',
    trace: { ...cause, parentId: newSpanId() },
    causeId: cause.parentId,
    startedAtMs: Date.now() - durationMs,
    durationMs,
    attributes: { events },
  });
};

/** Maximum of subscriptions that are shown one by one, because each of them is a series. */
const SUBSCRIPTIONS_SHOWN_MAX = 1_000;

/** Shows each subscription, to find one that receives nothing. */
const observeEachSubscription = (metrics: Metrics, watch: SubscriptionWatch): void => {
  const listSamples = (msOf: (report: SubscriptionReport) => number | null): Sample[] =>
    watch
      .listReports()
      .slice(0, SUBSCRIPTIONS_SHOWN_MAX)
      .flatMap((report) => {
        const ms = msOf(report);
        return ms === null ? [] : [{ value: ms / 1000, labels: { subscription: report.name } }];
      });
  metrics.observe('event_store_subscription_confirmed_timestamp_seconds', () =>
    listSamples(({ confirmedAtMs }) => confirmedAtMs),
  );
  metrics.observe('event_store_subscription_last_event_timestamp_seconds', () =>
    listSamples(({ lastEventAtMs }) => lastEventAtMs),
  );
};

const observeDatabase = (metrics: Metrics, database: Database): void => {
  metrics.observe('sql_connections', () =>
    Object.entries(database.connections()).map(([state, value]) => ({ value, labels: { state } })),
  );
  metrics.observe('timers_overdue', async () => [
    { value: (await readOverdueTimers(database)).timers },
  ]);
  metrics.observe('timers_overdue_seconds', async () => [
    { value: (await readOverdueTimers(database)).seconds },
  ]);
  metrics.observe('replays', () => countUnfinishedReplays(database));
};

/**
 * Reads the overdue timers. Timers of test clocks are left out because they are due in simulated
 * time.
 */
const readOverdueTimers = async (
  database: Database,
): Promise<{ readonly timers: number; readonly seconds: number }> => {
  const [row] = await database.query<{ timers: number; seconds: number | null }>({
    name: 'overdue timers',
    text: `select count(*)::int as timers,
                  extract(epoch from now() - min(due_at))::float8 as seconds
             from timers where test_clock is null and due_at < now()`,
  });
  const { timers, seconds } = requirePresent(row, 'the row of counted timers');
  // Without an overdue timer there is no oldest one, and nothing is late.
  return { timers, seconds: seconds ?? 0 };
};

const countUnfinishedReplays = async (database: Database): Promise<readonly Sample[]> => {
  const rows = await database.query<{ status: string; replays: number }>({
    name: 'replays under way',
    text: `select status, count(*)::int as replays
             from replays where status in ('queued', 'in_progress') group by status`,
  });
  return ['queued', 'in_progress'].map((status) => ({
    labels: { status },
    value: rows.find((row) => row.status === status)?.replays ?? 0,
  }));
};

const observeDisk = (metrics: Metrics, directory: string): void => {
  metrics.observe('disk_free_bytes', async () => {
    const { bavail, bsize } = await statfs(directory);
    return [{ value: bavail * bsize }];
  });
  metrics.observe('disk_size_bytes', async () => {
    const { blocks, bsize } = await statfs(directory);
    return [{ value: blocks * bsize }];
  });
};

const sum = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const findMaximum = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), 0);
const findMinimum = (values: readonly number[]): number =>
  values.reduce((lowest, value) => Math.min(lowest, value), Infinity);
