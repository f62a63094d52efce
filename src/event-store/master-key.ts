import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const STOCK_BYTES = 8_192;

let stock = Buffer.alloc(0);

/** Random bytes, each given out once. The generator takes as long for a few bytes as for a stock of them. */
export const freshBytes = (count: number): Uint8Array => {
  if (stock.length < count) stock = randomBytes(STOCK_BYTES);
  const taken = new Uint8Array(stock.subarray(0, count));
  stock = stock.subarray(count);
  return taken;
};

/** AES-256-GCM: nonce, tag, then ciphertext, as base64. `context` binds the text to its place. */
export const encrypt = (key: Uint8Array, plain: Uint8Array | string, context: string): string => {
  const nonce = freshBytes(NONCE_BYTES);
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

/** One master key and what is derived from it; each purpose has a key of its own (HKDF, RFC 5869). */
interface KnownKey {
  /** Names the key without telling anything about it. */
  readonly id: string;
  readonly wrapping: Uint8Array;
  readonly raw: Uint8Array;
}

/** The names of the keys that a rotation replaces and puts in place. */
export interface Rotation {
  readonly from: string;
  readonly to: string;
}

/**
 * The keys that are not in the log. One of them, the current one, wraps the subscribers' data keys and
 * the destinations' signing secrets; the id of the key stands before each wrapped text. While a
 * rotation rewraps, the key before it unwraps as well. Texts from before keys had ids are tried with
 * every key.
 */
export class MasterKey {
  private readonly keys = new Map<string, KnownKey>();
  private current: KnownKey;
  private digesting: Uint8Array;
  private proof: () => Promise<void> = () => Promise.resolve();

  /** The first key counts as the current one until the log says otherwise (`KeyRing`). */
  constructor(first: Uint8Array, ...others: readonly Uint8Array[]) {
    this.current = this.add(first);
    for (const other of others) this.add(other);
    this.digesting = derive(first, 'digest');
  }

  get id(): string {
    return this.current.id;
  }

  /** `proof` resolves when no other process can have replaced the current key for good. */
  provenBy(proof: () => Promise<void>): void {
    this.proof = proof;
  }

  /** To be awaited before anything is wrapped that is stored. */
  proveCurrent(): Promise<void> {
    return this.proof();
  }

  /** Wraps what is to be stored, with a key that is known to be the current one. */
  async seal(plain: Uint8Array | string, context: string): Promise<string> {
    await this.proof();
    return this.wrap(plain, context);
  }

  wrap(plain: Uint8Array | string, context: string): string {
    return this.wrapWith(this.current.id, plain, context);
  }

  /** Wraps with a key that need not be the current one. */
  wrapWith(id: string, plain: Uint8Array | string, context: string): string {
    return `${id}${ID_END}${encrypt(this.require(id).wrapping, plain, context)}`;
  }

  unwrap(wrapped: string, context: string): Buffer {
    const id = idOf(wrapped);
    if (id !== null) {
      return decrypt(this.require(id).wrapping, wrapped.slice(id.length + 1), context);
    }
    return this.unwrapUnnamed(wrapped, context);
  }

  /** The text under the current key; null where it is under that key already. */
  rewrap(wrapped: string, context: string): string | null {
    return this.isCurrent(wrapped) ? null : this.wrap(this.unwrap(wrapped, context), context);
  }

  isCurrent(wrapped: string): boolean {
    return idOf(wrapped) === this.current.id;
  }

  /** A keyed digest: equal texts are recognised, and nobody without the key can test a guess. */
  digest(text: string): Buffer {
    return createHmac('sha256', this.digesting).update(text).digest();
  }

  has(id: string): boolean {
    return this.keys.has(id);
  }

  /** Adds a key that others may already wrap with; answers its id. */
  learn(key: Uint8Array): string {
    return this.add(key).id;
  }

  /** The key itself, to be handed on under another one. */
  reveal(id: string): Uint8Array {
    return this.require(id).raw;
  }

  use(id: string): void {
    this.current = this.require(id);
  }

  /** Forgets every key but the current one. */
  forgetOthers(): void {
    for (const id of this.keys.keys()) if (id !== this.current.id) this.keys.delete(id);
  }

  /** Digests name streams and make ids, so their key outlives every rotation. */
  get digestKey(): Uint8Array {
    return this.digesting;
  }

  /** Takes over the key of digests that an earlier master key had. */
  digestWith(key: Uint8Array): void {
    this.digesting = key;
  }

  /** Digests as the first master key of the log did, which is the one named. */
  digestAs(id: string): void {
    this.digesting = derive(this.require(id).raw, 'digest');
  }

  /** The first of the known keys that opens the text. */
  openerOf(wrapped: string, context: string): string | null {
    const id = idOf(wrapped);
    const candidates = id === null ? [...this.keys.values()] : [this.keys.get(id)];
    const text = id === null ? wrapped : wrapped.slice(id.length + 1);
    const opener = candidates.find((key) => key !== undefined && opens(key, text, context));
    return opener?.id ?? null;
  }

  private unwrapUnnamed(wrapped: string, context: string): Buffer {
    const id = this.openerOf(wrapped, context) ?? this.current.id;
    return decrypt(this.require(id).wrapping, wrapped, context);
  }

  private add(raw: Uint8Array): KnownKey {
    if (raw.length !== KEY_BYTES) throw new Error(`the master key must have ${KEY_BYTES} bytes`);
    const id = Buffer.from(derive(raw, 'id')).toString('hex').slice(0, ID_CHARS);
    const key = this.keys.get(id) ?? { id, raw, wrapping: derive(raw, 'wrap') };
    this.keys.set(id, key);
    return key;
  }

  private require(id: string): KnownKey {
    const key = this.keys.get(id);
    if (key === undefined) throw new Error(`the master key ${id} is not known here`);
    return key;
  }
}

/** Base64 has no such sign, so a text from before keys had ids is told apart. */
const ID_END = '.';
const ID_CHARS = 12;

const idOf = (wrapped: string): string | null => {
  const end = wrapped.indexOf(ID_END);
  return end < 0 ? null : wrapped.slice(0, end);
};

const opens = ({ wrapping }: KnownKey, text: string, context: string): boolean => {
  try {
    decrypt(wrapping, text, context);
    return true;
  } catch {
    return false;
  }
};

const derive = (key: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', key, '', `subscription-event-service/${purpose}`, KEY_BYTES));
