import type { OperatorTokenDirectory } from '../../directories/operator-token.directory';
import type { KnownOperatorToken } from '../../domain/operator-tokens/operator-token.decider';
import { OperatorAuthenticator, isSameSecret } from '../../http/pipeline/authentication';
import { wrongCredentialError } from '../../http/pipeline/credential-kinds';
import type { RequestActor } from '../../http/pipeline/request-facts';
import { DomainError } from '../../kernel/errors';
import type { Clock } from '../../kernel/time';
import { parseToken } from './token-format';

/** The holder of the token that the service was started with. */
const ROOT_ACTOR: RequestActor = { type: 'operator', id: 'root', name: 'root' };

/**
 * Authenticates operators by the root token or by a named token, of which only the hash is stored.
 */
export class OperatorTokenAuthenticator extends OperatorAuthenticator {
  constructor(
    private readonly rootToken: string,
    private readonly tokens: OperatorTokenDirectory,
    private readonly clock: Clock,
  ) {
    super();
  }

  authenticate(credential: string): RequestActor {
    if (isSameSecret(credential, this.rootToken)) return ROOT_ACTOR;
    const token = this.find(credential);
    if (token === null) throw wrongCredentialError(credential, 'operator token');
    if (token.revokedAt !== null) {
      throw new DomainError('api_key_revoked', 'The operator token was revoked.');
    }
    if (token.expiresAt !== null && token.expiresAt <= this.clock.now()) {
      throw new DomainError('api_key_expired', 'The operator token has expired.');
    }
    return { type: 'operator', id: token.id, name: token.name };
  }

  isKnown(credential: string): boolean {
    return isSameSecret(credential, this.rootToken) || this.find(credential) !== null;
  }

  findTokenId(credential: string): string | null {
    return parseToken(credential)?.id ?? null;
  }

  isRoot({ id }: RequestActor): boolean {
    return id === ROOT_ACTOR.id;
  }

  /** Returns the named token with this id and secret; null if there is none. */
  private find(credential: string): KnownOperatorToken | null {
    const presented = parseToken(credential);
    const token = presented === null ? null : this.tokens.find(presented.id);
    if (presented === null || token === null) return null;
    return isSameSecret(presented.secretSha256, token.secretSha256) ? token : null;
  }
}
