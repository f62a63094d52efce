import { START } from '@eventstore/db-client';
import {
  ContractStore,
  createNumberedUpTo,
  createNumbered,
  createUniqueName,
} from '../support/store-contract';
import { until } from '../support/until';

const EVENTS = 200;
const READS = 5_000;
const AT_A_TIME = 20;
const WAIT_LIMIT_MS = 180_000;

/** The same as `early-ends.long.spec.ts`, with the official client, which takes three times as long. */
describe('reads that the official client ends early', () => {
  let store: ContractStore;
  const stream = createUniqueName('early-');

  beforeAll(async () => {
    store = await ContractStore.start();
    await store.client.appendToStream(stream, createNumberedUpTo(EVENTS));
  });
  afterAll(() => store.close());

  const countEvents = async (): Promise<number> => {
    let count = 0;
    for await (const _ of store.client.readStream(stream)) count += 1;
    return count;
  };

  it(
    'never cost it a call, nor a subscription on the same connection',
    async () => {
      const before = await countEvents();
      const subscription = store.client.subscribeToStream(stream, { fromRevision: START });
      let seen = 0;
      let failure: unknown;
      subscription.on('data', () => (seen += 1)).on('error', (error) => (failure = error));
      for (let read = 0; read < READS; read += AT_A_TIME) {
        await Promise.all(
          Array.from({ length: AT_A_TIME }, async () => {
            for await (const _ of store.client.readStream(stream, { maxCount: EVENTS })) break;
          }),
        );
      }
      await store.client.appendToStream(stream, createNumbered(before));
      await until('the subscription to go on', () => seen === before + 1);
      expect(failure).toBeUndefined();
      await subscription.unsubscribe();
    },
    WAIT_LIMIT_MS,
  );
});
