const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Returns the creation time of an event: the first 48 bits of the UUID (version 7) behind its id.
 */
export const readCreatedMs = (eventId: string): number => {
  let value = 0n;
  for (const char of eventId.slice('evt_'.length))
    value = (value << 5n) | BigInt(ALPHABET.indexOf(char));
  return Number(value >> 80n);
};
