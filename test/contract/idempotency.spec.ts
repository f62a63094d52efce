import { MasterKey } from '../../src/event-store/master-key';
import { IdempotencyStore, type KeyedRequest } from '../../src/http/pipeline/idempotency';
import type { Instant } from '../../src/kernel/time';
import type { Database } from '../../src/read-models/database';
import { migrate } from '../../src/read-models/migrate';
import { databases } from '../support/databases';
import { openSql } from '../support/sql';

const NOW = new Date().toISOString() as Instant;
const ANSWER = { status: 202, body: '{"id":"imp_1"}', headers: {} };

describe.each(databases)('the memory of Idempotency-Keys, on $name SQL', (which) => {
  let store: IdempotencyStore;
  let sql: Database;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ sql, close } = await openSql(which));
    await migrate(sql);
    store = new IdempotencyStore(sql, new MasterKey(new Uint8Array(32)));
  });

  afterAll(() => close());

  const request = (key: string, fingerprint = 'f'): KeyedRequest => ({
    scope: 'tnt_0.test',
    key,
    fingerprint,
    formerFingerprint: null,
  });

  /** Lets the lock of a key run out. */
  const expire = (key: string) =>
    sql.query({
      text: `update idempotency set locked_until = now() - interval '1 second' where key = $1`,
      values: [key],
    });

  it('knows a request by the fingerprint that an earlier version stored', async () => {
    await store.admit(request('empty', 'with {}'), NOW);
    await store.settle({ ...request('empty', 'with {}'), resumed: false }, ANSWER, null);
    const now = { ...request('empty', 'without'), formerFingerprint: 'with {}' };
    expect(await store.admit(now, NOW)).toMatchObject({ kind: 'repeat', response: ANSWER });
    const other = { ...request('empty', 'other'), formerFingerprint: 'another' };
    await expect(store.admit(other, NOW)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('keeps what was streamed beside its answer, and none for answers from before', async () => {
    for (const [key, bodyDigest] of [
      ['now', 'd'],
      ['before', null],
    ] as const) {
      await store.admit(request(key), NOW);
      await store.settle({ ...request(key), resumed: false }, ANSWER, bodyDigest);
      expect(await store.admit(request(key), NOW)).toEqual({
        kind: 'repeat',
        response: ANSWER,
        bodyDigest,
      });
    }
  });

  it('tells who takes a key over what had been streamed before the crash', async () => {
    await store.admit(request('cut'), NOW);
    await store.noteBody(request('cut'), 'd');
    await expect(store.admit(request('cut'), NOW)).rejects.toMatchObject({
      code: 'idempotency_key_in_use',
    });
    await expire('cut');
    expect(await store.admit(request('cut'), NOW)).toMatchObject({
      resumed: true,
      bodyDigest: 'd',
    });
  });

  it('keeps a key that is held from being taken over', async () => {
    await store.admit(request('held'), NOW);
    await expire('held');
    await store.hold(request('held'));
    await expect(store.admit(request('held'), NOW)).rejects.toMatchObject({
      code: 'idempotency_key_in_use',
    });
  });
});
