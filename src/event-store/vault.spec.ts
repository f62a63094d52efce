import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { noon } from '../../test/support/given';
import type { EventStoreConnection } from './connection';
import { LinkProgress } from './link-progress';
import { MasterKey } from './master-key';
import { Vault } from './vault';

const SUBSCRIBER = 'subscriber_a';
const masterKey = new MasterKey(Buffer.alloc(32));
const wrapped = masterKey.wrap(Buffer.alloc(32, 1), SUBSCRIBER);
const stored = {
  event: {
    isJson: true,
    created: new Date(noon),
    id: randomUUID(),
    type: 'vault.key_created',
    streamId: `vault-${SUBSCRIBER}`,
    revision: 0n,
    data: { wrapped },
    metadata: { schema: 'v1', at: noon, command: 'c' },
  },
};

/** A vault whose reads answer only when the test lets them. */
const slowVault = (found: readonly unknown[]) => {
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const client = {
    readStream: () =>
      Readable.from(
        (async function* () {
          await asked;
          yield* found;
        })(),
      ),
    tombstoneStream: () => Promise.resolve(),
  };
  const appends = { append: () => Promise.resolve({ revision: 0, position: 0n }) };
  const appendMetrics = { recordAppend: () => undefined, recordConflict: () => undefined };
  const parts = { client, appends, appendMetrics, links: new LinkProgress() };
  const vault = new Vault(parts as unknown as EventStoreConnection, masterKey);
  return { vault, answer };
};

describe('values of an event', () => {
  it('are opened although the log has their key wrapped with a retired master key', async () => {
    const { vault, answer } = slowVault([stored]);
    answer();
    const sealed = await vault.seal(SUBSCRIBER, { email: 'ada@example.com', fields: [] });
    const retired = new MasterKey(Buffer.alloc(32, 2)).wrap(Buffer.alloc(32, 1), SUBSCRIBER);
    const opened = await vault.open(SUBSCRIBER, sealed ?? '', retired);
    expect(opened).toEqual({ email: 'ada@example.com', fields: [] });
  });
});

describe('a key that is being read', () => {
  it('stays erased if its subscriber is erased during the read', async () => {
    const { vault, answer } = slowVault([stored]);
    const reading = vault.sealText(SUBSCRIBER, 'before');
    await vault.erase(SUBSCRIBER);
    answer();
    expect(await reading).toBeNull();
    expect(await vault.sealText(SUBSCRIBER, 'after')).toBeNull();
  });

  it('is available if its subscriber is created during the read', async () => {
    const { vault, answer } = slowVault([]);
    const reading = vault.sealText(SUBSCRIBER, 'early');
    await vault.create(SUBSCRIBER, { now: noon, commandId: 'c' });
    answer();
    const sealed = await reading;
    expect(await vault.openText(SUBSCRIBER, sealed ?? '')).toBe('early');
  });
});
