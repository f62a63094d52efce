/**
 * Identifiers: `<prefix>_<body>`, body in lower-case Crockford base32, no separator inside
 * (decisions, "Identifiers"). What belongs to a subscriber carries the subscriber's key first, so a
 * command addressed to `sub_…` finds its stream without a look-up. Clients treat ids as opaque.
 */

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const BITS_PER_CHAR = 5;

/** 80 random bits: the subscriber's key. */
const KEY_CHARS = 16;
/** 40 random bits: unique among one subscriber's own objects. */
const SUFFIX_CHARS = 8;
const UUID_CHARS = 26;

/**
 * Random bytes as an input: the same label gives the same bytes within one command, so a command
 * that decides again, or is repeated, makes the same ids.
 */
export type Entropy = (label: string, bytes: number) => Uint8Array;

/** Objects in a subscriber's stream: their ids carry the subscriber's key. */
export type OwnedPrefix = 'sub' | 'pay' | 'rfd' | 'crd' | 'tkt' | 'mtr';

/** Objects with streams of their own. */
export type FreePrefix =
  'tnt' | 'dest' | 'rep' | 'cohort' | 'mot' | 'clock' | 'imp' | 'key' | 'opt' | 'rbd';

/** The last `chars` × 5 bits of the bytes. Ids are made on every request, so without big integers. */
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

const random = (entropy: Entropy, label: string, chars: number): string =>
  encode(entropy(label, Math.ceil((chars * BITS_PER_CHAR) / 8)), chars);

export const newSubscriberId = (entropy: Entropy): string =>
  `subscriber_${random(entropy, 'subscriber', KEY_CHARS)}`;

/** `label` tells the ids of one kind apart that one command makes. */
export const newOwnedId = (
  prefix: OwnedPrefix,
  subscriberId: string,
  entropy: Entropy,
  label: string = prefix,
): string => `${ownedBy(prefix, subscriberId)}${random(entropy, label, SUFFIX_CHARS)}`;

/** How the ids of all objects of one kind begin that one subscriber owns. */
export const ownedBy = (prefix: OwnedPrefix, subscriberId: string): string =>
  `${prefix}_${keyOf(subscriberId)}`;

export const newId = (prefix: FreePrefix, entropy: Entropy): string =>
  `${prefix}_${random(entropy, prefix, KEY_CHARS)}`;

const keyOf = (subscriberId: string): string => subscriberId.slice('subscriber_'.length);

const body = (length: number): string => `[${ALPHABET}]{${length}}`;
const SUBSCRIBER = new RegExp(`^subscriber_${body(KEY_CHARS)}$`);
const OWNED = new RegExp(`^(sub|pay|rfd|crd|tkt|mtr)_(${body(KEY_CHARS)})${body(SUFFIX_CHARS)}$`);
const FREE = new RegExp(`^([a-z]+)_${body(KEY_CHARS)}$`);
const EVENT = new RegExp(`^evt_([0-7]${body(UUID_CHARS - 1)})$`);

/** Whether the text has the form of a free id of the kind. */
export const isFreeId = (prefix: FreePrefix, text: string): boolean =>
  FREE.exec(text)?.[1] === prefix;

export const isSubscriberId = (text: string): boolean => SUBSCRIBER.test(text);

/** The subscriber an owned id belongs to, or null where the text is no id of that kind. */
export const ownerOf = (prefix: OwnedPrefix, id: string): string | null => {
  const [, found, key] = OWNED.exec(id) ?? [];
  return found === prefix && key !== undefined ? `subscriber_${key}` : null;
};

/** The public id of a stored event: a reversible, order-keeping encoding of its UUID. */
export const eventIdOf = (uuid: string): string =>
  `evt_${encode(hexToBytes(uuid.replaceAll('-', '')), UUID_CHARS)}`;

/** The stored UUID behind a public event id, or null where the text is no such id. */
export const uuidOf = (eventId: string): string | null => {
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
  /** The event's 1-based number in its stream. */
  readonly sequence: number;
  /** At least 16 hexadecimal digits, derived from the command, so a repeated append carries the same id. */
  readonly tail: string;
}

/**
 * A UUID of version 7 (RFC 9562): milliseconds, then the low 12 bits of the sequence, so that the
 * ids of one subscriber sort by time and, within a millisecond, by sequence. Imported history may be
 * older than the time that such a UUID can hold: then by sequence alone.
 */
export const eventUuid = ({ atMs, sequence, tail }: EventUuidInput): string => {
  const time = Math.max(0, atMs).toString(16).padStart(12, '0');
  const counter = (sequence & 0xfff).toString(16).padStart(3, '0');
  const variant = ((parseInt(tail.charAt(0), 16) & 0x3) | 0x8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${variant}${tail.slice(1, 4)}-${tail.slice(4, 16)}`;
};

const hexToBytes = (hex: string): Uint8Array => {
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i += 1) {
    bytes[i] = (digitAt(hex, 2 * i) << 4) | digitAt(hex, 2 * i + 1);
  }
  return bytes;
};

const digitAt = (hex: string, i: number): number => {
  const code = hex.charCodeAt(i);
  return code <= NINE ? code - ZERO : (code | LOWER_CASE) - BEFORE_A;
};

const ZERO = 48;
const NINE = 57;
const LOWER_CASE = 32;
const BEFORE_A = 87;
