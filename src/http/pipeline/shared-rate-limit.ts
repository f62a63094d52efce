import { LRUCache } from 'lru-cache';
import { fromMillis, type Instant, toMillis } from '../../kernel/time';
import type { Database } from '../../read-models/database';
import { type Bucket, KEYS_MAX, type Limit, takeToken, type Verdict } from './rate-limit';

/**
 * The retention of a bucket. By then every bucket is full again, which is the same as an unused
 * one.
 */
const KEPT = "interval '1 hour'";

interface Row {
  readonly tokens: number;
  readonly at: Instant;
  readonly now: Instant;
}

/**
 * Limits rare and expensive operations (D-84). They are counted in the SQL database by its clock,
 * so the limit is exact over all processes. Frequent operations are counted in each process
 * (`RateLimiter`).
 */
export class SharedRateLimiter {
  /** The last known state of each bucket, by this process's clock. */
  private readonly seen = new LRUCache<string, Bucket>({ max: KEYS_MAX });

  constructor(private readonly database: Database) {}

  /**
   * Takes a token. If this process knows that the bucket is empty, it does not ask the database:
   * other processes only take tokens.
   */
  async take(key: string, limit: Limit): Promise<Verdict> {
    const id = `${limit.name} ${key}`;
    const atBest = takeToken(this.seen.get(id), limit, Date.now());
    if (!atBest.allowed) return atBest;
    const verdict = await this.takeSharedToken(id, limit);
    this.seen.set(id, { tokens: verdict.bucket.tokens, atMs: Date.now() });
    return verdict;
  }

  private takeSharedToken(id: string, limit: Limit): Promise<Verdict> {
    return this.database.transaction(async (session) => {
      // The row is locked until the transaction ends, whether or not it existed before.
      const [row] = await session.query<Row>({
        name: 'lock rate bucket',
        text: `insert into rate_buckets as b (id, tokens, at) values ($1, $2, clock_timestamp())
          on conflict (id) do update set tokens = b.tokens
          returning tokens, at, clock_timestamp() as now`,
        values: [id, limit.burst],
      });
      if (row === undefined) throw new Error('the upsert returned no row');
      const bucket = { tokens: row.tokens, atMs: toMillis(row.at) };
      const verdict = takeToken(bucket, limit, toMillis(row.now));
      await session.query({
        name: 'write rate bucket',
        text: 'update rate_buckets set tokens = $2, at = $3 where id = $1',
        values: [id, verdict.bucket.tokens, fromMillis(verdict.bucket.atMs)],
      });
      return verdict;
    });
  }

  /** Deletes the buckets that are full again. */
  async prune(): Promise<void> {
    await this.database.query({ text: `delete from rate_buckets where at < now() - ${KEPT}` });
  }
}
