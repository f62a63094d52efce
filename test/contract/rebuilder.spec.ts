import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { LogPosition } from '../../src/event-store/catch-up';
import type { StoredEvent } from '../../src/event-store/stored-event';
import type { Instant } from '../../src/kernel/time';
import { Projection } from '../../src/projections/projection';
import type { Projector } from '../../src/projections/projector';
import { Rebuilder } from '../../src/projections/rebuilder';
import { type Rebuild, RebuildStore } from '../../src/projections/rebuild-store';
import type { RowChanges, Table } from '../../src/projections/rows';
import type { Database, Session } from '../../src/read-models/database';
import { migrate } from '../../src/read-models/migrate';
import { databases } from '../support/databases';
import { Log } from '../support/log';
import { openSql } from '../support/sql';
import { until } from '../support/until';

/** The time in ms within which a batch is written. */
const SETTLED_MS = 500;

const THINGS: Table = { name: 'things', key: ['id'] };

/** A table whose rows are tasks. The worker that completes a task deletes its row. */
const TASKS: Table = { name: 'errands', key: ['value'], perishable: true };

class Things extends Projection {
  readonly name = 'things';
  readonly tables = [THINGS, TASKS];

  project({ data }: StoredEvent, changes: RowChanges): void {
    changes.upsert(THINGS, data);
    changes.upsert(TASKS, { value: data['value'] });
  }
}

/** A process that owns the projector until the test takes the ownership away. */
class Process {
  readonly log = new Log();
  readonly rebuilder: Rebuilder;
  private readonly stop = new AbortController();
  private ended: Promise<void> | undefined;
  owner = true;
  position = 3n;
  /** A function that runs before each turn of the rebuilder. */
  beforeTurn: (turn: number) => Promise<void> = () => Promise.resolve();
  turns = 0;

  constructor(
    private readonly sql: Database,
    store: RebuildStore,
  ) {
    const projector = {
      isOwner: () => this.owner,
      projectedTo: () => this.position,
      waitUntilProjected: (wanted: bigint) =>
        until('the projector', () => Promise.resolve(this.position >= wanted)),
      runBetweenBatches: async <T>(work: (session: Session, at: LogPosition) => Promise<T>) => {
        this.turns += 1;
        await this.beforeTurn(this.turns);
        return this.sql.transaction((session) =>
          work(session, { commit: this.position, prepare: this.position }),
        );
      },
    } as unknown as Projector;
    const projections = [new Things()];
    const parts = { connection: this.log.connection, database: sql, projections, projector, store };
    this.rebuilder = new Rebuilder(parts);
  }

  run(): void {
    this.ended = this.rebuilder.run(this.stop.signal);
  }

  /** Waits until all events that have arrived are written or skipped. */
  waitUntilProcessed(): Promise<unknown> {
    return until('the log to be read', () => Promise.resolve(this.log.left === 0)).then(() =>
      setTimeout(SETTLED_MS),
    );
  }

  async end(): Promise<void> {
    this.stop.abort();
    await this.ended;
  }
}

