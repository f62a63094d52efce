import { SessionStore, SESSION_SECONDS_MAX } from '../../src/features/console/session.store';
import type { Database } from '../../src/read-models/database';
import { openMigratedSql } from '../support/sql';

let database: Database;
let close: () => Promise<void>;
let store: SessionStore;

beforeAll(async () => {
  ({ sql: database, close } = await openMigratedSql());
  store = new SessionStore(database);
}, 60_000);
afterAll(() => close());

const open = async (): Promise<{ id: string; token: string }> => {
  const { row, token } = await store.open({
    personId: null,
    generation: 0,
    granted: { operator: 'operator' },
    seconds: SESSION_SECONDS_MAX,
    address: '127.0.0.1',
    userAgent: undefined,
  });
  return { id: row.id, token };
};

/** Moves the times of a session into the past. */
const moveIntoPast = (id: string, by: { opened: string; used: string }): Promise<unknown> =>
  database.query({
    text: `update console_sessions set ends_at = ends_at - $2::interval,
      seen_at = now() - $3::interval where id = $1`,
    values: [id, by.opened, by.used],
  });

describe('a session', () => {
  it('ends twelve hours after its last request', async () => {
    const { id, token } = await open();
    await moveIntoPast(id, { opened: '1 day', used: '11 hours 59 minutes' });
    // This request is the last one now, so twelve hours begin anew.
    expect((await store.find(token))?.id).toBe(id);
    expect(Date.parse((await store.find(token))?.seen_at ?? '')).toBeGreaterThan(
      Date.now() - 60_000,
    );
    await moveIntoPast(id, { opened: '0', used: '12 hours 1 second' });
    expect(await store.find(token)).toBeNull();
    expect((await store.list()).map((session) => session.id)).not.toContain(id);
  });

  it('ends seven days after the sign-in, however often it is used', async () => {
    const { id, token } = await open();
    await moveIntoPast(id, { opened: '6 days 23 hours', used: '0' });
    expect((await store.find(token))?.id).toBe(id);
    await moveIntoPast(id, { opened: '1 hour 1 second', used: '0' });
    expect(await store.find(token)).toBeNull();
  });

  it('is deleted with its row as soon as it has ended', async () => {
    const { id } = await open();
    await moveIntoPast(id, { opened: '8 days', used: '0' });
    await store.prune();
    const rows = await database.query({
      text: 'select 1 from console_sessions where id = $1',
      values: [id],
    });
    expect(rows).toEqual([]);
  });
});

describe('a one-time link', () => {
  it('ends after ten minutes', async () => {
    const { token } = await store.makeLink({ operator: 'operator' }, SESSION_SECONDS_MAX);
    await database.query({
      text: `update console_links set expires_at = expires_at - interval '10 minutes'`,
    });
    await expect(store.spendLink(token)).rejects.toMatchObject({ code: 'link_spent' });
  });

  it('can be used by only one of several requests at the same time', async () => {
    const { token } = await store.makeLink({ operator: 'operator' }, SESSION_SECONDS_MAX);
    const spent = await Promise.allSettled(Array.from({ length: 5 }, () => store.spendLink(token)));
    expect(spent.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
