import { START } from '@eventstore/db-client';
import { connect } from 'node:http2';
import {
  ContractStore,
  createNumberedUpTo,
  createNumbered,
  createUniqueName,
} from '../support/store-contract';
import { readRequest } from '../support/raw-store';
import { until } from '../support/until';

const EVENTS = 200;
/**
 * Node closes a connection that resets more streams than this: 1,000 at once and 33 a second after
 * that.
 */
const READS = 5_000;
const AT_A_TIME = 20;
const WAIT_LIMIT_MS = 180_000;
const GRPC_HEADER_BYTES = 5;

/**
 * HTTP/2 servers limit how fast a client may reset streams. A client that takes the first events of
 * a read and cancels it resets a stream each time, and must never lose its connection for that.
 */
describe('reads that the client ends early', () => {
  let store: ContractStore;
  const stream = createUniqueName('early-');

  beforeAll(async () => {
    store = await ContractStore.start();
    await store.client.appendToStream(stream, createNumberedUpTo(EVENTS));
  });
  afterAll(() => store.close());

  it(
    'never cost the connection, nor a subscription on it',
    async () => {
      const subscription = store.client.subscribeToStream(stream, { fromRevision: START });
      let seen = 0;
      let failure: unknown;
      subscription.on('data', () => (seen += 1)).on('error', (error) => (failure = error));
      const session = connect(
        `http://${new URL(store.connectionString.replace('esdb', 'http')).host}`,
      );
      const lost = new Promise<never>((_, reject) => {
        session.on('goaway', (code) => {
          reject(new Error(`the server sent GOAWAY ${code}`));
        });
        session.on('error', reject);
      });
      const message = readRequest({ stream, count: EVENTS }).serializeBinary();
      const frame = Buffer.concat([Buffer.alloc(GRPC_HEADER_BYTES), message]);
      frame.writeUInt32BE(message.length, 1);

      const readFirstBytes = (): Promise<void> =>
        new Promise((resolve, reject) => {
          const call = session.request({
            ':method': 'POST',
            ':path': '/event_store.client.streams.Streams/Read',
            'content-type': 'application/grpc',
            te: 'trailers',
          });
          call.on('error', reject).once('data', () => {
            call.close(8);
            resolve();
          });
          call.end(frame);
        });
      let left = READS;
      const reader = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          await readFirstBytes();
        }
      };
      await Promise.race([Promise.all(Array.from({ length: AT_A_TIME }, reader)), lost]);
      await new Promise<void>((resolve) => {
        session.close(resolve);
      });

      await store.client.appendToStream(stream, createNumbered(EVENTS));
      await until('the subscription to go on', () => seen === EVENTS + 1);
      expect(failure).toBeUndefined();
      await subscription.unsubscribe();
    },
    WAIT_LIMIT_MS,
  );
});
