import { ReadReq as ConsumeReq } from '@eventstore/db-client/generated/persistent_pb';
import { Empty, StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb';
import { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import { Client, type ClientReadableStream, credentials } from '@grpc/grpc-js';

const READ = '/event_store.client.streams.Streams/Read';
const CONSUME = '/event_store.client.persistent_subscriptions.PersistentSubscriptions/Read';

/**
 * The tag of field 1 of either response, which is an event. Confirmations and checkpoints are not
 * counted.
 */
const EVENT_TAG = 0x0a;

/** The Protobuf bytes before an event's id: a message `UUID` of 38 bytes with a text of 36. */
const ID_HEADER = Buffer.from('0a261224', 'hex');
const ID_BYTES = 36;

interface Serializable {
  serializeBinary(): Uint8Array;
}

const serialize = (message: Serializable): Buffer => Buffer.from(message.serializeBinary());
const asIs = (bytes: Buffer): Buffer => bytes;

/**
 * A client on the usual gRPC library. It sends the official client's requests and decodes nothing
 * of the responses, so the difference is the cost of the official client.
 */
export class BareClient {
  readonly #client: Client;

  constructor(address: string) {
    this.#client = new Client(address, credentials.createInsecure());
  }

  /** Reads a stream, or $all without one. A subscription ends after `count` events. */
  read(source: { stream?: string; subscription: boolean; count: number }): Promise<void> {
    const request = readRequest(source);
    const call = this.#client.makeServerStreamRequest(READ, serialize, asIs, request);
    return takeEvents(call, source.count, () => undefined);
  }

  /** Takes `count` events of a group on a stream and acks them, `atATime` in one message. */
  consume(group: Group, { count, atATime }: { count: number; atATime: number }): Promise<void> {
    const call = this.#client.makeBidiStreamRequest(CONSUME, serialize, asIs);
    call.write(consumeRequest(group));
    const unacked: string[] = [];
    return takeEvents(call, count, (event) => {
      const at = event.indexOf(ID_HEADER) + ID_HEADER.length;
      unacked.push(event.toString('latin1', at, at + ID_BYTES));
      if (unacked.length === atATime) call.write(ackOf(unacked.splice(0)));
    });
  }

  close(): void {
    this.#client.close();
  }
}

interface Group {
  readonly stream: string;
  readonly group: string;
  readonly bufferSize: number;
}

const takeEvents = (
  call: ClientReadableStream<Buffer>,
  count: number,
  onEvent: (event: Buffer) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    let seen = 0;
    call.on('data', (message: Buffer) => {
      if (message[0] !== EVENT_TAG || seen === count) return;
      onEvent(message);
      seen += 1;
      if (seen < count) return;
      resolve();
      call.cancel();
    });
    // Cancelling raises an error too, but the promise is then already settled.
    call.on('error', reject);
    call.on('end', () => {
      reject(new Error(`only ${seen} of ${count} events`));
    });
  });

const createIdentifier = (stream: string): StreamIdentifier => {
  const message = new StreamIdentifier();
  message.setStreamName(Buffer.from(stream).toString('base64'));
  return message;
};

const readRequest = ({
  stream,
  subscription,
  count,
}: {
  stream?: string;
  subscription: boolean;
  count: number;
}): ReadReq => {
  const options = new ReadReq.Options();
  if (stream === undefined) {
    const all = new ReadReq.Options.AllOptions();
    all.setStart(new Empty());
    options.setAll(all);
  } else {
    const one = new ReadReq.Options.StreamOptions();
    one.setStreamIdentifier(createIdentifier(stream));
    one.setStart(new Empty());
    options.setStream(one);
  }
  if (subscription) options.setSubscription(new ReadReq.Options.SubscriptionOptions());
  else options.setCount(String(count));
  options.setNoFilter(new Empty());
  const request = new ReadReq();
  request.setOptions(options);
  return request;
};

const consumeRequest = ({ stream, group, bufferSize }: Group): ConsumeReq => {
  const options = new ConsumeReq.Options();
  options.setStreamIdentifier(createIdentifier(stream));
  options.setGroupName(group);
  options.setBufferSize(bufferSize);
  const request = new ConsumeReq();
  request.setOptions(options);
  return request;
};

const ackOf = (ids: readonly string[]): ConsumeReq => {
  const ack = new ConsumeReq.Ack();
  for (const id of ids) {
    const uuid = new UUID();
    uuid.setString(id);
    ack.addIds(uuid);
  }
  const request = new ConsumeReq();
  request.setAck(ack);
  return request;
};
