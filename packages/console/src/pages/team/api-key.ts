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

/** The longest overlap of a rotation. */
const OVERLAP_MAX_MS = 7 * 86_400_000;

/**
 * Returns the last day of a key in UTC, to propose it for its successor; an empty text if it has no
 * end. The end that an earlier rotation gave the key is left out: that rotation made a newer key of
 * the same name at most one overlap before it.
 */
export const findOwnEnd = (
  { name, created_at: createdAt, expires_at: end }: ApiKey,
  keys: readonly ApiKey[],
): string => {
  if (end === null) return '';
  const earliest = Date.parse(end) - OVERLAP_MAX_MS;
  const hasSuccessor = keys.some(
    (key) =>
      key.name === name && key.created_at > createdAt && Date.parse(key.created_at) >= earliest,
  );
  return hasSuccessor ? '' : end.slice(0, 10);
};

export interface IssuedKey extends ApiKey {
  readonly key: string;
}
