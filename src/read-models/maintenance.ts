import { setTimeout as delay } from 'node:timers/promises';
import { describeError, log } from '../ops/log';
import { warnOfFailure } from '../event-store/failures';
import type { Session } from './database';

const LOOK_EVERY_MS = 30_000;
/** What a crash would have to read again, and what is kept on disk beside the tables. */
const WAL_MAX_BYTES = 128 * 1024 * 1024;

/** In transactions. PostgreSQL's own (`autovacuum_freeze_max_age`); after 2³¹ of them nothing works. */
const FREEZE_AGE = 200_000_000;

interface Due {
  readonly name: string;
  /** Whether its transaction ids are old. */
  readonly old: boolean;
}

/**
 * Tables that autovacuum would see to, by its own settings: a fifth has died or is new, or a tenth
 * has changed since it was analysed, or its transaction ids are old. PGlite forgets its counts when it
 * ends, so each table that has anything in it is looked at once in a process's life; where nothing has
 * changed that takes a millisecond. What analysing writes is not analysed itself.
 */
const DUE = `select format('%I.%I', s.schemaname, s.relname) as name, x.age > $1 as old
  from pg_stat_all_tables s join pg_class c on c.oid = s.relid
    left join pg_class toast on toast.oid = c.reltoastrelid
    cross join lateral (
      select greatest(age(c.relfrozenxid), age(toast.relfrozenxid)) as age,
        greatest(c.reltuples, 0) as rows) x
  where s.schemaname <> 'pg_toast' and (x.age > $1
    or (s.last_vacuum is null and pg_relation_size(c.oid) > 0)
    or s.n_dead_tup > 50 + 0.2 * x.rows
    or s.n_ins_since_vacuum > 1000 + 0.2 * x.rows
    or (s.n_mod_since_analyze > 50 + 0.1 * x.rows and s.relname <> 'pg_statistic'))
  order by pg_table_size(c.oid)`;

/** The oldest database sets the limit, and nobody can freeze PGlite's templates from here. */
const OLD_TEMPLATES = `select datname as name from pg_database
  where datname <> current_database() and age(datfrozenxid) > $1`;

const WAL_BYTES = `select pg_current_wal_lsn() - redo_lsn as bytes from pg_control_checkpoint()`;

/**
 * What PostgreSQL's background processes do, autovacuum and the checkpointer: PGlite has neither. Room
 * of deleted rows would never be used again, transaction ids would never be frozen, and the
 * write-ahead log would grow until the process ends.
 */
export class Maintenance {
  constructor(
    private readonly database: Session,
    private readonly freezeAge = FREEZE_AGE,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await this.look(signal).catch((error: unknown) => {
        warnOfFailure('could not maintain the embedded database', 'sql-maintenance', error);
      });
    }
  }

  /** Does what is due, each in a statement of its own: others get the one connection in between. */
  async look(signal: AbortSignal): Promise<void> {
    const due = await this.database.query<Due>({ text: DUE, values: [this.freezeAge] });
    for (const table of due) {
      if (signal.aborted) return;
      await this.vacuum(table);
    }
    await this.dropOldTemplates();
    const [wal] = await this.database.query<{ bytes: string }>({ text: WAL_BYTES });
    if (Number(wal?.bytes) > WAL_MAX_BYTES) await this.database.query({ text: 'checkpoint' });
  }

  private async dropOldTemplates(): Promise<void> {
    const old = await this.database.query<{ name: string }>({
      text: OLD_TEMPLATES,
      values: [this.freezeAge],
    });
    for (const { name } of old) {
      await this.database.query({
        text: 'update pg_database set datistemplate = false where datname = $1',
        values: [name],
      });
      await this.database.query({ text: `drop database "${name}"` });
    }
  }

  /** A table may be gone by now, and one that fails keeps no other from its turn. */
  private async vacuum({ name, old }: Due): Promise<void> {
    const since = performance.now();
    try {
      await this.database.query({ text: `vacuum (analyze, freeze ${old}) ${name}` });
      log.debug({ table: name, duration_ms: Math.round(performance.now() - since) }, 'vacuumed');
    } catch (error) {
      log.debug({ table: name, ...describeError(error) }, 'could not vacuum a table');
    }
  }
}
