import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { followLog } from '../event-store/catch-up';
import type { EventStoreConnection } from '../event-store/connection';
import type { StoredEvent } from '../event-store/stored-event';
import { describeError, log } from '../ops/log';
import { defineAnalytics, dropAnalytics, endIdleAnalysts } from '../read-models/analytics';
import type { Database, Session, WritingSession } from '../read-models/database';
import { Comparison } from './difference';
import { LogAhead } from './log-ahead';
import type { Projection } from './projection';
import { LostCheckpoint, type Projector } from './projector';
import type { Rebuild, RebuildStore } from './rebuild-store';
import { writeEvents } from './write-events';

/** One that is asked for in this process begins at once. */
const LOOK_EVERY_MS = 5_000;
/** How soon a process that does not project looks whether it does. */
const STAND_BY_MS = 500;
/** Tables under construction; queries look here first while `search_path` says so. */
const SCHEMA = 'rebuild';
/** Says in that schema whose tables they are. */
const RUN = `${SCHEMA}.rebuild_run`;
/** Shorter than PostgreSQL's deadlock_timeout (1 s), so that it is us who give way. */
const LOCK_PATIENCE_MS = 200;
const LOCK_ATTEMPTS_MAX = 100;

interface RebuilderParts {
  readonly connection: EventStoreConnection;
  readonly database: Database;
  readonly projections: readonly Projection[];
  readonly projector: Projector;
  readonly store: RebuildStore;
}

/** Another process projects now: it has begun the rebuild anew, or has ended it. */
class RebuildLost extends Error {
  override readonly name = 'RebuildLost';
}

interface Filling {
  readonly chosen: readonly Projection[];
  /** Names this run in the schema. */
  readonly run: string;
  readonly atTheEnd: AtTheEnd;
}

/**
 * What becomes of the new tables, at the projector's position. It answers whether it is done: until
 * then it gets further turns, wherever the projector stands by then.
 */
type AtTheEnd = (session: Session) => Promise<boolean>;

/**
 * Builds projections anew beside the live ones: reads the whole log into fresh tables, catches up
 * with the projector, and swaps the tables at exactly its position, in one transaction. Readers see
 * the old rows until then and the new ones after; a process that dies on the way changes nothing, and
 * one that slept while another took over writes nothing any more.
 * Where it is only to compare, it follows the projector while it compares, and drops what it built.
 */
export class Rebuilder {
  constructor(private readonly parts: RebuilderParts) {}

  async run(signal: AbortSignal): Promise<void> {
    const requests = this.parts.database.news.listen('rebuilds');
    while (!signal.aborted) {
      const isOurs = this.parts.projector.isOwner();
      const next = isOurs ? await this.next() : undefined;
      if (next !== undefined) await this.rebuild(next, signal);
      else await requests.next(isOurs ? LOOK_EVERY_MS : STAND_BY_MS, signal);
    }
  }

  private next(): Promise<Rebuild | undefined> {
    return this.parts.store.next().catch(() => undefined);
  }

  private async rebuild(
    { id, projections: names, compare }: Rebuild,
    signal: AbortSignal,
  ): Promise<void> {
    const { store, projections, projector } = this.parts;
    const chosen = projections.filter(({ name }) => names.includes(name));
    const comparison = new Comparison(SCHEMA, chosen);
    const atTheEnd: AtTheEnd = compare
      ? (session) => compareNext(session, comparison)
      : (session) => whenUnused(session, chosen, () => swap(session, chosen));
    try {
      await store.begin(id, projector.projectedTo());
      await this.fill(id, { chosen, atTheEnd, run: randomUUID() }, signal);
      const { differences } = comparison;
      if (compare) await store.compared(id, differences);
      await store.end(id, null);
      log.info(
        { rebuild_id: id, compared: compare, projections: names, differences: differences.length },
        'rebuild.finished',
      );
    } catch (error) {
      // Stopped, not failed: the next process begins again.
      if (signal.aborted) return;
      if (error instanceof RebuildLost || error instanceof LostCheckpoint) {
        log.warn({ rebuild: id, ...describeError(error) }, 'a rebuild is left to who projects');
        return;
      }
      log.error({ rebuild: id, ...describeError(error) }, 'rebuild failed');
      await store.end(id, String(error)).catch(() => undefined);
    }
  }

  private async fill(id: string, filling: Filling, signal: AbortSignal): Promise<void> {
    await this.createTables(filling);
    const stop = new AbortController();
    const batches = followLog(this.parts.connection, {
      after: null,
      signal: AbortSignal.any([signal, stop.signal]),
    });
    let eventsProjected = 0;
    let reached = -1n;
    for await (const batch of batches) {
      // The batch that says "caught up" is often an empty one.
      if (batch.position !== null) {
        await this.write(filling, batch.events);
        eventsProjected += batch.events.length;
        reached = batch.position.commit;
        await this.parts.store.progress(id, { eventsProjected, position: reached });
      }
      if (!batch.caughtUp) continue;
      // Not before the projector has come as far: rows ahead of it would not be alike.
      await this.parts.projector.whenProjected(reached, signal);
      await this.analyze(filling);
      await this.finish(filling, new LogAhead(batches, reached), signal);
      break;
    }
    stop.abort();
    signal.throwIfAborted();
  }

