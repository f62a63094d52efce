import { LRUCache } from 'lru-cache';
import { DomainError } from '../../kernel/errors';

/** The number of keys whose buckets a process remembers. */
export const KEYS_MAX = 50_000;

/** The values of `X-Service-Rate-Limited-Reason` (D-84). */
export const LIMIT_REASONS = [
  'key-rate',
  'key-concurrency',
  'endpoint-rate',
  'failed-credentials',
] as const;
type LimitReason = (typeof LIMIT_REASONS)[number];

/** A token bucket. It gets `ratePerSecond` tokens each second and holds at most `burst` tokens. */
export interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

export interface Limit {
  readonly name: string;
  /** The reason of a refusal: the limit of the whole key, or of certain endpoints. */
  readonly reason: Exclude<LimitReason, 'key-concurrency'>;
  readonly ratePerSecond: number;
  readonly burst: number;
}

export interface Verdict {
  readonly bucket: Bucket;
  readonly allowed: boolean;
  readonly remaining: number;
  /** The seconds until a token is available again, at least 1. */
  readonly resetSeconds: number;
}

export const takeToken = (bucket: Bucket | undefined, limit: Limit, nowMs: number): Verdict => {
  const elapsedS = bucket === undefined ? 0 : Math.max(0, nowMs - bucket.atMs) / 1000;
  const tokens = Math.min(
    limit.burst,
    (bucket?.tokens ?? limit.burst) + elapsedS * limit.ratePerSecond,
  );
  const allowed = tokens >= 1;
  const left = allowed ? tokens - 1 : tokens;
  return {
    bucket: { tokens: left, atMs: nowMs },
    allowed,
    remaining: Math.floor(left),
    resetSeconds: Math.max(1, Math.ceil((1 - Math.min(1, left)) / limit.ratePerSecond)),
  };
};

/**
 * Limits requests for each API key (D-84) in this process. With several processes the total limit
 * is several times as high.
 */
export class RateLimiter {
  private readonly buckets = new LRUCache<string, Bucket>({ max: KEYS_MAX });
  private readonly running = new Map<string, number>();

  constructor(private readonly concurrentMax: number) {}

  take(key: string, limit: Limit, nowMs: number): Verdict {
    const id = `${limit.name} ${key}`;
    const verdict = takeToken(this.buckets.get(id), limit, nowMs);
    this.buckets.set(id, verdict.bucket);
    return verdict;
  }

  /**
   * Counts a running request of the key. Throws if the key has too many. The returned function ends
   * the count.
   */
  startRequest(key: string): () => void {
    const running = this.running.get(key) ?? 0;
    if (running >= this.concurrentMax) {
      throw new DomainError(
        'too_many_concurrent_requests',
        `More than ${this.concurrentMax} requests of this key are running.`,
        { details: { reason: 'key-concurrency', retry_after_seconds: 1 } },
      );
    }
    this.running.set(key, running + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const now = (this.running.get(key) ?? 1) - 1;
      if (now > 0) this.running.set(key, now);
      else this.running.delete(key);
    };
  }
}

export const rateLimitedError = (limit: Limit, { resetSeconds }: Verdict): DomainError => {
  const { name, reason, burst } = limit;
  const subject = reason === 'key-rate' ? 'Requests of this key' : `Requests of the kind "${name}"`;
  return new DomainError(
    'rate_limited',
    `${subject} are limited to ${burst} in ${computeWindowSeconds(limit)} s, refused ones included. Repeat in ${resetSeconds} s.`,
    { details: { reason, retry_after_seconds: resetSeconds } },
  );
};

/** Returns the seconds in which an empty bucket fills. */
const computeWindowSeconds = ({ burst, ratePerSecond }: Limit): number =>
  Math.round(burst / ratePerSecond);

/** Builds the headers `RateLimit-Policy` and `RateLimit` (IETF draft 8). */
export const createRateHeaders = (
  limit: Limit,
  { remaining, resetSeconds }: Verdict,
): Record<string, string> => ({
  'ratelimit-policy': `"${limit.name}";q=${limit.burst};w=${computeWindowSeconds(limit)}`,
  ratelimit: `"${limit.name}";r=${remaining};t=${resetSeconds}`,
});
