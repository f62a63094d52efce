import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { followLog } from '../event-store/catch-up';
import type { EventStoreConnection } from '../event-store/connection';
import type { StoredEvent } from '../event-store/stored-event';
import { describeError, log } from '../ops/log';
import { pollUntilStopped } from '../ops/polling';
import { defineAnalytics, dropAnalytics, endIdleAnalysts } from '../read-models/analytics';
import type { Database, Session, WritingSession } from '../read-models/database';
import { Comparison } from './difference';
import { LogReader } from './log-reader';
import type { Projection } from './projection';
import { CheckpointLost, type Projector } from './projector';
import type { Rebuild, RebuildStore } from './rebuild-store';
import { writeEvents } from './write-events';

/**
 * Interval for looking for rebuilds that other processes requested. A rebuild requested in this
 * process starts at once.
 */
const POLL_MS = 6_000;
/** Interval at which a process that does not project checks whether it does now. */
const STANDBY_POLL_MS = 500;
/**
 * Schema of the tables that are being built. Statements use them while `search_path` names this
 * schema first.
 */
const SCHEMA = 'rebuild';
/** Table in that schema with the id of the run that builds the tables. */
const RUN_TABLE = `${SCHEMA}.rebuild_run`;
/**
 * Lock timeout, shorter than PostgreSQL's deadlock_timeout (1 s), so that the rebuild gives way and
 * not a reader.
 */
const LOCK_TIMEOUT_MS = 200;
const LOCK_ATTEMPTS_MAX = 100;

interface RebuilderParts {
  readonly connection: EventStoreConnection;
  readonly database: Database;
  readonly projections: readonly Projection[];
  readonly projector: Projector;
  readonly store: RebuildStore;
}

/** Thrown when another process projects now. It has restarted the rebuild or has ended it. */
class RebuildLost extends Error {
  override readonly name = 'RebuildLost';
}

interface RebuildRun {
  readonly chosen: readonly Projection[];
  /** Id of this run in the schema. */
  readonly run: string;
  readonly finalStep: FinalStep;
}

/**
 * The last step, which runs at the projector's position. It returns true when it is done; otherwise
 * it is called again at a later position.
 */
type FinalStep = (session: Session) => Promise<boolean>;

/**
 * Rebuilds projections beside the live ones. It reads the whole log into new tables, catches up
 * with the projector, and swaps the tables at exactly its position in one transaction. Readers see
 * the old rows before and the new rows after. If the process dies on the way, nothing has changed.
 * A process that slept while another one took over writes nothing more.
 *
 * A comparison follows the projector while it compares, and then drops the tables that it built.
 */
export class Rebuilder {
  constructor(private readonly parts: RebuilderParts) {}

  async run(signal: AbortSignal): Promise<void> {
    const requests = this.parts.database.rowNotifier.listen('rebuilds');
    const rebuildNext = async (): Promise<number> => {
      if (!this.parts.projector.isOwner()) return STANDBY_POLL_MS;
      const next = await this.findNext();
      if (next === undefined) return POLL_MS;
      await this.rebuild(next, signal);
      return 0;
    };
    await pollUntilStopped(signal, rebuildNext, {
      everyMs: POLL_MS,
      wait: (ms, stop) => requests.waitForRows(ms, stop),
    });
  }

  /** Returns the next request; none while the database does not answer. */
  private findNext(): Promise<Rebuild | undefined> {
    return this.parts.store.findNext().catch(() => undefined);
  }

  private async rebuild(
    { id, projections: names, compare }: Rebuild,
    signal: AbortSignal,
  ): Promise<void> {
    const { store, projections, projector } = this.parts;
    const chosen = projections.filter(({ name }) => names.includes(name));
    const comparison = new Comparison(SCHEMA, chosen);
    const finalStep: FinalStep = compare
      ? (session) => compareNext(session, comparison)
      : (session) => runWithExclusiveLock(session, chosen, () => swapTables(session, chosen));
    try {
      await store.markStarted(id, projector.projectedTo());
      await this.buildTables(id, { chosen, finalStep, run: randomUUID() }, signal);
      const { differences } = comparison;
      if (compare) await store.saveDifferences(id, differences);
      await store.markEnded(id, null);
      log.info(
        { rebuild_id: id, compared: compare, projections: names, differences: differences.length },
        'rebuild.finished',
      );
    } catch (error) {
      // The process is stopping, so the rebuild has not failed. The next process begins it again.
      if (signal.aborted) return;
      if (error instanceof RebuildLost || error instanceof CheckpointLost) {
        log.warn(
          { rebuild_id: id, ...describeError(error) },
          'a rebuild is left to the process that projects now',
        );
        return;
      }
      log.error(
        { rebuild_id: id, ...describeError(error) },
        'a rebuild failed: the read models stay as they were',
      );
      // A rebuild that cannot be marked stays in progress, and begins again (`findNext`).
      await store.markEnded(id, String(error)).catch(() => undefined);
    }
  }