  private async createTables({ chosen, run }: Filling): Promise<void> {
    await this.parts.database.transaction(async (session) => {
      await session.query({ text: `drop schema if exists ${SCHEMA} cascade` });
      await session.query({ text: `create schema ${SCHEMA}` });
      await session.query({ text: `create table ${RUN} as select '${run}' as id` });
      for (const { name } of tablesOf(chosen)) {
        await session.query({
          text: `create table ${SCHEMA}.${name} (like read_model.${name} including all)`,
        });
      }
    });
  }

  private async write(filling: Filling, events: readonly StoredEvent[]): Promise<void> {
    await this.parts.database.transaction((session) => writeRows(session, filling, events));
  }

  /** So that the planner knows the new tables when the first reader meets them. */
  private async analyze(filling: Filling): Promise<void> {
    for (const { name } of tablesOf(filling.chosen)) {
      await this.parts.database.transaction(async (session) => {
        await assertOurs(session, filling);
        await session.query({ text: `analyze ${SCHEMA}.${name}` });
      });
    }
  }

  /** Reads on to where the projector stands while it waits for us; the tables are alike there. */
  private async finish(filling: Filling, log: LogAhead, signal: AbortSignal): Promise<void> {
    for (let done = false; !done;) {
      signal.throwIfAborted();
      done = await this.parts.projector.exclusively(async (session, position) => {
        for await (const events of log.upTo(position?.commit ?? -1n)) {
          await writeRows(session, filling, events);
        }
        await assertOurs(session, filling);
        return filling.atTheEnd(session);
      });
    }
  }
}

const tablesOf = (chosen: readonly Projection[]): { name: string }[] =>
  chosen.flatMap(({ tables }) => [...tables]);

/**
 * Without tables of our own the names would mean the live ones. The look keeps them from being dropped
 * until the transaction ends.
 */
const assertOurs = async (session: Session, { run }: Filling): Promise<void> => {
  const [there] = await session.query<{ ours: string | null }>({
    text: `select to_regclass('${RUN}') as ours`,
  });
  const found =
    there?.ours == null
      ? []
      : await session.query({ text: `select id from ${RUN} where id = $1`, values: [run] });
  if (found.length === 0) throw new RebuildLost('another process has taken the rebuild over');
};

const compareNext = async (session: Session, comparison: Comparison): Promise<boolean> => {
  const done = await comparison.next(session);
  if (done) await session.query({ text: `drop schema ${SCHEMA} cascade` });
  return done;
};

const writeRows = async (
  session: WritingSession,
  filling: Filling,
  events: readonly StoredEvent[],
): Promise<void> => {
  const { chosen } = filling;
  await assertOurs(session, filling);
  await session.query({ text: `set local search_path = ${SCHEMA}, read_model, service` });
  await writeEvents(session, chosen, events);
};

/**
 * Runs work with the tables locked for us alone. A reader that holds one of them and wants another
 * must never wait for us while we wait for it: we let go of all of them and try again.
 */
const whenUnused = async (
  session: Session,
  chosen: readonly Projection[],
  work: () => Promise<void>,
): Promise<true> => {
  const names = tablesOf(chosen).map(({ name }) => `read_model.${name}`);
  await session.query({ text: `set local lock_timeout = ${LOCK_PATIENCE_MS}` });
  for (let attempt = 1; ; attempt += 1) {
    await session.query({ text: 'savepoint swap' });
    try {
      await session.query({ text: `lock table ${names.join(', ')} in access exclusive mode` });
      await work();
      return true;
    } catch (error) {
      if (attempt === LOCK_ATTEMPTS_MAX || !isHeld(error)) throw error;
      await session.query({ text: 'rollback to savepoint swap' });
      await endIdleAnalysts(session);
      await delay(LOCK_PATIENCE_MS);
    }
  }
};

/** SQLSTATE lock_not_available and deadlock_detected. */
const isHeld = (error: unknown): boolean =>
  ['55P03', '40P01'].includes(String((error as { code?: unknown }).code));

const swap = async (session: Session, chosen: readonly Projection[]): Promise<void> => {
  await dropAnalytics(session);
  for (const { name } of tablesOf(chosen)) {
    await session.query({ text: `drop table read_model.${name}` });
    await session.query({ text: `alter table ${SCHEMA}.${name} set schema read_model` });
  }
  await session.query({ text: `drop schema ${SCHEMA} cascade` });
  await defineAnalytics(session);
};
