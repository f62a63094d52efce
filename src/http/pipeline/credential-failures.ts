import { isIPv6 } from 'node:net';
import { warnOfFailure } from '../../event-store/failures';
import { DomainError } from '../../kernel/errors';
import { type Limit, rateLimited } from './rate-limit';
import type { SharedRateLimiter } from './shared-rate-limit';

/** Wrong secrets for one key; far fewer than for an address, behind which may be many clients. */
const PER_KEY_A_MINUTE = 10;

/**
 * Counts credentials that are wrong, by address and by the key they name, over all processes. Beyond
 * the limit a wrong credential is answered with 429 instead of 401. The right one is always taken: who
 * guesses at a key cannot lock its owner out.
 */
export class CredentialFailures {
  private readonly byAddress: Limit;
  private readonly byKey: Limit;

  constructor(
    private readonly limiter: SharedRateLimiter,
    perAddressAMinute: number,
  ) {
    this.byAddress = perMinute('failed-credentials', perAddressAMinute);
    this.byKey = perMinute('failed-secrets', Math.min(PER_KEY_A_MINUTE, perAddressAMinute));
  }

  /** Throws `rate_limited` where there were too many; the address is counted first. */
  async count(address: string, keyId: string | null): Promise<void> {
    await this.take(networkOf(address), this.byAddress);
    if (keyId !== null) await this.take(keyId, this.byKey);
  }

  private async take(who: string, limit: Limit): Promise<void> {
    const verdict = await this.limiter.take(who, limit).catch((error: unknown) => {
      // The credential is refused all the same.
      warnOfFailure('could not count a wrong credential', 'credentials', error);
      return null;
    });
    if (verdict?.allowed === false) throw rateLimited(limit, verdict);
  }
}

/** True for the error of a credential that is not known, which a guess would get. */
export const isWrongCredential = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'api_key_invalid';

const perMinute = (name: string, times: number): Limit => ({
  name,
  reason: 'failed-credentials',
  ratePerSecond: times / 60,
  burst: times,
});

/** Whoever has one IPv6 address has a network of 64 bits of them. */
const networkOf = (address: string): string => {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  return `${(plain.split('::', 1)[0] ?? '').split(':').slice(0, 4).join(':')}::/64`;
};
