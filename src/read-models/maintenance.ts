import { pollUntilStopped } from '../ops/polling';
import { describeError, log } from '../ops/log';
import { warnOfFailure } from '../event-store/failures';
import type { Session } from './database';

const CHECK_EVERY_MS = 30_000;
/**
 * Maximum of write-ahead log, which a crash must read again and which takes space beside the
 * tables.
 */
const WAL_MAX_BYTES = 128 * 1024 * 1024;

/**
 * Age in transactions at which rows are frozen, as PostgreSQL's `autovacuum_freeze_max_age`. After
 * 2³¹ transactions without freezing the database stops.
 */
const FREEZE_AGE = 200_000_000;

interface DueTable {
  readonly name: string;
  /** True if its transaction ids are old. */
  readonly isOld: boolean;
}

/**
 * Selects the tables that autovacuum would process with its default settings: a fifth of the rows
 * is dead or new, a tenth has changed since the last analysis, or transaction ids are old. PGlite
 * loses its counts when it ends, so each non-empty table is processed once in the life of a
 * process; an unchanged table takes a millisecond. The table that analysing writes is not analysed
 * itself.
 */
const DUE_TABLES = `select format('%I.%I', s.schemaname, s.relname) as name, x.age > $1 as "isOld"
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

/**
 * Selects old template databases. The oldest database limits transaction ids, and PGlite's
 * templates cannot be frozen from here.
 */
const OLD_TEMPLATES = `select datname as name from pg_database
  where datname <> current_database() and age(datfrozenxid) > $1`;

const WAL_BYTES = `select pg_current_wal_lsn() - redo_lsn as bytes from pg_control_checkpoint()`;

/**
 * Does the work of PostgreSQL's autovacuum and checkpointer, which PGlite does not have. Without it
 * the space of deleted rows would never be reused, transaction ids would never be frozen, and the
 * write-ahead log would grow until the process ends.
 */
export class Maintenance {
  constructor(
    private readonly database: Session,
    private readonly freezeAge = FREEZE_AGE,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    await pollUntilStopped(signal, () => this.maintain(signal), {
      everyMs: CHECK_EVERY_MS,
      firstAfterMs: CHECK_EVERY_MS,
      onFailure: (error) => {
        warnOfFailure(
          'the embedded SQL database cannot be vacuumed or checkpointed: it is tried again',
          'sql-maintenance',
          error,
        );
      },
    });
  }

  /**
   * Does all work that is due. Each part is a statement of its own, so that other work can use the
   * one connection in between.
   */
  async maintain(signal: AbortSignal): Promise<void> {
    const due = await this.database.query<DueTable>({ text: DUE_TABLES, values: [this.freezeAge] });
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

  /** Vacuums a table. The table may have been dropped, and a failure must not stop the others. */
  private async vacuum({ name, isOld }: DueTable): Promise<void> {
    const since = performance.now();
    try {
      await this.database.query({ text: `vacuum (analyze, freeze ${isOld}) ${name}` });
      log.debug({ table: name, duration_ms: Math.round(performance.now() - since) }, 'vacuumed');
    } catch (error) {
      log.debug({ table: name, ...describeError(error) }, 'a table cannot be vacuumed');
    }
  }
}
