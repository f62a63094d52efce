import { LRUCache } from 'lru-cache';
import { randomUUID } from 'node:crypto';
import type { CommandContext } from '../kernel/scope';
import type { Instant } from '../kernel/time';
import {
  append,
  tombstoneStream,
  keepOnlyLastEvent,
  RevisionConflict,
  StreamTombstoned,
} from './append';
import type { PersonalField } from './catalogue';
import type { EventStoreConnection } from './connection';
import { decrypt, encrypt, takeRandomBytes, type MasterKey } from './master-key';
import { readStream } from './read';
import type { StoredEvent } from './stored-event';
import type { JsonObject } from '../kernel/json';
import { streams } from './streams';

const DATA_KEY_BYTES = 32;
const CACHED_KEYS_MAX = 100_000;
/**
 * Another process may have erased the subscriber, so a cached key is read again after this time.
 */
const CACHED_KEY_TTL_MS = 30_000;

/** Reads the last event only: a rotation of the master key appends the rewrapped key. */
const LAST_EVENT = { backwards: true, maxCount: 1 } as const;

/** The personal values of one event. */
export interface Personal {
  readonly email: string | null;
  readonly fields: readonly PersonalField[];
}

interface SealedValues {
  readonly e?: string;
  readonly f?: readonly PersonalField[];
}

/**
 * The subscribers' data keys. Personal data in the log is encrypted with the subscriber's key. The
 * key is stored in the stream `vault-…`, wrapped by the master key. Deleting that stream makes the
 * personal data in all past events unreadable at once (D-114, crypto-shredding).
 */
export class Vault {
  private readonly keys = new LRUCache<string, { key: Uint8Array | null }>({
    max: CACHED_KEYS_MAX,
    ttl: CACHED_KEY_TTL_MS,
    // By default the cache sets a timer of 1 ms at nearly every read, so that it asks for the time
    // less often. The timer wakes the event loop, which costs more than asking.
    ttlResolution: 0,
  });

  constructor(
    private readonly connection: EventStoreConnection,
    private readonly masterKey: MasterKey,
  ) {}

  /**
   * Creates the data key of a new subscriber. Returns false if the key exists or was erased; it
   * stays as it is then.
   */
  async create(
    subscriberId: string,
    { now, commandId, origin }: Pick<CommandContext, 'now' | 'commandId' | 'origin'>,
  ): Promise<boolean> {
    const key = takeRandomBytes(DATA_KEY_BYTES);
    const wrapped = await this.masterKey.seal(key, subscriberId);
    try {
      await append(this.connection, {
        stream: streams.vault(subscriberId).name,
        expected: -1,
        events: [
          {
            uuid: randomUUID(),
            type: 'vault.key_created',
            data: { wrapped },
            metadata: {
              schema: 'v1',
              at: now,
              command: commandId,
              ...(origin === undefined ? {} : { origin }),
            },
          },
        ],
      });
      this.keys.set(subscriberId, { key });
      return true;
    } catch (error) {
      if (!(error instanceof RevisionConflict || error instanceof StreamTombstoned)) throw error;
      return false;
    }
  }

  /**
   * Deletes a subscriber's key, so that sealed values can never be read again. Repeating it is
   * harmless.
   */
  async erase(subscriberId: string): Promise<void> {
    this.dropKey(subscriberId);
    await tombstoneStream(this.connection, streams.vault(subscriberId).name);
    this.dropKey(subscriberId);
  }

  /**
   * Removes a subscriber's key from the memory of this process, because another process is erasing
   * it.
   */
  dropKey(subscriberId: string): void {
    this.keys.set(subscriberId, { key: null });
  }

  /**
   * Removes all keys from the memory of this process. The marks of erased subscribers stay, so that
   * a read under way cannot bring a key back.
   */
  dropKeys(): void {
    for (const [subscriberId, { key }] of this.keys.entries()) {
      if (key !== null) this.keys.delete(subscriberId);
    }
  }

  /** True if this process keeps the key in memory. */
  hasCachedKey(subscriberId: string): boolean {
    return this.keys.peek(subscriberId)?.key != null;
  }

