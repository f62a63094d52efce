/** An OpenID Connect provider, and the people whom it may sign in. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined for a public client, which proves itself by PKCE alone. */
  readonly clientSecret: string | undefined;
  /**
   * The allowed domains of e-mail addresses, in lower case. If there are none, only known people
   * can sign in.
   */
  readonly allowedDomains: readonly string[];
  /** The claim that contains the roles; undefined if roles are given in the console. */
  readonly roleClaim: string | undefined;
}

/** The functions that read the variables. */
interface Variables {
  readText(name: string): string | undefined;
  readWords(name: string): readonly string[];
  refuse(name: string, problem: string, instead: undefined): undefined;
}

/** Variables that have no effect without OIDC_ISSUER. */
const DEPENDENT_VARIABLES = [
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_ALLOWED_DOMAINS',
  'OIDC_ROLE_CLAIM',
];

const DOMAIN_PATTERN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/**
 * Reads the settings of single sign-on. The issuer must use HTTPS, because anybody on the network path
 * could otherwise sign in as somebody else. An issuer on this machine has no network path.
 */
export const readOidc = (read: Variables, issuer: string | undefined): OidcSettings | undefined => {
  const clientId = read.readText('OIDC_CLIENT_ID');
  const domains = read.readWords('OIDC_ALLOWED_DOMAINS').map((domain) => domain.toLowerCase());
  if (issuer !== undefined && !issuer.startsWith('https:') && !isLoopback(issuer)) {
    read.refuse('OIDC_ISSUER', 'must start with https:// unless it is on this machine', undefined);
  }
  if (read.readText('OIDC_ISSUER') !== undefined && clientId === undefined) {
    read.refuse('OIDC_CLIENT_ID', 'is required when OIDC_ISSUER is set', undefined);
  }
  const other = DEPENDENT_VARIABLES.find((name) => read.readText(name) !== undefined);
  if (read.readText('OIDC_ISSUER') === undefined && other !== undefined) {
    read.refuse('OIDC_ISSUER', `is required when ${other} is set`, undefined);
  }
  if (!domains.every((domain) => DOMAIN_PATTERN.test(domain))) {
    read.refuse('OIDC_ALLOWED_DOMAINS', 'must be domains such as example.com', undefined);
  }
  if (issuer === undefined || clientId === undefined) return undefined;
  return {
    issuer,
    clientId,
    clientSecret: read.readText('OIDC_CLIENT_SECRET'),
    allowedDomains: domains,
    roleClaim: read.readText('OIDC_ROLE_CLAIM'),
  };
};

const isLoopback = (address: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(address).hostname);
