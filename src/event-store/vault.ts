import { LRUCache } from 'lru-cache';
import { randomUUID } from 'node:crypto';
import type { CommandContext } from '../kernel/scope';
import type { Instant } from '../kernel/time';
import { append, deleteForGood, keepOnlyLast, RevisionConflict, StreamGone } from './append';
import type { PersonalField } from './catalogue';
import type { EventStoreConnection } from './connection';
import { decrypt, encrypt, freshBytes, type MasterKey } from './master-key';
import { readStream } from './read';
import type { StoredEvent } from './stored-event';
import type { JsonObject } from '../kernel/json';
import { streams } from './streams';

const DATA_KEY_BYTES = 32;
const CACHED_KEYS_MAX = 100_000;
/** Another process may have erased the subscriber: a cached key is looked up again after this. */
const CACHED_KEY_TTL_MS = 30_000;

/** A rotation of the master key appends the rewrapped key: the last event counts. */
const LAST = { backwards: true, maxCount: 1 } as const;

/** What is personal about one event. */
export interface Personal {
  readonly email: string | null;
  readonly fields: readonly PersonalField[];
}

interface Sealed {
  readonly e?: string;
  readonly f?: readonly PersonalField[];
}

/**
 * The subscribers' data keys. Personal data in the log is encrypted with the subscriber's key, kept,
 * wrapped by the master key, in the stream `vault-…`; deleting that stream forgets the person in
 * every past event at once (D-114, crypto-shredding).
 */
export class Vault {
  private readonly keys = new LRUCache<string, { key: Uint8Array | null }>({
    max: CACHED_KEYS_MAX,
    ttl: CACHED_KEY_TTL_MS,
  });

  constructor(
    private readonly connection: EventStoreConnection,
    private readonly masterKey: MasterKey,
  ) {}

  /** Gives a new subscriber a data key. One that exists, or was erased, stays as it is. */
  async create(
    subscriberId: string,
    { now, commandId, origin }: Pick<CommandContext, 'now' | 'commandId' | 'origin'>,
  ): Promise<void> {
    const key = freshBytes(DATA_KEY_BYTES);
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
    } catch (error) {
      if (!(error instanceof RevisionConflict || error instanceof StreamGone)) throw error;
    }
  }

  /** Forgets a subscriber: what was sealed can never be read again. Repeating it is harmless. */
  async erase(subscriberId: string): Promise<void> {
    this.forget(subscriberId);
    await deleteForGood(this.connection, streams.vault(subscriberId).name);
    this.forget(subscriberId);
  }

  /** Drops a subscriber's key from the memory of this process; another one is erasing it. */
  forget(subscriberId: string): void {
    this.keys.set(subscriberId, { key: null });
  }

  /** True if this process keeps the key in memory. */
  remembers(subscriberId: string): boolean {
    return this.keys.peek(subscriberId)?.key != null;
  }

  /** Null when there is nothing personal to keep. */
  async seal(subscriberId: string, { email, fields }: Personal): Promise<string | null> {
    if (email === null && fields.length === 0) return null;
    const key = await this.keyOf(subscriberId);
    if (key === null) return null;
    const sealed: Sealed = {
      ...(email === null ? {} : { e: email }),
      ...(fields.length === 0 ? {} : { f: fields }),
    };
    return encrypt(key, JSON.stringify(sealed), subscriberId);
  }

  /** Null when the subscriber was erased. */
  async open(subscriberId: string, sealed: string | undefined): Promise<Personal | null> {
    if (sealed === undefined) return { email: null, fields: [] };
    const key = await this.keyOf(subscriberId);
    if (key === null) return null;
    const { e, f } = JSON.parse(decrypt(key, sealed, subscriberId).toString()) as Sealed;
    return { email: e ?? null, fields: f ?? [] };
  }

  /** Free text of a machine's making (a receiver's answer) under the same key. */
  async sealText(subscriberId: string, text: string): Promise<string | null> {
    const key = await this.keyOf(subscriberId);
    return key === null ? null : encrypt(key, text, subscriberId);
  }

  async openText(subscriberId: string, sealed: string): Promise<string | null> {
    const key = await this.keyOf(subscriberId);
    return key === null ? null : decrypt(key, sealed, subscriberId).toString();
  }

  private async keyOf(subscriberId: string): Promise<Uint8Array | null> {
    const cached = this.keys.get(subscriberId);
    if (cached !== undefined) return cached.key;
    const key = await this.load(subscriberId);
    // What was created or erased during the read is newer than what the read found.
    const meanwhile = this.keys.get(subscriberId);
    if (meanwhile !== undefined) return meanwhile.key;
    this.keys.set(subscriberId, { key });
    return key;
  }

  private async load(subscriberId: string): Promise<Uint8Array | null> {
    const stream = streams.vault(subscriberId).name;
    for await (const event of readStream(this.connection.client, stream, LAST)) {
      return new Uint8Array(this.masterKey.unwrap(event.data['wrapped'] as string, subscriberId));
    }
    return null;
  }

  /**
   * Puts a data key under the current master key and lets the stream forget the text before it.
   * Answers whether there was anything to do; repeating it after a crash ends what was begun.
   */
  async rewrap(subscriberId: string, now: Instant): Promise<boolean> {
    const stream = streams.vault(subscriberId).name;
    await this.masterKey.proveCurrent();
    for await (const event of readStream(this.connection.client, stream, LAST)) {
      const text = event.data['wrapped'] as string;
      const wrapped = this.masterKey.rewrap(text, subscriberId);
      if (wrapped !== null && !(await this.replace(event, { wrapped }, now))) return true;
      if (event.revision === 0 && wrapped === null) return false;
      await keepOnlyLast(this.connection, stream);
      return wrapped !== null;
    }
    return false;
  }

  /** False where the subscriber was erased meanwhile, or another process was faster. */
  private async replace(
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
      if (error instanceof RevisionConflict || error instanceof StreamGone) return false;
      throw error;
    }
  }
}
