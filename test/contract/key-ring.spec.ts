import { EventStoreConnection } from '../../src/event-store/connection';
import { KeyRing } from '../../src/event-store/key-ring';
import { MasterKey } from '../../src/event-store/master-key';
import { Vault } from '../../src/event-store/vault';
import { noon } from '../support/given';
import { StoreServer } from '../../packages/embedded-eventstore/test/support/store-server';

const ADA = 'subscriber_0000000000000001';
const personal = { email: 'ada@example.com', fields: [] };
const before = new Uint8Array(32).fill(1);
const after = new Uint8Array(32).fill(2);

describe('a key ring of several processes', () => {
  let store: StoreServer;
  const connections: EventStoreConnection[] = [];

  beforeEach(async () => {
    store = await StoreServer.start();
  });

  afterEach(async () => {
    await Promise.all(connections.splice(0).map((connection) => connection.close()));
    await store.dispose();
  });

  /**
   * Creates a process that receives nothing from the others, because its subscription does not run.
   */
  const createDisconnectedProcess = async (proofValidForMs: number) => {
    const connection = new EventStoreConnection(store.connectionString);
    connections.push(connection);
    const masterKey = new MasterKey(before);
    const ring = new KeyRing({
      connection,
      masterKey,
      now: () => noon,
      saveKeys: null,
      proofValidForMs,
    });
    await ring.refresh();
    return { ring, masterKey, vault: new Vault(connection, masterKey), connection };
  };

  const create = (vault: Vault): Promise<boolean> =>
    vault.create(ADA, {
      now: noon,
      commandId: 'a',
      origin: { by: { type: 'system', id: 'a', name: 'a' } },
    });

  it('encrypts with the new key although it did not receive the rotation', async () => {
    const [rotating, other] = [
      await createDisconnectedProcess(0),
      await createDisconnectedProcess(0),
    ];
    await rotating.ring.startRotation(after);
    await create(other.vault);
    const sealed = (await other.vault.seal(ADA, personal)) ?? undefined;
    await rotating.ring.finishRotation();
    expect(await rotating.vault.open(ADA, sealed)).toEqual(personal);
    expect(other.ring.keyId).toBe(rotating.ring.keyId);
  });

  it('refuses to encrypt with a key that was retired while it was disconnected', async () => {
    const [rotating, other] = [
      await createDisconnectedProcess(0),
      await createDisconnectedProcess(0),
    ];
    await rotating.ring.startRotation(after);
    await rotating.ring.finishRotation();
    await expect(create(other.vault)).rejects.toMatchObject({ code: 'service_unavailable' });
    // Nothing was stored, so the subscriber can still get a key that lasts.
    await create(rotating.vault);
    expect(await rotating.vault.seal(ADA, personal)).not.toBeNull();
  });

  it('checks in the log that its key is current only after the last check has expired', async () => {
    const [rotating, other] = [
      await createDisconnectedProcess(0),
      await createDisconnectedProcess(60_000),
    ];
    const old = other.ring.keyId;
    await rotating.ring.startRotation(after);
    await create(other.vault);
    expect(other.ring.keyId).toBe(old);
  });

  it('ends a process whose key was retired while it was disconnected', async () => {
    const [rotating, other] = [
      await createDisconnectedProcess(0),
      await createDisconnectedProcess(0),
    ];
    await rotating.ring.startRotation(after);
    await rotating.ring.finishRotation();
    await expect(other.ring.follow(new AbortController().signal)).rejects.toThrow(/MASTER_KEY/);
  });
});
