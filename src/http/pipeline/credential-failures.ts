import { warnOfFailure } from '../../event-store/failures';
import { DomainError } from '../../kernel/errors';
import { toNetwork } from './client-address';
import { type Limit, rateLimitedError } from './rate-limit';
import type { SharedRateLimiter } from './shared-rate-limit';

/**
 * The limit of wrong secrets for one key and minute. It is far lower than the limit of an address,
 * which many clients may share.
 */
const PER_KEY_A_MINUTE = 10;

/**
 * Counts wrong credentials by address and by the key they name, over all processes. Beyond the
 * limit a wrong credential is answered with 429 instead of 401. The right credential is always
 * accepted, so an attacker cannot lock out the owner of a key.
 */
export class CredentialFailures {
  private readonly byAddress: Limit;
  private readonly byKey: Limit;

  constructor(
    private readonly limiter: SharedRateLimiter,
    perAddressAMinute: number,
  ) {
    this.byAddress = createLimit('failed-credentials', perAddressAMinute);
    this.byKey = createLimit('failed-secrets', Math.min(PER_KEY_A_MINUTE, perAddressAMinute));
  }

  /** Throws `rate_limited` after too many failures. The address is counted first. */
  async count(address: string, keyId: string | null): Promise<void> {
    await this.countFailure(toNetwork(address), this.byAddress);
    if (keyId !== null) await this.countFailure(keyId, this.byKey);
  }

  private async countFailure(who: string, limit: Limit): Promise<void> {
    const verdict = await this.limiter.take(who, limit).catch((error: unknown) => {
      // The credential is refused even if it cannot be counted.
      warnOfFailure('could not count a wrong credential', 'credentials', error);
      return null;
    });
    if (verdict?.allowed === false) throw rateLimitedError(limit, verdict);
  }
}

/** True for the error of an unknown credential, which is the result of a guess. */
export const isWrongCredential = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'api_key_invalid';

const createLimit = (name: string, times: number): Limit => ({
  name,
  reason: 'failed-credentials',
  ratePerSecond: times / 60,
  burst: times,
});
