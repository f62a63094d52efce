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

/** A batch is written well within this. */
const SETTLED_MS = 500;

const THINGS: Table = { name: 'things', key: ['id'] };

/** Whoever has done what such a row asks for takes it off. */
const ERRANDS: Table = { name: 'errands', key: ['value'], perishable: true };

class Things extends Projection {
  readonly name = 'things';
  readonly tables = [THINGS, ERRANDS];

  project({ data }: StoredEvent, changes: RowChanges): void {
    changes.upsert(THINGS, data);
    changes.upsert(ERRANDS, { value: data['value'] });
  }
}

/** One process: it owns the projector until it is told that it does not any more. */
class Process {
  readonly log = new Log();
  readonly rebuilder: Rebuilder;
  private readonly stop = new AbortController();
  private ended: Promise<void> | undefined;
  owner = true;
  position = 3n;

  constructor(
    private readonly sql: Database,
    store: RebuildStore,
  ) {
    const projector = {
      isOwner: () => this.owner,
      projectedTo: () => this.position,
      whenProjected: (wanted: bigint) =>
        until('the projector', () => Promise.resolve(this.position >= wanted)),
      exclusively: <T>(work: (session: Session, at: LogPosition) => Promise<T>) =>
        this.sql.transaction((session) =>
          work(session, { commit: this.position, prepare: this.position }),
        ),
    } as unknown as Projector;
    const projections = [new Things()];
    const parts = { connection: this.log.connection, database: sql, projections, projector, store };
    this.rebuilder = new Rebuilder(parts);
  }

  run(): void {
    this.ended = this.rebuilder.run(this.stop.signal);
  }

  /** What has arrived was written, or given up. */
  given(): Promise<unknown> {
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

  const compare = async (): Promise<string> => {
    const id = `rbd_${randomUUID()}`;
    const now = new Date().toISOString() as Instant;
    await store.request({ id, projections: ['things'], compare: true }, now);
    return id;
  };

  const reached = (id: string, position: number): Promise<unknown> =>
    until('the rebuild to come that far', async () => {
      const rebuild = await store.find(id);
      return rebuild?.position === String(position);
    });

  const ended = (id: string): Promise<Rebuild> =>
    until('the rebuild to end', async () => {
      const rebuild = await store.find(id);
      return rebuild?.finished_at == null ? null : rebuild;
    });

  const value = async (): Promise<unknown> =>
    (await sql.query<{ value: number }>({ text: 'select value from things' }))[0]?.value;

  it('leaves the live rows alone when it wakes up after another process took over', async () => {
    const [first, second] = [new Process(sql, store), new Process(sql, store)];
    const id = await compare();
    first.run();
    first.log.set(1);
    await reached(id, 1);
    // It sleeps; the other one does all of it, and drops what it has built.
    first.owner = false;
    second.run();
    second.log.set(1, 2, 3);
    await second.log.catchUp();
    expect(await ended(id)).toMatchObject({ status: 'completed', differences: [] });
    first.log.set(2);
    await first.given();
    expect(await value()).toBe(3);
    expect(await store.find(id)).toMatchObject({ status: 'completed', failure_reason: null });
    await Promise.all([first.end(), second.end()]);
  });

  it('compares what it has built where the projector stands, not ahead of it', async () => {
    const only = new Process(sql, store);
    only.position = 2n;
    await sql.query({ text: 'update things set value = 2' });
    const id = await compare();
    only.run();
    only.log.set(1, 2, 3);
    await only.log.catchUp();
    await reached(id, 3);
    // What the projector has not seen yet is no difference.
    await sql.query({ text: 'update things set value = 3' });
    only.position = 3n;
    expect(await ended(id)).toMatchObject({ status: 'completed', differences: [] });
    await only.end();
  });

  it('leaves out what no row can hold', async () => {
    const only = new Process(sql, store);
    const id = await compare();
    only.run();
    only.log.set(1);
    only.log.arrive(2, { id: 'one', value: 'no number' });
    only.log.set(3);
    await only.log.catchUp();
    expect(await ended(id)).toMatchObject({ status: 'completed', differences: [] });
    await only.end();
  });

  it('does not miss what was taken off, and finds what should not be there', async () => {
    const only = new Process(sql, store);
    await sql.query({ text: 'insert into errands values (7)' });
    const id = await compare();
    only.run();
    only.log.set(1, 2, 3);
    await only.log.catchUp();
    const { differences } = await ended(id);
    expect(differences).toMatchObject([{ table: 'errands', key: { value: 7 } }]);
    await sql.query({ text: 'truncate errands' });
    await only.end();
  });
});