  private async buildTables(id: string, filling: RebuildRun, signal: AbortSignal): Promise<void> {
    await this.createTables(filling);
    const stop = new AbortController();
    const batches = followLog(this.parts.connection, {
      after: null,
      signal: AbortSignal.any([signal, stop.signal]),
    });
    let eventsProjected = 0;
    let reached = -1n;
    for await (const batch of batches) {
      // The batch that reports that the log is caught up is often empty.
      if (batch.position !== null) {
        await this.write(filling, batch.events);
        eventsProjected += batch.events.length;
        reached = batch.position.commit;
        await this.parts.store.saveProgress(id, { eventsProjected, position: reached });
      }
      if (!batch.caughtUp) continue;
      // The projector must have reached the same position, because rows ahead of it would differ.
      await this.parts.projector.waitUntilProjected(reached, signal);
      await this.analyze(filling);
      await this.finish(filling, new LogReader(batches, reached), signal);
      break;
    }
    stop.abort();
    signal.throwIfAborted();
  }

  private async createTables({ chosen, run }: RebuildRun): Promise<void> {
    await this.parts.database.transaction(async (session) => {
      await session.query({ text: `drop schema if exists ${SCHEMA} cascade` });
      await session.query({ text: `create schema ${SCHEMA}` });
      await session.query({ text: `create table ${RUN_TABLE} as select '${run}' as id` });
      for (const { name } of listTables(chosen)) {
        await session.query({
          text: `create table ${SCHEMA}.${name} (like read_model.${name} including all)`,
        });
      }
    });
  }

  private async write(filling: RebuildRun, events: readonly StoredEvent[]): Promise<void> {
    await this.parts.database.transaction((session) => writeRows(session, filling, events));
  }

  /** Collects statistics of the new tables for the planner before the first reader uses them. */
  private async analyze(filling: RebuildRun): Promise<void> {
    for (const { name } of listTables(filling.chosen)) {
      await this.parts.database.transaction(async (session) => {
        await assertOwned(session, filling);
        await session.query({ text: `analyze ${SCHEMA}.${name}` });
      });
    }
  }

  /**
   * Reads the log up to the position of the projector while the projector waits, and then runs the
   * final step. New and live tables are at the same position then.
   */
  private async finish(filling: RebuildRun, log: LogReader, signal: AbortSignal): Promise<void> {
    for (let done = false; !done;) {
      signal.throwIfAborted();
      done = await this.parts.projector.runBetweenBatches(async (session, position) => {
        for await (const events of log.readUpTo(position?.commit ?? -1n)) {
          await writeRows(session, filling, events);
        }
        await assertOwned(session, filling);
        return filling.finalStep(session);
      });
    }
  }
}

const listTables = (chosen: readonly Projection[]): { name: string }[] =>
  chosen.flatMap(({ tables }) => [...tables]);

/**
 * Throws if the new tables are not those of this run. Their names would then mean the live tables.
 * The read keeps the tables from being dropped until the transaction ends.
 */
const assertOwned = async (session: Session, { run }: RebuildRun): Promise<void> => {
  const [table] = await session.query<{ run_table: string | null }>({
    text: `select to_regclass('${RUN_TABLE}') as run_table`,
  });
  const found =
    table?.run_table == null
      ? []
      : await session.query({ text: `select id from ${RUN_TABLE} where id = $1`, values: [run] });
  if (found.length === 0) throw new RebuildLost('another process has taken the rebuild over');
};

const compareNext = async (session: Session, comparison: Comparison): Promise<boolean> => {
  const done = await comparison.compareNextRange(session);
  if (done) await session.query({ text: `drop schema ${SCHEMA} cascade` });
  return done;
};

const writeRows = async (
  session: WritingSession,
  filling: RebuildRun,
  events: readonly StoredEvent[],
): Promise<void> => {
  const { chosen } = filling;
  await assertOwned(session, filling);
  await session.query({ text: `set local search_path = ${SCHEMA}, read_model, service` });
  await writeEvents(session, chosen, events);
};

/**
 * Runs work while the tables are locked exclusively. A reader that holds one table and wants
 * another must never wait for this transaction while this one waits for it. After a timeout all
 * locks are therefore released and tried again.
 */
const runWithExclusiveLock = async (
  session: Session,
  chosen: readonly Projection[],
  work: () => Promise<void>,
): Promise<true> => {
  const names = listTables(chosen).map(({ name }) => `read_model.${name}`);
  await session.query({ text: `set local lock_timeout = ${LOCK_TIMEOUT_MS}` });
  for (let attempt = 1; ; attempt += 1) {
    await session.query({ text: 'savepoint swap' });
    try {
      await session.query({ text: `lock table ${names.join(', ')} in access exclusive mode` });
      await work();
      return true;
    } catch (error) {
      if (attempt === LOCK_ATTEMPTS_MAX || !isLockConflict(error)) throw error;
      await session.query({ text: 'rollback to savepoint swap' });
      await endIdleAnalysts(session);
      await delay(LOCK_TIMEOUT_MS);
    }
  }
};

/** SQLSTATE lock_not_available and deadlock_detected. */
const isLockConflict = (error: unknown): boolean =>
  ['55P03', '40P01'].includes(String((error as { code?: unknown }).code));

const swapTables = async (session: Session, chosen: readonly Projection[]): Promise<void> => {
  await dropAnalytics(session);
  for (const { name } of listTables(chosen)) {
    await session.query({ text: `drop table read_model.${name}` });
    await session.query({ text: `alter table ${SCHEMA}.${name} set schema read_model` });
  }
  await session.query({ text: `drop schema ${SCHEMA} cascade` });
  await defineAnalytics(session);
};
