import { LRUCache } from 'lru-cache';
import { randomUUID } from 'node:crypto';
import type { CommandContext } from '../kernel/scope';
import { append, deleteForGood, RevisionConflict, StreamGone } from './append';
import type { PersonalField } from './catalogue';
import type { EventStoreConnection } from './connection';
import { decrypt, encrypt, freshBytes, type MasterKey } from './master-key';
import { readStream } from './read';
import { streams } from './streams';

const DATA_KEY_BYTES = 32;
const CACHED_KEYS_MAX = 100_000;
/** Another process may have erased the subscriber: a cached key is looked up again after this. */
const CACHED_KEY_TTL_MS = 30_000;

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
    { now, commandId }: Pick<CommandContext, 'now' | 'commandId'>,
  ): Promise<void> {
    const key = freshBytes(DATA_KEY_BYTES);
    try {
      await append(this.connection, {
        stream: streams.vault(subscriberId).name,
        expected: -1,
        events: [
          {
            uuid: randomUUID(),
            type: 'vault.key_created',
            data: { wrapped: this.masterKey.wrap(key, subscriberId) },
            metadata: { schema: 'v1', at: now, command: commandId },
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
    await deleteForGood(this.connection, streams.vault(subscriberId).name);
    this.keys.set(subscriberId, { key: null });
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
    for await (const event of readStream(this.connection.client, stream, { maxCount: 1 })) {
      return new Uint8Array(this.masterKey.unwrap(event.data['wrapped'] as string, subscriberId));
    }
    return null;
  }
}
