import { setTimeout as delay } from 'node:timers/promises';
import { followLog, type LogBatch } from '../event-store/catch-up';
import type { EventStoreConnection } from '../event-store/connection';
import type { StoredEvent } from '../event-store/stored-event';
import { describeError, log } from '../ops/log';
import { defineAnalytics, dropAnalytics } from '../read-models/analytics';
import type { Database, Session } from '../read-models/database';
import { compareTables, type Difference } from './difference';
import type { Projection } from './projection';
import type { Projector } from './projector';
import type { Rebuild, RebuildStore } from './rebuild-store';
import { RowChanges } from './rows';

const LOOK_EVERY_MS = 500;
/** Tables under construction; queries look here first while `search_path` says so. */
const SCHEMA = 'rebuild';
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

/** What becomes of the new tables, at the projector's position. */
type AtTheEnd = (session: Session) => Promise<void>;

interface Filled {
  readonly batches: AsyncGenerator<LogBatch>;
  readonly reached: bigint;
  readonly atTheEnd: AtTheEnd;
}

/**
 * Builds projections anew beside the live ones: reads the whole log into fresh tables, catches up
 * with the projector, and swaps the tables at exactly its position, in one transaction. Readers see
 * the old rows until then and the new ones after; a process that dies on the way changes nothing.
 * Where it is only to compare, it compares at that position and drops what it built.
 */
export class Rebuilder {
  constructor(private readonly parts: RebuilderParts) {}

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const next = this.parts.projector.isOwner() ? await this.next() : undefined;
      if (next !== undefined) await this.rebuild(next, signal);
      else await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
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
    let differences: Difference[] = [];
    const atTheEnd: AtTheEnd = compare
      ? async (session) => {
          differences = await compareTables(session, SCHEMA, chosen);
          await session.query({ text: `drop schema ${SCHEMA} cascade` });
        }
      : (session) => whenUnused(session, chosen, () => swap(session, chosen));
    try {
      await store.begin(id, projector.projectedTo());
      await this.fill(id, { chosen, atTheEnd }, signal);
      if (compare) await store.compared(id, differences);
      await store.end(id, null);
      const done = compare ? 'projections compared' : 'projections rebuilt';
      log.info({ rebuild: id, projections: names, differences: differences.length }, done);
    } catch (error) {
      // Stopped, not failed: the next process begins again.
      if (signal.aborted) return;
      log.error({ rebuild: id, ...describeError(error) }, 'rebuild failed');
      await store.end(id, String(error)).catch(() => undefined);
    }
  }

  private async fill(
    id: string,
    { chosen, atTheEnd }: { chosen: readonly Projection[]; atTheEnd: AtTheEnd },
    signal: AbortSignal,
  ): Promise<void> {
    await this.createTables(chosen);
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
        await this.write(chosen, batch.events);
        eventsProjected += batch.events.length;
        reached = batch.position.commit;
        await this.parts.store.progress(id, { eventsProjected, position: reached });
      }
      if (!batch.caughtUp) continue;
      await this.finish(chosen, { batches, reached, atTheEnd });
      break;
    }
    stop.abort();
    signal.throwIfAborted();
  }

  private async createTables(chosen: readonly Projection[]): Promise<void> {
    await this.parts.database.transaction(async (session) => {
      await session.query({ text: `drop schema if exists ${SCHEMA} cascade` });
      await session.query({ text: `create schema ${SCHEMA}` });
      for (const { name } of tablesOf(chosen)) {
        await session.query({
          text: `create table ${SCHEMA}.${name} (like read_model.${name} including all)`,
        });
      }
    });
  }

  private async write(
    chosen: readonly Projection[],
    events: readonly StoredEvent[],
  ): Promise<void> {
    await this.parts.database.transaction((session) => writeRows(session, chosen, events));
  }

  /** Reads on to where the projector stands while it waits for us; the tables are alike there. */
  private async finish(
    chosen: readonly Projection[],
    { batches, reached, atTheEnd }: Filled,
  ): Promise<void> {
    await this.parts.projector.exclusively(async (session, position) => {
      const target = position?.commit ?? -1n;
      for (let at = reached; at < target;) {
        const next = await batches.next();
        if (next.done === true) throw new Error('the log ended before the projector’s position');
        const { value } = next;
        const due = value.events.filter((event) => event.position <= target);
        await writeRows(session, chosen, due);
        at = value.position?.commit ?? at;
      }
      await atTheEnd(session);
    });
  }
}

const tablesOf = (chosen: readonly Projection[]): { name: string }[] =>
  chosen.flatMap(({ tables }) => [...tables]);

const writeRows = async (
  session: Session,
  chosen: readonly Projection[],
  events: readonly StoredEvent[],
): Promise<void> => {
  const changes = new RowChanges();
  for (const event of events) for (const each of chosen) each.project(event, changes);
  await session.query({ text: `set local search_path = ${SCHEMA}, read_model, service` });
  await changes.write(session);
};

/**
 * Runs work with the tables locked for us alone. A reader that holds one of them and wants another
 * must never wait for us while we wait for it: we let go of all of them and try again.
 */
const whenUnused = async (
  session: Session,
  chosen: readonly Projection[],
  work: () => Promise<void>,
): Promise<void> => {
  const names = tablesOf(chosen).map(({ name }) => `read_model.${name}`);
  await session.query({ text: `set local lock_timeout = ${LOCK_PATIENCE_MS}` });
  for (let attempt = 1; ; attempt += 1) {
    await session.query({ text: 'savepoint swap' });
    try {
      await session.query({ text: `lock table ${names.join(', ')} in access exclusive mode` });
      await work();
      return;
    } catch (error) {
      if (attempt === LOCK_ATTEMPTS_MAX || !isHeld(error)) throw error;
      await session.query({ text: 'rollback to savepoint swap' });
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
