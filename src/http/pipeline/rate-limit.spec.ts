import fc from 'fast-check';
import { type Bucket, type Limit, RateLimiter, takeToken } from './rate-limit';

const limit: Limit = { name: 'default', reason: 'key-rate', ratePerSecond: 10, burst: 10 };

describe('a token bucket', () => {
  it('admits the burst, then the rate', () => {
    let bucket: Bucket | undefined;
    const takeTokenAt = (nowMs: number): boolean => {
      const verdict = takeToken(bucket, limit, nowMs);
      bucket = verdict.bucket;
      return verdict.allowed;
    };
    expect(Array.from({ length: 12 }, () => takeTokenAt(0)).filter(Boolean)).toHaveLength(10);
    expect(takeTokenAt(99)).toBe(false);
    expect(takeTokenAt(200)).toBe(true);
  });

  it('never admits more than burst plus rate times time', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 200 });
    fc.assert(
      fc.property(steps, (gaps) => {
        let bucket: Bucket | undefined;
        let nowMs = 0;
        let allowed = 0;
        for (const gap of gaps) {
          nowMs += gap;
          const verdict = takeToken(bucket, limit, nowMs);
          bucket = verdict.bucket;
          allowed += verdict.allowed ? 1 : 0;
        }
        expect(allowed).toBeLessThanOrEqual(
          limit.burst + (nowMs / 1000) * limit.ratePerSecond + 1e-6,
        );
      }),
    );
  });

  it('works when the clock goes back', () => {
    const { bucket } = takeToken(undefined, limit, 1_000);
    expect(takeToken(bucket, limit, 0).bucket.tokens).toBeLessThanOrEqual(limit.burst);
  });
});

it('the rate limiter refuses a request if the key has too many running ones', () => {
  const limiter = new RateLimiter(2);
  const endRequest = limiter.startRequest('a');
  limiter.startRequest('a');
  expect(() => limiter.startRequest('a')).toThrow('More than 2');
  limiter.startRequest('b');
  endRequest();
  endRequest();
  limiter.startRequest('a');
  expect(() => limiter.startRequest('a')).toThrow('More than 2');
});
