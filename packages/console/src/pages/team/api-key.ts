/** An API key, as the console's endpoints return it. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly last4: string;
  readonly scopes: readonly string[];
  readonly allowed_ips: readonly string[] | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}

export interface IssuedKey extends ApiKey {
  readonly key: string;
}
