import {
  Authenticator,
  isSameSecret,
  tenantSuspendedError,
} from '../../http/pipeline/authentication';
import { wrongCredentialError } from '../../http/pipeline/credential-kinds';
import type { Principal } from '../../http/pipeline/request-facts';
import { isScopeName } from '../../http/pipeline/scopes';
import { DomainError } from '../../kernel/errors';
import { type Clock, type Instant, toMillis } from '../../kernel/time';
import type { TenantDirectory } from '../../directories/tenant.directory';
import { isAllowedIp } from './allowed-ips';
import type { ApiKeyDirectory } from '../../directories/api-key.directory';
import type { KnownApiKey } from '../../domain/api-keys/api-key.decider';
import type { ApiKeyUses } from './api-key.uses';
import { parseKey, type PresentedKey } from './key-format';

/**
 * Authenticates an API key by the hash of its secret. The environment comes from the key alone
 * (D-110).
 */
export class ApiKeyAuthenticator extends Authenticator {
  constructor(
    private readonly keys: ApiKeyDirectory,
    private readonly tenants: TenantDirectory,
    private readonly uses: ApiKeyUses,
    private readonly clock: Clock,
  ) {
    super();
  }

  authenticate(text: string, address: string): Promise<Principal> {
    const key = this.find(text);
    if (key === null) throw wrongCredentialError(text, 'API key');
    const now = this.clock.now();
    requireNotEnded(key, now);
    if (key.allowedIps !== null && !isAllowedIp(key.allowedIps, address)) {
      throw new DomainError('ip_not_allowed', 'The API key may not be used from this address.');
    }
    this.uses.note(key.id, toMillis(now));
    return Promise.resolve(this.findPrincipal(key));
  }

  isKnown(text: string): boolean {
    return this.find(text) !== null;
  }

  findKeyId(text: string): string | null {
    return parseKey(text)?.id ?? null;
  }

  /** Finds the key that the text belongs to; null if its id or its secret is wrong. */
  private find(text: string): KnownApiKey | null {
    const presented = parseKey(text);
    const key = presented === null ? null : this.keys.find(presented.id);
    return presented !== null && key !== null && isMatch(presented, key) ? key : null;
  }

  private findPrincipal(key: KnownApiKey): Principal {
    const tenant = this.tenants.require(key.tenantId);
    if (tenant.suspendedAt !== null) throw tenantSuspendedError();
    return {
      keyId: key.id,
      keyName: key.name,
      scope: { tenantId: tenant.id, environment: key.environment },
      tenant: { id: tenant.id, name: tenant.name },
      scopes: new Set(key.scopes.filter(isScopeName)),
      role: null,
    };
  }
}

const isMatch = (presented: PresentedKey, key: KnownApiKey): boolean =>
  key.environment === presented.environment &&
  isSameSecret(presented.secretSha256, key.secretSha256);

const requireNotEnded = ({ revokedAt, expiresAt }: KnownApiKey, now: Instant): void => {
  if (revokedAt !== null) throw new DomainError('api_key_revoked', 'The API key was revoked.');
  if (expiresAt !== null && expiresAt <= now) {
    throw new DomainError('api_key_expired', 'The API key has expired.');
  }
};
