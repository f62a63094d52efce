import { MasterKey } from '../../src/event-store/master-key';
import { IdempotencyStore, type KeyedRequest } from '../../src/http/pipeline/idempotency';
import type { Instant } from '../../src/kernel/time';
import type { Database } from '../../src/read-models/database';
import { migrate } from '../../src/read-models/migrate';
import { databases } from '../support/databases';
import { openSql } from '../support/sql';

const NOW = new Date().toISOString() as Instant;
const STORED_RESPONSE = { status: 202, body: '{"id":"imp_1"}', headers: {} };

/**
 * A fake vault that seals by reversing the bytes of a text, and opens nothing of an erased
 * subscriber.
 */
class FakeVault {
  readonly erased = new Set<string>();

  sealText(id: string, text: string): Promise<string | null> {
    return Promise.resolve(
      this.erased.has(id) ? null : Buffer.from(text).reverse().toString('latin1'),
    );
  }

  openText(id: string, sealed: string): Promise<string | null> {
    return this.sealText(id, sealed);
  }
}

describe.each(databases)('the store of Idempotency-Keys, on $name SQL', (which) => {
  let store: IdempotencyStore;
  let sql: Database;
  let close: () => Promise<void>;
  const vault = new FakeVault();

  beforeAll(async () => {
    ({ sql, close } = await openSql(which));
    await migrate(sql);
    store = new IdempotencyStore(sql, new MasterKey(new Uint8Array(32)), vault);
  });

  afterAll(() => close());

  const request = (key: string, fingerprint = 'f'): KeyedRequest => ({
    scope: 'tnt_0.test',
    key,
    fingerprint,
    formerFingerprint: null,
  });

  const keep = async (key: string, body: object): Promise<void> => {
    await store.admit(request(key), NOW);
    const response = { ...STORED_RESPONSE, body: JSON.stringify(body) };
    await store.finish({ ...request(key), resumed: false }, response, null);
  };

  const repeat = async (key: string): Promise<[number, unknown]> => {
    const admission = await store.admit(request(key), NOW);
    if (admission.kind !== 'repeat') throw new Error(`${key} was not answered before`);
    const { status, body } = admission.response;
    return [status, JSON.parse(body)];
  };

  /** Lets the lock of a key expire. */
  const expire = (key: string) =>
    sql.query({
      text: `update idempotency set locked_until = now() - interval '1 second' where key = $1`,
      values: [key],
    });

  it('recognises a request by the fingerprint that an earlier version stored', async () => {
    await store.admit(request('empty', 'with {}'), NOW);
    await store.finish({ ...request('empty', 'with {}'), resumed: false }, STORED_RESPONSE, null);
    const now = { ...request('empty', 'without'), formerFingerprint: 'with {}' };
    expect(await store.admit(now, NOW)).toMatchObject({
      kind: 'repeat',
      response: STORED_RESPONSE,
    });
    const other = { ...request('empty', 'other'), formerFingerprint: 'another' };
    await expect(store.admit(other, NOW)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('keeps the digest of a streamed body with its response, and none for earlier responses', async () => {
    for (const [key, bodyDigest] of [
      ['now', 'd'],
      ['before', null],
    ] as const) {
      await store.admit(request(key), NOW);
      await store.finish({ ...request(key), resumed: false }, STORED_RESPONSE, bodyDigest);
      expect(await store.admit(request(key), NOW)).toEqual({
        kind: 'repeat',
        response: STORED_RESPONSE,
        bodyDigest,
      });
    }
  });

  it('gives a request that takes over a key the digest streamed before the crash', async () => {
    await store.admit(request('cut'), NOW);
    await store.storeBodyDigest(request('cut'), 'd');
    await expect(store.admit(request('cut'), NOW)).rejects.toMatchObject({
      code: 'idempotency_key_in_use',
    });
    await expire('cut');
    expect(await store.admit(request('cut'), NOW)).toMatchObject({
      resumed: true,
      bodyDigest: 'd',
    });
  });

  it('lets every key of a killed process be taken over at once after the start', async () => {
    await store.admit(request('killed'), NOW);
    await store.unlockAll();
    expect(await store.admit(request('killed'), NOW)).toMatchObject({ kind: 'run', resumed: true });
    await store.extendLock(request('killed'));
  });

  it('does not let a held key be taken over', async () => {
    await store.admit(request('held'), NOW);
    await expire('held');
    await store.extendLock(request('held'));
    await expect(store.admit(request('held'), NOW)).rejects.toMatchObject({
      code: 'idempotency_key_in_use',
    });
  });

  it('encrypts a response about one subscriber also with the subscriber’s data key', async () => {
    const [ada, ben] = [`subscriber_${'a'.repeat(16)}`, `subscriber_${'b'.repeat(16)}`];
    await keep('ada', { id: ada, email: 'ada@example.com' });
    await keep('ben', { id: ben, email: 'ben@example.com' });
    expect(await repeat('ada')).toEqual([202, { id: ada, email: 'ada@example.com' }]);
    vault.erased.add(ada);
    // The row did not change, but it cannot be read without the data key.
    const refused = { error: expect.objectContaining({ code: 'subscriber_erased' }) as unknown };
    expect(await repeat('ada')).toEqual([409, refused]);
    expect(await store.listAnswersAbout(ada)).toEqual([{ scope: 'tnt_0.test', key: 'ada' }]);
    await store.forget(ada);
    expect(await store.listAnswersAbout(ada)).toEqual([]);
    expect(await repeat('ada')).toEqual([409, refused]);
    expect(await repeat('ben')).toEqual([202, { id: ben, email: 'ben@example.com' }]);
  });

  it('deletes a response about several subscribers when one of them is erased', async () => {
    const ids = ['c', 'd'].map((each) => `subscriber_${each.repeat(16)}`);
    await keep('examples', { examples: ids.map((id) => ({ id, email: `${id}@example.com` })) });
    expect((await repeat('examples'))[0]).toBe(202);
    await store.forget(ids[1]!);
    expect((await repeat('examples'))[0]).toBe(409);
    expect(await store.listAnswersAbout(ids[0]!)).toEqual([]);
  });

  it('keeps the response of the erasure itself', async () => {
    const id = `subscriber_${'e'.repeat(16)}`;
    vault.erased.add(id);
    await keep('erasure', { id, erased_at: NOW });
    await store.forget(id);
    expect(await repeat('erasure')).toEqual([202, { id, erased_at: NOW }]);
  });
});
