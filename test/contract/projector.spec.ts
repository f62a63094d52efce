import type { EventStoreConnection } from '../../src/event-store/connection';
import type { StoredEvent } from '../../src/event-store/stored-event';
import { NO_TRACING } from '../../src/ops/tracing';
import { Metrics } from '../../src/ops/metrics';
import { Projection } from '../../src/projections/projection';
import { SubscriptionWatch } from '../../src/event-store/subscription-watch';
import {
  PROJECTOR_CHECKPOINT,
  readCheckpoint,
  saveCheckpoint,
} from '../../src/projections/checkpoint';
import { Projector } from '../../src/projections/projector';
import type { RowChanges, Table } from '../../src/projections/rows';
import type { Database } from '../../src/read-models/database';
import { migrate } from '../../src/read-models/migrate';
import { showPresence } from '../../src/read-models/presence';
import { databases } from '../support/databases';
import { Log } from '../support/log';
import { openSql } from '../support/sql';
import { until } from '../support/until';

const MOMENTS: Table = { name: 'moments', key: ['id'] };

/** A time in ms that is shorter than the time after which a heartbeat is too old. */
const PROMPT_MS = 4_000;

class Moments extends Projection {
  readonly name = 'moments';
  readonly tables = [MOMENTS];

  project({ data }: StoredEvent, changes: RowChanges): void {
    const id = (data['id'] as string).toUpperCase();
    changes.upsert(MOMENTS, { id, at: data['at'] });
  }
}

describe.each(databases)('the projector, on $name SQL', (which) => {
  let sql: Database;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ sql, close } = await openSql(which));
    await migrate(sql);
    await sql.query({
      text: 'create table read_model.moments (id text primary key, at timestamptz not null)',
    });
  });

  beforeEach(async () => {
    await sql.query({ text: 'delete from checkpoints' });
    await sql.query({ text: 'truncate moments' });
  });

  afterAll(() => close());

  const onPostgres = which.name === 'postgres' ? it : it.skip;

  /** Stores a checkpoint that another process has moved just now. */
  const ownCheckpoint = (owner: string) =>
    saveCheckpoint(sql, {
      name: PROJECTOR_CHECKPOINT,
      position: { commit: 7n, prepare: 7n },
      complete: true,
      owner,
    });

  const startProjector = () => {
    const projector = new Projector({
      connection: new Log().connection,
      database: sql,
      projections: [new Moments()],
      metrics: new Metrics(),
      tracing: NO_TRACING,
      instanceId: 'me',
    });
    const ending = new AbortController();
    const running = projector.run(ending.signal);
    const stop = async (): Promise<void> => {
      ending.abort();
      await running;
    };
    return { projector, stop };
  };

  it('skips events that no row can contain, and continues with all others', async () => {
    const log = new Log();
    const metrics = new Metrics();
    const projector = new Projector({
      connection: log.connection,
      database: sql,
      projections: [new Moments()],
      metrics,
      tracing: NO_TRACING,
      instanceId: 'me',
    });
    const stop = new AbortController();
    const running = projector.run(stop.signal);
    const at = '2026-03-01T12:00:00.000Z';
    log.appendAt(1, { id: 'good', at });
    log.appendAt(2, { id: 'beyond time', at: '+010000-01-01T23:58:59.000Z' });
    log.appendAt(3, { id: 'no time', at: null });
    log.appendAt(4, { at });
    log.appendAt(5, { id: 'good too', at });
    await log.catchUp();
    await until('all of it', () => projector.isCurrent() && projector.projectedTo() === 5n).finally(
      () => {
        stop.abort();
      },
    );
    await running;
    const rows = await sql.query<{ id: string }>({ text: 'select id from moments order by id' });
    expect(rows.map(({ id }) => id)).toEqual(['GOOD', 'GOOD TOO']);
    expect((await metrics.unprojectedEvents.get()).values).toMatchObject([{ value: 3 }]);
  });

  it('releases its checkpoint when it stops, so that the next process need not wait', async () => {
    const log = new Log();
    const parts = { database: sql, projections: [new Moments()], tracing: NO_TRACING };
    const projector = new Projector({
      ...parts,
      connection: log.connection,
      metrics: new Metrics(),
      instanceId: 'me',
    });
    const stop = new AbortController();
    const running = projector.run(stop.signal);
    await log.catchUp();
    await until('the checkpoint', () => projector.isOwner()).finally(() => {
      stop.abort();
    });
    await running;
    expect(await readCheckpoint(sql, PROJECTOR_CHECKPOINT)).toMatchObject({ owner: null });
  });

  it('takes over at once from a process that has died, although its last heartbeat is young', async () => {
    await ownCheckpoint('dead');
    const { projector, stop } = startProjector();
    await until('the checkpoint', () => projector.isOwner(), PROMPT_MS).finally(stop);
  });

  onPostgres('leaves the checkpoint to a process that lives, until it has died', async () => {
    const death = new AbortController();
    const shown = new Promise<void>((onShown) => {
      showPresence(sql, 'alive', { signal: death.signal, onShown }).catch(() => undefined);
    });
    await shown;
    await ownCheckpoint('alive');
    const { projector, stop } = startProjector();
    try {
      await until('a look at the checkpoint', () => projector.projectedTo() === 7n);
      expect(projector.isOwner()).toBe(false);
      death.abort();
      await until('the checkpoint', () => projector.isOwner(), PROMPT_MS);
    } finally {
      await stop();
    }
  });

  it('reports how long it has been behind, and continues as soon as it can', async () => {
    // Each subscription reads the log again.
    const connection = {
      subscriptions: new SubscriptionWatch(),
      leaseSubscription: () => {
        const log = new Log();
        log.appendAt(1, { id: 'one', at: '2026-03-01T12:00:00.000Z' });
        void log.catchUp();
        return log.connection.leaseSubscription();
      },
    } as unknown as EventStoreConnection;
    const parts = {
      connection,
      database: sql,
      projections: [new Moments()],
      metrics: new Metrics(),
      tracing: NO_TRACING,
    };
    const projector = new Projector({ ...parts, instanceId: 'me' });
    const stop = new AbortController();
    await sql.query({ text: 'alter table read_model.moments rename to away' });
    const running = projector.run(stop.signal);
    try {
      await until('it to be behind', () => projector.lagSeconds() > 2);
      await sql.query({ text: 'alter table read_model.away rename to moments' });
      await until('it to have got on', () => projector.projectedTo() === 1n);
      await until('no lag', () => projector.lagSeconds() === 0);
    } finally {
      stop.abort();
      await running;
    }
  });
});
