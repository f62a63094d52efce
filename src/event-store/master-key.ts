import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const RANDOM_BUFFER_BYTES = 8_192;

let randomBuffer = Buffer.alloc(0);

/**
 * Returns random bytes. They are taken from a larger buffer, because the generator takes as long
 * for a few bytes as for many. Each byte is used once.
 */
export const takeRandomBytes = (count: number): Uint8Array => {
  if (randomBuffer.length < count) randomBuffer = randomBytes(RANDOM_BUFFER_BYTES);
  const taken = new Uint8Array(randomBuffer.subarray(0, count));
  randomBuffer = randomBuffer.subarray(count);
  return taken;
};

/**
 * Encrypts with AES-256-GCM. The result is base64 of nonce, tag and ciphertext. Decryption needs
 * the same `context`, which binds the text to its place.
 */
export const encrypt = (key: Uint8Array, plain: Uint8Array | string, context: string): string => {
  const nonce = takeRandomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
};

export const decrypt = (key: Uint8Array, sealed: string, context: string): Buffer => {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([
    decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
    decipher.final(),
  ]);
};

/** A master key and the keys derived from it. Each purpose has its own key (HKDF, RFC 5869). */
interface KnownKey {
  /** Id of the key. It reveals nothing about the key. */
  readonly id: string;
  readonly wrapping: Uint8Array;
  readonly raw: Uint8Array;
}

/** The ids of the old and the new key of a rotation. */
export interface Rotation {
  readonly from: string;
  readonly to: string;
}

/**
 * The keys that are not in the log. One of them, the current one, wraps the subscribers' data keys
 * and the destinations' signing secrets. The id of the key is at the beginning of each wrapped
 * text. During a rotation the previous key unwraps as well. Texts from before keys had ids are
 * tried with every key.
 */
export class MasterKey {
  private readonly keys = new Map<string, KnownKey>();
  private current: KnownKey;
  private digestingKey: Uint8Array;
  private proof: () => Promise<void> = () => Promise.resolve();

  /** The first key is the current one until the log says otherwise (`KeyRing`). */
  constructor(first: Uint8Array, ...others: readonly Uint8Array[]) {
    this.current = this.add(first);
    for (const other of others) this.add(other);
    this.digestingKey = derive(first, 'digest');
  }

  get id(): string {
    return this.current.id;
  }

  /** Sets the function that resolves when no other process can have replaced the current key. */
  setProof(proof: () => Promise<void>): void {
    this.proof = proof;
  }

  /** Must be awaited before anything is wrapped that will be stored. */
  proveCurrent(): Promise<void> {
    return this.proof();
  }

  /** Wraps a text that will be stored, with a key that is proved to be current. */
  async seal(plain: Uint8Array | string, context: string): Promise<string> {
    await this.proof();
    return this.wrap(plain, context);
  }

  wrap(plain: Uint8Array | string, context: string): string {
    return this.wrapWith(this.current.id, plain, context);
  }

  /** Wraps with a key that may not be the current one. */
  wrapWith(id: string, plain: Uint8Array | string, context: string): string {
    return `${id}${ID_END}${encrypt(this.requireKey(id).wrapping, plain, context)}`;
  }

  unwrap(wrapped: string, context: string): Buffer {
    const id = readKeyId(wrapped);
    if (id !== null) {
      return decrypt(this.requireKey(id).wrapping, wrapped.slice(id.length + 1), context);
    }
    return this.unwrapWithoutId(wrapped, context);
  }

  /** True if a known key opens the text. It may be wrapped with a key that a rotation retired. */
  canUnwrap(wrapped: string, context: string): boolean {
    const id = readKeyId(wrapped);
    return id === null ? this.findKeyFor(wrapped, context) !== null : this.has(id);
  }

  /** Wraps a text with the current key; null if it already is. */
  rewrap(wrapped: string, context: string): string | null {
    return this.isCurrent(wrapped) ? null : this.wrap(this.unwrap(wrapped, context), context);
  }

  isCurrent(wrapped: string): boolean {
    return readKeyId(wrapped) === this.current.id;
  }

  /**
   * Returns a keyed digest. Equal texts have equal digests, and without the key nobody can test a
   * guess.
   */
  digest(text: string): Buffer {
    return createHmac('sha256', this.digestingKey).update(text).digest();
  }

  has(id: string): boolean {
    return this.keys.has(id);
  }

  /** Adds a key that other processes may already use. Returns its id. */
  addKey(key: Uint8Array): string {
    return this.add(key).id;
  }

  /** Returns the raw key, to be wrapped by another one. */
  reveal(id: string): Uint8Array {
    return this.requireKey(id).raw;
  }

  makeCurrent(id: string): void {
    this.current = this.requireKey(id);
  }

  /** Removes every key but the current one. */
  forgetOthers(): void {
    for (const id of this.keys.keys()) if (id !== this.current.id) this.keys.delete(id);
  }

  /** The key of digests. Streams and ids contain digests, so this key survives every rotation. */
  get digestKey(): Uint8Array {
    return this.digestingKey;
  }

  /** Sets the key of digests that an earlier master key had. */
  setDigestKey(key: Uint8Array): void {
    this.digestingKey = key;
  }

  /** Derives the key of digests from the first master key of the log, which is the one named. */
  deriveDigestKeyFrom(id: string): void {
    this.digestingKey = derive(this.requireKey(id).raw, 'digest');
  }

  /** Returns the id of the first known key that opens a text, or null. */
  findKeyFor(wrapped: string, context: string): string | null {
    const id = readKeyId(wrapped);
    const candidates = id === null ? [...this.keys.values()] : [this.keys.get(id)];
    const text = id === null ? wrapped : wrapped.slice(id.length + 1);
    const opener = candidates.find((key) => key !== undefined && canDecrypt(key, text, context));
    return opener?.id ?? null;
  }

  private unwrapWithoutId(wrapped: string, context: string): Buffer {
    const id = this.findKeyFor(wrapped, context) ?? this.current.id;
    return decrypt(this.requireKey(id).wrapping, wrapped, context);
  }

  private add(raw: Uint8Array): KnownKey {
    if (raw.length !== KEY_BYTES) throw new Error(`the master key must have ${KEY_BYTES} bytes`);
    const id = Buffer.from(derive(raw, 'id')).toString('hex').slice(0, ID_CHARS);
    const key = this.keys.get(id) ?? { id, raw, wrapping: derive(raw, 'wrap') };
    this.keys.set(id, key);
    return key;
  }

  private requireKey(id: string): KnownKey {
    const key = this.keys.get(id);
    if (key === undefined) throw new Error(`the master key ${id} is not known here`);
    return key;
  }
}

/**
 * Separates the id of the key from the text. Base64 does not contain this character, so a text
 * without an id is recognised.
 */
const ID_END = '.';
const ID_CHARS = 12;

const readKeyId = (wrapped: string): string | null => {
  const end = wrapped.indexOf(ID_END);
  return end < 0 ? null : wrapped.slice(0, end);
};

const canDecrypt = ({ wrapping }: KnownKey, text: string, context: string): boolean => {
  try {
    decrypt(wrapping, text, context);
    return true;
  } catch {
    return false;
  }
};

const derive = (key: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', key, '', `subscription-event-service/${purpose}`, KEY_BYTES));
