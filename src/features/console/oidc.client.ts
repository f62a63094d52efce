import { createRequire } from 'node:module';
import type { ClientAuth, Configuration } from 'openid-client';
import type { OidcSettings } from '../../config/oidc';

/** Loads the package when somebody signs in first: without a provider nobody needs it. */
const load = createRequire(__filename);

const library = (): typeof import('openid-client') =>
  load('openid-client') as typeof import('openid-client');

const SCOPE = 'openid email profile';
const TIMEOUT_SECONDS = 10;
/** What a provider says of itself is asked for again after this. */
const KNOWN_FOR_MS = 3_600_000;

/** What a sign-in that was begun must bring back from the provider. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

export type Claims = Readonly<Record<string, unknown>>;

/** The authorization code flow of OpenID Connect, with PKCE, state and nonce. */
export class OidcClient {
  private known: { readonly configuration: Promise<Configuration>; readonly atMs: number } | null =
    null;

  constructor(
    private readonly settings: OidcSettings,
    private readonly nowMs: () => number,
  ) {}

  /** Where the browser goes to sign in. */
  async begin(redirectUri: string): Promise<{ url: string; pending: PendingSignIn }> {
    const oidc = library();
    const pending = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
      redirectUri,
    };
    const url = oidc.buildAuthorizationUrl(await this.configuration(), {
      redirect_uri: redirectUri,
      scope: SCOPE,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, pending };
  }

  /** What the provider says of who came back; throws where anything is not as it was begun. */
  async finish(query: string, pending: PendingSignIn): Promise<Claims> {
    const oidc = library();
    const configuration = await this.configuration();
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

  private configuration(): Promise<Configuration> {
    const { known } = this;
    if (known !== null && this.nowMs() - known.atMs < KNOWN_FOR_MS) return known.configuration;
    const configuration = this.discover();
    this.known = { configuration, atMs: this.nowMs() };
    // What failed is tried again by the next sign-in.
    configuration.catch(() => {
      this.known = null;
    });
    return configuration;
  }

  private discover(): Promise<Configuration> {
    const oidc = library();
    const { issuer, clientId } = this.settings;
    return oidc.discovery(new URL(issuer), clientId, undefined, this.clientAuthentication(), {
      timeout: TIMEOUT_SECONDS,
      // The configuration allows it on the machine itself only.
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so that it stands out
      ...(issuer.startsWith('http:') ? { execute: [oidc.allowInsecureRequests] } : {}),
    });
  }

  /** As the provider takes it; by the specification that is `client_secret_basic` where it does not say. */
  private clientAuthentication(): ClientAuth {
    const oidc = library();
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
