import { digestEmail } from '../../event-store/email-hash';
import type { MasterKey } from '../../event-store/master-key';
import { isOutage } from '../../event-store/store-outage';
import type { StoredEvent } from '../../event-store/stored-event';
import type { StreamOwner } from '../../event-store/streams';
import type { Vault } from '../../event-store/vault';
import { describeError, log } from '../../ops/log';
import { Projection } from '../../projections/projection';
import { type BatchAccumulator, RowChanges, type Table } from '../../projections/rows';
import type { Session } from '../../read-models/database';
import type { ChangeStatement } from '../../read-models/statement-batch';

const emailsTable: Table = { name: 'subscriber_emails', key: ['scope', 'subscriber_id'] };

/**
 * Number of addresses that are decrypted concurrently. A data key that is not in memory must be
 * read from the store.
 */
const CONCURRENT_READS = 50;
const VAULT_PREFIX = 'vault-';

/**
 * Projects the index by which a subscriber is found by e-mail address. It contains a keyed digest
 * instead of the address, and the erasure of the subscriber removes it. Addresses are sealed in the
 * log, so each is decrypted once with the subscriber's data key.
 */
export class SubscriberEmailProjection extends Projection {
  readonly name = 'subscriber_emails';
  readonly tables = [emailsTable];

  constructor(
    private readonly vault: Vault,
    private readonly masterKey: MasterKey,
  ) {
    super();
  }

  project(event: StoredEvent, changes: RowChanges): void {
    const { owner, type, stream } = event;
    const listAddresses = (): Addresses =>
      changes.accumulate(this, () => new Addresses(this.vault, this.masterKey));
    if (stream.startsWith(VAULT_PREFIX)) listAddresses().rememberKey(event);
    if (owner === null) return;
    if (type === 'subscriber.created' || type === 'subscriber.updated') {
      listAddresses().set(owner, event.metadata.sealed ?? null);
    }
    if (type === 'subscriber.erased') listAddresses().set(owner, null);
  }
}

interface Address {
  readonly owner: StreamOwner;
  /** Null if the address was removed. */
  readonly sealed: string | null;
}

/** Collects the addresses of a batch and keeps the last one of each subscriber. */
class Addresses implements BatchAccumulator {
  private readonly addresses = new Map<string, Address>();
  /**
   * Wrapped data keys, by subscriber id. A data key is stored right before the first event of its
   * subscriber, so in a rebuild it is usually in the same batch.
   */
  private readonly wrappedKeys = new Map<string, string>();

  constructor(
    private readonly vault: Vault,
    private readonly masterKey: MasterKey,
  ) {}

  rememberKey({ stream, data }: StoredEvent): void {
    const { wrapped } = data;
    if (typeof wrapped === 'string')
      this.wrappedKeys.set(stream.slice(VAULT_PREFIX.length), wrapped);
  }

  set(owner: StreamOwner, sealed: string | null): void {
    this.addresses.set(`${owner.scopeName} ${owner.subscriberId}`, { owner, sealed });
  }

  async statements(session: Session): Promise<readonly ChangeStatement[]> {
    const changes = new RowChanges();
    const all = [...this.addresses.values()];
    for (let next = 0; next < all.length; next += CONCURRENT_READS) {
      await Promise.all(
        all.slice(next, next + CONCURRENT_READS).map(async (address) => {
          this.change(changes, address, await this.computeDigest(address));
        }),
      );
    }
    return changes.createStatements(session);
  }

  private change(changes: RowChanges, { owner }: Address, digest: string | null): void {
    const key = { scope: owner.scopeName, subscriber_id: owner.subscriberId };
    if (digest === null) changes.remove(emailsTable, key);
    else changes.upsert(emailsTable, { ...key, digest });
  }

  /**
   * Returns the digest of the address. Returns null if it was erased or cannot be decrypted, so
   * that no search finds it.
   */
  private async computeDigest({ owner, sealed }: Address): Promise<string | null> {
    if (sealed === null) return null;
    const { subscriberId, scopeName } = owner;
    try {
      const wrapped = this.wrappedKeys.get(subscriberId);
      const personal = await this.vault.open(subscriberId, sealed, wrapped);
      const email = personal?.email ?? null;
      return email === null ? null : digestEmail(this.masterKey, scopeName, email);
    } catch (error) {
      if (isOutage(error)) throw error;
      log.error(
        { subscriber_id: subscriberId, ...describeError(error) },
        'an e-mail address cannot be decrypted: searches for it do not find its subscriber',
      );
      return null;
    }
  }
}
