import { createRequire } from 'node:module';
import type { ClientAuth, Configuration } from 'openid-client';
import type { OidcSettings } from '../../config/oidc';

/** Loads the package at the first sign-in, because a service without a provider never needs it. */
const load = createRequire(__filename);

const loadLibrary = (): typeof import('openid-client') =>
  load('openid-client') as typeof import('openid-client');

const OIDC_SCOPE = 'openid email profile';
const TIMEOUT_SECONDS = 10;
/** The cached metadata of the provider is fetched again after this time. */
const METADATA_CACHE_MS = 3_600_000;

/** The values by which the return from the provider is checked. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

export type Claims = Readonly<Record<string, unknown>>;

/** Runs the authorization code flow of OpenID Connect, with PKCE, state and nonce. */
export class OidcClient {
  private cached: {
    readonly configuration: Promise<Configuration>;
    readonly atMs: number;
  } | null = null;

  constructor(
    private readonly settings: OidcSettings,
    private readonly nowMs: () => number,
  ) {}

  /**
   * Starts a sign-in. Returns the provider's URL for the browser and the values to check on the
   * return.
   */
  async begin(redirectUri: string): Promise<{ url: string; pending: PendingSignIn }> {
    const oidc = loadLibrary();
    const pending = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
      redirectUri,
    };
    const url = oidc.buildAuthorizationUrl(await this.loadConfiguration(), {
      redirect_uri: redirectUri,
      scope: OIDC_SCOPE,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, pending };
  }

  /**
   * Returns the provider's claims about the person. Throws if anything differs from the start of
   * the sign-in.
   */
  async finish(query: string, pending: PendingSignIn): Promise<Claims> {
    const oidc = loadLibrary();
    const configuration = await this.loadConfiguration();
    const tokens = await oidc.authorizationCodeGrant(
      configuration,
      new URL(`${pending.redirectUri}${query}`),
      {
        pkceCodeVerifier: pending.verifier,
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        idTokenExpected: true,
      },
    );
    const claims = tokens.claims();
    if (claims === undefined) throw new Error('the provider sent no id token');
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    const more = await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
    return { ...more, ...claims };
  }

  private loadConfiguration(): Promise<Configuration> {
    const { cached } = this;
    if (cached !== null && this.nowMs() - cached.atMs < METADATA_CACHE_MS)
      return cached.configuration;
    const configuration = this.discover();
    this.cached = { configuration: configuration, atMs: this.nowMs() };
    // A failed discovery is removed from the cache, so that the next sign-in tries again.
    configuration.catch(() => {
      this.cached = null;
    });
    return configuration;
  }

  private discover(): Promise<Configuration> {
    const oidc = loadLibrary();
    const { issuer, clientId } = this.settings;
    return oidc.discovery(new URL(issuer), clientId, undefined, this.createClientAuthentication(), {
      timeout: TIMEOUT_SECONDS,
      // The configuration allows `http:` for a provider on this machine only.
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so that it stands out
      ...(issuer.startsWith('http:') ? { execute: [oidc.allowInsecureRequests] } : {}),
    });
  }

  /**
   * Chooses an authentication method that the provider supports. If the provider names none, the
   * specification says `client_secret_basic`.
   */
  private createClientAuthentication(): ClientAuth {
    const oidc = loadLibrary();
    const { clientSecret } = this.settings;
    if (clientSecret === undefined) return oidc.None();
    const [basic, post] = [
      oidc.ClientSecretBasic(clientSecret),
      oidc.ClientSecretPost(clientSecret),
    ];
    return (server, ...rest) => {
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      const authenticate = methods.includes('client_secret_basic') ? basic : post;
      authenticate(server, ...rest);
    };
  }
}