describe.each(databases)('the rebuilder, on $name SQL', (database) => {
  let sql: Database;
  let close: () => Promise<void>;
  let store: RebuildStore;

  beforeAll(async () => {
    ({ sql, close } = await openSql(database));
    await migrate(sql);
    await sql.query({ text: 'create table read_model.things (id text primary key, value int)' });
    await sql.query({ text: 'create table read_model.errands (value int primary key)' });
    store = new RebuildStore(sql);
  });

  beforeEach(async () => {
    await sql.query({ text: 'truncate things' });
    await sql.query({ text: "insert into things values ('one', 3)" });
  });

  afterAll(() => close());

  const request = async (compare: boolean): Promise<string> => {
    const id = `rbd_${randomUUID()}`;
    const now = new Date().toISOString() as Instant;
    await store.request({ id, projections: ['things'], compare }, now);
    return id;
  };
  const compare = (): Promise<string> => request(true);

  const waitForPosition = (id: string, position: number): Promise<unknown> =>
    until('the rebuild to come that far', async () => {
      const rebuild = await store.find(id);
      return rebuild?.position === String(position);
    });

  const waitForEnd = (id: string): Promise<Rebuild> =>
    until('the rebuild to end', async () => {
      const rebuild = await store.find(id);
      return rebuild?.finished_at == null ? null : rebuild;
    });

  const readValue = async (): Promise<unknown> =>
    (await sql.query<{ value: number }>({ text: 'select value from things' }))[0]?.value;

  it('does not change the live rows when it resumes after another process took over', async () => {
    const [first, second] = [new Process(sql, store), new Process(sql, store)];
    const id = await compare();
    first.run();
    first.log.set(1);
    await waitForPosition(id, 1);
    // The first process sleeps. The other one rebuilds everything and drops the tables of the
    // first.
    first.owner = false;
    second.run();
    second.log.set(1, 2, 3);
    await second.log.catchUp();
    expect(await waitForEnd(id)).toMatchObject({ status: 'completed', differences: [] });
    first.log.set(2);
    await first.waitUntilProcessed();
    expect(await readValue()).toBe(3);
    expect(await store.find(id)).toMatchObject({ status: 'completed', failure_reason: null });
    await Promise.all([first.end(), second.end()]);
  });

  it('compares its result at the projector’s position, not ahead of it', async () => {
    const only = new Process(sql, store);
    only.position = 2n;
    await sql.query({ text: 'update things set value = 2' });
    const id = await compare();
    only.run();
    only.log.set(1, 2, 3);
    await only.log.catchUp();
    await waitForPosition(id, 3);
    // Events that the projector has not read yet are no difference.
    await sql.query({ text: 'update things set value = 3' });
    only.position = 3n;
    expect(await waitForEnd(id)).toMatchObject({ status: 'completed', differences: [] });
    await only.end();
  });

  it('compares a large table in many turns, and changes in between are no difference', async () => {
    const only = new Process(sql, store);
    // So many things are compared in three turns, in the order of their names.
    const names = Array.from({ length: 5_000 }, (_, i) => `thing ${String(i).padStart(4, '0')}`);
    const place = (i: number): string => names[i] ?? '';
    await sql.query({
      text: 'insert into things select unnest($1::text[]), 1',
      values: [names],
    });
    await sql.query({ text: 'update things set value = 7 where id = $1', values: [place(10)] });
    await sql.query({ text: 'delete from things where id = $1', values: [place(2_500)] });
    await sql.query({ text: "insert into things values ('thing 4998 a', 1)" });
    const id = await compare();
    only.log.set(3);
    names.forEach((name, i) => {
      only.log.appendAt(4 + i, { id: name, value: 1 });
    });
    only.position = BigInt(3 + names.length);
    // Three things change in one batch: one that was compared, one that was not, and a new one.
    const changed = [place(1), place(4_000), 'thing 4998 b'];
    only.beforeTurn = async (turn) => {
      if (turn < 2 || turn > 4) return;
      const thing = changed[turn - 2];
      if (turn === 2) {
        changed.forEach((name, i) => {
          only.log.appendAt(Number(only.position) + 1 + i, { id: name, value: 2 });
        });
      }
      only.position += 1n;
      await sql.query({
        text: `insert into things values ($1, 2)
          on conflict (id) do update set value = excluded.value`,
        values: [thing],
      });
    };
    only.run();
    await only.log.catchUp();
    const { differences } = await waitForEnd(id);
    const found = differences?.filter(({ table }) => table === 'things');
    expect(found).toMatchObject([
      { key: { id: place(10) }, columns: ['value'] },
      { key: { id: place(2_500) } },
      { key: { id: 'thing 4998 a' } },
    ]);
    expect(only.turns).toBeGreaterThanOrEqual(4);
    await only.end();
  });

  it('skips events that no row can contain', async () => {
    const only = new Process(sql, store);
    const id = await compare();
    only.run();
    only.log.set(1);
    only.log.appendAt(2, { id: 'one', value: 'no number' });
    only.log.set(3);
    await only.log.catchUp();
    expect(await waitForEnd(id)).toMatchObject({ status: 'completed', differences: [] });
    await only.end();
  });

  it('gives the planner the row counts of the new tables from the start', async () => {
    const only = new Process(sql, store);
    const id = await request(false);
    only.run();
    only.log.set(1, 2, 3);
    await only.log.catchUp();
    await waitForEnd(id);
    const known = await sql.query({
      text: "select reltuples from pg_class where oid = 'read_model.things'::regclass",
    });
    expect(known).toEqual([{ reltuples: 1 }]);
    await only.end();
  });

  it('does not miss removed rows, and finds rows that should not exist', async () => {
    const only = new Process(sql, store);
    await sql.query({ text: 'insert into errands values (7)' });
    const id = await compare();
    only.run();
    only.log.set(1, 2, 3);
    await only.log.catchUp();
    const { differences } = await waitForEnd(id);
    expect(differences).toMatchObject([{ table: 'errands', key: { value: 7 } }]);
    await sql.query({ text: 'truncate errands' });
    await only.end();
  });
});
