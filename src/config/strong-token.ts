const TOKEN_CHARS_MIN = 20;
/** A random secret has at least this many different characters. */
const TOKEN_DIFFERENT_CHARS_MIN = 8;

/**
 * Returns what is wrong with a token that somebody has chosen, as the end of a sentence; null for a
 * good one.
 */
export const findTokenFlaw = (text: string): string | null => {
  if (!/^[\x21-\x7e]+$/.test(text))
    return 'must be printable ASCII without spaces (openssl rand -hex 24)';
  if (text.length >= TOKEN_CHARS_MIN && new Set(text).size >= TOKEN_DIFFERENT_CHARS_MIN)
    return null;
  return `can be guessed: take at least ${TOKEN_CHARS_MIN} random characters (openssl rand -hex 24)`;
};
