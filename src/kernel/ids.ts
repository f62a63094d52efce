/**
 * Identifiers: `<prefix>_<body>`, with a body in lower-case Crockford base32 without separators
 * (decisions, "Identifiers"). The id of an object of a subscriber begins with the subscriber's key,
 * so a command for `sub_…` finds its stream without a look-up. Clients treat ids as opaque.
 */

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const BITS_PER_CHAR = 5;

/** Length of the subscriber's key: 80 random bits. */
const KEY_CHARS = 16;
/** Length of the suffix: 40 random bits, unique among the objects of one subscriber. */
const SUFFIX_CHARS = 8;
const UUID_CHARS = 26;

/**
 * Random bytes as an input. The same label gives the same bytes within one command, so a command
 * that decides again, or is repeated, creates the same ids.
 */
export type Entropy = (label: string, bytes: number) => Uint8Array;

/** Prefixes of objects in a subscriber's stream. Their ids contain the subscriber's key. */
export type OwnedPrefix = 'sub' | 'pay' | 'rfd' | 'crd' | 'tkt' | 'mtr';

/** Prefixes of objects that have streams of their own. */
export type FreePrefix =
  'tnt' | 'dest' | 'rep' | 'cohort' | 'mot' | 'clock' | 'imp' | 'key' | 'opt' | 'rbd';

/**
 * Encodes the last `chars` × 5 bits of the bytes. Every request creates ids, so it avoids big
 * integers for speed.
 */
const encode = (bytes: Uint8Array, chars: number): string => {
  let text = '';
  let pending = 0;
  let pendingBits = 0;
  for (let i = bytes.length - 1; i >= 0 && text.length < chars; i -= 1) {
    pending |= (bytes[i] ?? 0) << pendingBits;
    pendingBits += 8;
    while (pendingBits >= BITS_PER_CHAR && text.length < chars) {
      text = ALPHABET.charAt(pending & 31) + text;
      pending >>>= BITS_PER_CHAR;
      pendingBits -= BITS_PER_CHAR;
    }
  }
  return text.length < chars ? (ALPHABET.charAt(pending & 31) + text).padStart(chars, '0') : text;
};

const createRandomText = (entropy: Entropy, label: string, chars: number): string =>
  encode(entropy(label, Math.ceil((chars * BITS_PER_CHAR) / 8)), chars);

export const newSubscriberId = (entropy: Entropy): string =>
  `subscriber_${createRandomText(entropy, 'subscriber', KEY_CHARS)}`;

/**
 * Creates the id of an object of a subscriber. `label` distinguishes ids of one kind that the same
 * command creates.
 */
export const newOwnedId = (
  prefix: OwnedPrefix,
  subscriberId: string,
  entropy: Entropy,
  label: string = prefix,
): string =>
  `${createOwnedIdPrefix(prefix, subscriberId)}${createRandomText(entropy, label, SUFFIX_CHARS)}`;

/** Returns the beginning of the ids of all objects of one kind that a subscriber owns. */
export const createOwnedIdPrefix = (prefix: OwnedPrefix, subscriberId: string): string =>
  `${prefix}_${readSubscriberKey(subscriberId)}`;

export const newId = (prefix: FreePrefix, entropy: Entropy): string =>
  `${prefix}_${createRandomText(entropy, prefix, KEY_CHARS)}`;

const readSubscriberKey = (subscriberId: string): string =>
  subscriberId.slice('subscriber_'.length);

const createBodyPattern = (length: number): string => `[${ALPHABET}]{${length}}`;
const SUBSCRIBER = new RegExp(`^subscriber_${createBodyPattern(KEY_CHARS)}$`);
const OWNED = new RegExp(
  `^(sub|pay|rfd|crd|tkt|mtr)_(${createBodyPattern(KEY_CHARS)})${createBodyPattern(SUFFIX_CHARS)}$`,
);
const FREE = new RegExp(`^([a-z]+)_${createBodyPattern(KEY_CHARS)}$`);
const EVENT = new RegExp(`^evt_([0-7]${createBodyPattern(UUID_CHARS - 1)})$`);

/** True if the text has the form of an id of this kind. */
export const isFreeId = (prefix: FreePrefix, text: string): boolean =>
  FREE.exec(text)?.[1] === prefix;

export const isSubscriberId = (text: string): boolean => SUBSCRIBER.test(text);

/** Returns the subscriber to whom an object belongs, or null if the text is no id of that kind. */
export const findOwner = (prefix: OwnedPrefix, id: string): string | null => {
  const [, found, key] = OWNED.exec(id) ?? [];
  return found === prefix && key !== undefined ? `subscriber_${key}` : null;
};

/**
 * Converts the UUID of a stored event to its public id. The encoding is reversible and keeps the
 * order.
 */
export const toEventId = (uuid: string): string =>
  `evt_${encode(toBytes(uuid.replaceAll('-', '')), UUID_CHARS)}`;

/** Converts a public event id to the stored UUID, or null if the text is no such id. */
export const toEventUuid = (eventId: string): string | null => {
  const text = EVENT.exec(eventId)?.[1];
  if (text === undefined) return null;
  let value = 0n;
  for (const char of text) value = (value << 5n) | BigInt(ALPHABET.indexOf(char));
  const hex = value.toString(16).padStart(32, '0');
  return [8, 12, 16, 20, 32]
    .map((end, i, ends) => hex.slice(i === 0 ? 0 : ends[i - 1], end))
    .join('-');
};

interface EventUuidInput {
  readonly atMs: number;
  /** The number of the event in its stream, starting at 1. */
  readonly sequence: number;
  /**
   * At least 16 hexadecimal digits derived from the command, so that a repeated append has the same
   * id.
   */
  readonly tail: string;
}

/**
 * Creates a UUID of version 7 (RFC 9562): milliseconds, then the low 12 bits of the sequence. The
 * ids of one subscriber sort by time and, within a millisecond, by sequence. Imported events may be
 * older than such a UUID can express; they sort by sequence alone.
 */
export const createEventUuid = ({ atMs, sequence, tail }: EventUuidInput): string => {
  const time = Math.max(0, atMs).toString(16).padStart(12, '0');
  const counter = (sequence & 0xfff).toString(16).padStart(3, '0');
  const variant = ((parseInt(tail.charAt(0), 16) & 0x3) | 0x8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${variant}${tail.slice(1, 4)}-${tail.slice(4, 16)}`;
};

const toBytes = (hex: string): Uint8Array => {
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i += 1) {
    bytes[i] = (readDigit(hex, 2 * i) << 4) | readDigit(hex, 2 * i + 1);
  }
  return bytes;
};

const readDigit = (hex: string, i: number): number => {
  const code = hex.charCodeAt(i);
  return code <= NINE ? code - ZERO : (code | LOWER_CASE) - LETTER_OFFSET;
};

const ZERO = 48;
const NINE = 57;
const LOWER_CASE = 32;
const LETTER_OFFSET = 87;