  /** Seals personal values; null if there are none. */
  async seal(subscriberId: string, { email, fields }: Personal): Promise<string | null> {
    if (email === null && fields.length === 0) return null;
    const key = await this.getKey(subscriberId);
    if (key === null) return null;
    const sealed: SealedValues = {
      ...(email === null ? {} : { e: email }),
      ...(fields.length === 0 ? {} : { f: fields }),
    };
    return encrypt(key, JSON.stringify(sealed), subscriberId);
  }

  /**
   * Opens sealed values; null if the subscriber was erased. `wrapped` is the encrypted data key,
   * for a caller that has just read it. Until the next scavenge the log still has texts of a retired
   * master key; the data key is then read from its stream, where it is wrapped with the current one.
   */
  async open(
    subscriberId: string,
    sealed: string | undefined,
    wrapped?: string,
  ): Promise<Personal | null> {
    if (sealed === undefined) return { email: null, fields: [] };
    const key =
      wrapped !== undefined && this.masterKey.canUnwrap(wrapped, subscriberId)
        ? this.masterKey.unwrap(wrapped, subscriberId)
        : await this.getKey(subscriberId);
    if (key === null) return null;
    const { e, f } = JSON.parse(decrypt(key, sealed, subscriberId).toString()) as SealedValues;
    return { email: e ?? null, fields: f ?? [] };
  }

  /** Seals a text of another program, such as a receiver's response, with the same key. */
  async sealText(subscriberId: string, text: string): Promise<string | null> {
    const key = await this.getKey(subscriberId);
    return key === null ? null : encrypt(key, text, subscriberId);
  }

  async openText(subscriberId: string, sealed: string): Promise<string | null> {
    const key = await this.getKey(subscriberId);
    return key === null ? null : decrypt(key, sealed, subscriberId).toString();
  }

  private async getKey(subscriberId: string): Promise<Uint8Array | null> {
    const cached = this.keys.get(subscriberId);
    if (cached !== undefined) return cached.key;
    const key = await this.readKey(subscriberId);
    // A key that was created or erased during the read is newer than the result of the read.
    const meanwhile = this.keys.get(subscriberId);
    if (meanwhile !== undefined) return meanwhile.key;
    this.keys.set(subscriberId, { key });
    return key;
  }

  private async readKey(subscriberId: string): Promise<Uint8Array | null> {
    const stream = streams.vault(subscriberId).name;
    for await (const event of readStream(this.connection.client, stream, LAST_EVENT)) {
      return new Uint8Array(this.masterKey.unwrap(event.data['wrapped'] as string, subscriberId));
    }
    return null;
  }

  /**
   * Wraps a data key with the current master key and deletes the text wrapped by the previous one.
   * Returns true if there was anything to do. Repeating it after a crash completes it.
   */
  async rewrap(subscriberId: string, now: Instant): Promise<boolean> {
    const stream = streams.vault(subscriberId).name;
    await this.masterKey.proveCurrent();
    for await (const event of readStream(this.connection.client, stream, LAST_EVENT)) {
      const text = event.data['wrapped'] as string;
      const wrapped = this.masterKey.rewrap(text, subscriberId);
      if (wrapped !== null && !(await this.replaceKey(event, { wrapped }, now))) return true;
      if (event.revision === 0 && wrapped === null) return false;
      await keepOnlyLastEvent(this.connection, stream);
      return wrapped !== null;
    }
    return false;
  }

  /** Returns false if the subscriber was erased in the meantime, or another process was faster. */
  private async replaceKey(
    { stream, revision }: StoredEvent,
    data: JsonObject,
    now: Instant,
  ): Promise<boolean> {
    const uuid = randomUUID();
    const metadata = { schema: 'v1', at: now, command: uuid };
    const event = { uuid, type: 'vault.key_rewrapped', data, metadata };
    try {
      await append(this.connection, { stream, expected: revision, events: [event] });
      return true;
    } catch (error) {
      if (error instanceof RevisionConflict || error instanceof StreamTombstoned) return false;
      throw error;
    }
  }
}
