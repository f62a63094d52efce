import type { Limit } from '../../src/http/pipeline/rate-limit';
import { SharedRateLimiter } from '../../src/http/pipeline/shared-rate-limit';
import type { Database } from '../../src/read-models/database';
import { migrate } from '../../src/read-models/migrate';
import { databases } from '../support/databases';
import { openSql } from '../support/sql';

const LIMIT: Limit = { name: 'replay', reason: 'endpoint-rate', ratePerSecond: 0.05, burst: 3 };

describe.each(databases)('a limit that processes share, on $name SQL', (which) => {
  let sql: Database;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ sql, close } = await openSql(which));
    await migrate(sql);
  });

  afterAll(() => close());

  const moveIntoPast = (hours: number) =>
    sql.query({ text: `update rate_buckets set at = at - interval '${hours} hours'` });

  const countBuckets = async (): Promise<number> =>
    (await sql.query({ text: 'select id from rate_buckets' })).length;

  it('is exact for each key, however many requests are concurrent', async () => {
    const limiters = Array.from({ length: 6 }, () => new SharedRateLimiter(sql));
    const takeAll = (key: string) =>
      Promise.all(limiters.flatMap((each) => [each.take(key, LIMIT), each.take(key, LIMIT)]));
    for (const key of ['a', 'b']) {
      const verdicts = await takeAll(key);
      expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(LIMIT.burst);
      for (const { allowed, resetSeconds } of verdicts) if (!allowed) expect(resetSeconds).toBe(20);
    }
  });

  it('refills with time, and is deleted when it is full', async () => {
    const take = async (): Promise<boolean> =>
      (await new SharedRateLimiter(sql).take('c', LIMIT)).allowed;
    for (let i = 0; i < LIMIT.burst; i += 1) expect(await take()).toBe(true);
    expect(await take()).toBe(false);
    await new SharedRateLimiter(sql).prune();
    expect(await take()).toBe(false);
    await moveIntoPast(2);
    await new SharedRateLimiter(sql).prune();
    expect(await countBuckets()).toBe(0);
    expect(await take()).toBe(true);
  });

  it('makes no more database queries for a key whose bucket is empty', async () => {
    const limiter = new SharedRateLimiter(sql);
    while ((await limiter.take('d', LIMIT)).allowed);
    await sql.query({ text: 'delete from rate_buckets' });
    expect(await limiter.take('d', LIMIT)).toMatchObject({ allowed: false, resetSeconds: 20 });
    expect(await countBuckets()).toBe(0);
  });
});
