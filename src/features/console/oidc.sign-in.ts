import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config';
import type { TenantDirectory } from '../../directories/tenant.directory';
import type { KnownPerson } from '../../domain/members/member.decider';
import type { MasterKey } from '../../event-store/master-key';
import { getFacts } from '../../http/pipeline/request-facts';
import { readCookie } from '../../http/pipeline/sessions';
import { DomainError } from '../../kernel/errors';
import type { Clock } from '../../kernel/time';
import { describeError, log } from '../../ops/log';
import type { Metrics } from '../../ops/metrics';
import { getAddress } from './addresses';
import { type Claims, OidcClient, type PendingSignIn } from './oidc.client';
import { readRoles } from './oidc.roles';
import type { People } from './people';
import { SESSION_SECONDS_MAX } from './session.store';
import { requireCookies, type SignIn } from './sign-in';

const CALLBACK = '/console/v1/oidc/callback';
const COOKIE = 'oidc';
const COOKIE_SECONDS = 600;
/**
 * The purpose of the sealed cookie. A value that was sealed for another purpose cannot be opened.
 */
const COOKIE_PURPOSE = 'sign-in by a provider';
const RETURN_TO = /^\/console(\/(?!\.\.)[\w~%-][\w.~%-]*)*\/?$/;
const CONSOLE_HOME = '/console/';

/**
 * The reason why a sign-in by the provider was refused. The sign-in page shows it to the person.
 */
type Refusal =
  | 'expired'
  | 'failed'
  | 'email_not_verified'
  | 'domain_not_allowed'
  | 'not_a_member'
  | 'provider_unavailable';

class Refused extends Error {
  constructor(readonly reason: Refusal) {
    super(reason);
  }
}

interface StartedSignIn extends PendingSignIn {
  readonly returnTo: string;
  readonly expiresAtMs: number;
}

export interface OidcParts {
  readonly config: Config;
  readonly signIn: SignIn;
  readonly people: People;
  readonly tenants: TenantDirectory;
  readonly masterKey: MasterKey;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/**
 * Signs people in by an identity provider. The values to check on the return are sealed in a cookie
 * of the browser, so any process can finish the sign-in, but no other browser.
 */
export class OidcSignIn {
  private readonly client: OidcClient | null;

  constructor(private readonly parts: OidcParts) {
    const { config, clock } = parts;
    this.client =
      config.oidc === undefined ? null : new OidcClient(config.oidc, () => clock.nowMs());
  }

  /** The host of the provider; null if none is configured. */
  get name(): string | null {
    const { oidc } = this.parts.config;
    return oidc === undefined ? null : new URL(oidc.issuer).host;
  }

  /** Starts a sign-in. Returns the address to which the browser is redirected. */
  async begin(
    request: FastifyRequest,
    reply: FastifyReply,
    returnTo: string | undefined,
  ): Promise<string> {
    requireCookies(request);
    const redirectUri = `${getAddress(request, this.parts.config)}${CALLBACK}`;
    try {
      const { url, pending } = await this.requireProvider().begin(redirectUri);
      const begun: StartedSignIn = {
        ...pending,
        returnTo: returnTo !== undefined && RETURN_TO.test(returnTo) ? returnTo : CONSOLE_HOME,
        expiresAtMs: this.parts.clock.nowMs() + COOKIE_SECONDS * 1_000,
      };
      this.setCookie(request, reply, await this.seal(begun), COOKIE_SECONDS);
      return url;
    } catch (error) {
      return this.refuse(error, 'provider_unavailable');
    }
  }

  /**
   * Finishes a sign-in. Returns the address to which the browser is redirected: a page of the
   * console, or the sign-in page with the reason.
   */
  async finish(request: FastifyRequest, reply: FastifyReply): Promise<string> {
    requireCookies(request);
    const sealed = readCookie(request, COOKIE);
    this.setCookie(request, reply, '', 0);
    try {
      const begun = this.open(sealed);
      const claims = await this.requireProvider().finish(readQuery(request), begun);
      const person = await this.admit(request, claims);
      await this.parts.signIn.openSession(request, reply, {
        person,
        granted: null,
        seconds: SESSION_SECONDS_MAX,
        by: 'oidc',
      });
      return begun.returnTo;
    } catch (error) {
      return this.refuse(error, 'failed');
    }
  }

  private requireProvider(): OidcClient {
    if (this.client !== null) return this.client;
    throw new Refused('provider_unavailable');
  }

  /**
   * Returns the account of the person in the claims. The e-mail address must be verified and in an
   * allowed domain; without allowed domains the person must be known here.
   */
  private async admit(request: FastifyRequest, claims: Claims): Promise<KnownPerson> {
    const { people, signIn, tenants, config } = this.parts;
    const { allowedDomains = [], roleClaim } = config.oidc ?? {};
    const { email, email_verified: isVerified, name } = claims;
    if (typeof email !== 'string' || isVerified !== true) throw new Refused('email_not_verified');
    const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
    if (allowedDomains.length > 0 && !allowedDomains.includes(domain)) {
      throw new Refused('domain_not_allowed');
    }
    if (allowedDomains.length === 0 && !maySignIn(people.findByEmail(email))) {
      throw new Refused('not_a_member');
    }
    const by = { type: 'member', id: people.deriveId(email), name: 'oidc' } as const;
    return people.signInByProvider(signIn.createContext(request, by, null), {
      email,
      name: typeof name === 'string' && name !== '' ? name : null,
      roles:
        roleClaim === undefined
          ? null
          : readRoles(
              claims[roleClaim],
              tenants.listKnown().map(({ id }) => id),
            ),
    });
  }

  private refuse(error: unknown, otherwise: Refusal): string {
    if (error instanceof DomainError) throw error;
    const reason = error instanceof Refused ? error.reason : otherwise;
    this.parts.metrics.signIns.inc({ way: 'oidc', outcome: 'refused' });
    // Errors of the provider are logged for the operator only, because they may quote its
    // responses.
    if (!(error instanceof Refused))
      log.warn(describeError(error), 'sign-in with the identity provider failed');
    return `/console/sign-in?error=${reason}`;
  }

  private seal(begun: StartedSignIn): Promise<string> {
    return this.parts.masterKey.seal(JSON.stringify(begun), COOKIE_PURPOSE);
  }

  private open(sealed: string | null): StartedSignIn {
    const begun = sealed === null ? null : this.unseal(sealed);
    if (begun === null || begun.expiresAtMs < this.parts.clock.nowMs())
      throw new Refused('expired');
    return begun;
  }

  private unseal(sealed: string): StartedSignIn | null {
    try {
      const text = this.parts.masterKey
        .unwrap(decodeURIComponent(sealed), COOKIE_PURPOSE)
        .toString();
      return JSON.parse(text) as StartedSignIn;
    } catch {
      return null;
    }
  }

  /**
   * Sets the cookie of the sign-in. Its mode is `Lax`, because the browser comes back from the
   * provider by a link.
   */
  private setCookie(
    request: FastifyRequest,
    reply: FastifyReply,
    value: string,
    seconds: number,
  ): void {
    const secure = getFacts(request).isSecure ? '; Secure' : '';
    void reply.header(
      'set-cookie',
      `${COOKIE}=${encodeURIComponent(value)}; Path=${CALLBACK}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
    );
  }
}

/** True if the person has a membership, an invitation or an operator role. */
const maySignIn = (person: KnownPerson | null): boolean =>
  person !== null &&
  (person.memberships.size > 0 || person.invitations.size > 0 || person.operator !== null);

const readQuery = ({ url }: FastifyRequest): string => {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start);
};
