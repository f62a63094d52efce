import { MonitoringClient } from '@eventstore/db-client/generated/monitoring_grpc_pb';
import { OperationsClient } from '@eventstore/db-client/generated/operations_grpc_pb';
import { PersistentSubscriptionsClient } from '@eventstore/db-client/generated/persistent_grpc_pb';
import {
  ReadReq as GroupReadReq,
  type ReadResp as GroupReadResp,
} from '@eventstore/db-client/generated/persistent_pb';
import { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import {
  BatchAppendReq,
  type BatchAppendResp,
  ReadReq,
  type ReadResp,
} from '@eventstore/db-client/generated/streams_pb';
import { UsersClient } from '@eventstore/db-client/generated/users_grpc_pb';
import { type Client, type ChannelCredentials, credentials, Metadata } from '@grpc/grpc-js';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { readFileSync } from 'node:fs';

/** The parts of a connection string that the raw clients need. */
interface Target {
  readonly scheme: 'http' | 'https';
  readonly address: string;
  readonly credentials: ChannelCredentials;
  /** Credentials of the user, if the connection string has one. */
  readonly metadata: Metadata;
}

const targetOf = (connectionString: string): Target => {
  const url = new URL(connectionString.replace(/^esdb(\+discover)?:/, 'http:'));
  const metadata = new Metadata();
  if (url.username !== '') {
    const basic = Buffer.from(`${url.username}:${url.password}`).toString('base64');
    metadata.set('authorization', `Basic ${basic}`);
  }
  const certificate = url.searchParams.get('tlsCAFile');
  return {
    scheme: url.searchParams.get('tls') === 'false' ? 'http' : 'https',
    address: url.host,
    metadata,
    credentials:
      url.searchParams.get('tls') === 'false'
        ? credentials.createInsecure()
        : credentials.createSsl(certificate === null ? null : readFileSync(certificate)),
  };
};

/**
 * Calls the store's gRPC services without a client library, so that tests see the messages as they
 * are sent.
 */
export class RawStore {
  readonly streams: StreamsClient;
  readonly groups: PersistentSubscriptionsClient;
  readonly operations: OperationsClient;
  readonly monitoring: MonitoringClient;
  readonly users: UsersClient;
  readonly metadata: Metadata;
  /** The address: `http://host:port` or `https://host:port`. */
  readonly httpAddress: string;

  constructor(connectionString: string) {
    const target = targetOf(connectionString);
    this.metadata = target.metadata;
    this.httpAddress = `${target.scheme}://${target.address}`;
    const { address, credentials: channel } = target;
    this.streams = new StreamsClient(address, channel);
    this.groups = new PersistentSubscriptionsClient(address, channel);
    this.operations = new OperationsClient(address, channel);
    this.monitoring = new MonitoringClient(address, channel);
    this.users = new UsersClient(address, channel);
  }

  close(): void {
    const clients = [this.streams, this.groups, this.operations, this.monitoring, this.users];
    for (const client of clients) client.close();
  }

  /**
   * Subscribes to a stream. The result has the messages so far and the error with which it ended,
   * if it has.
   */
  subscribe(stream: string): RawSubscription {
    const messages: ReadResp[] = [];
    const call = this.streams.read(readRequest({ stream }), this.metadata);
    const ended = new Promise<unknown>((resolve) => call.on('error', resolve));
    call.on('data', (message: ReadResp) => messages.push(message));
    return { messages, ended };
  }

  /** Connects to a group and returns the id of its confirmation. */
  readSubscriptionId(group: { readonly stream?: string; readonly name: string }): Promise<string> {
    return new Promise((resolve, reject) => {
      const options = new GroupReadReq.Options();
      if (group.stream === undefined) options.setAll(new Empty());
      else options.setStreamIdentifier(streamIdentifier(group.stream));
      options.setGroupName(group.name);
      options.setBufferSize(1);
      const request = new GroupReadReq();
      request.setOptions(options);
      const call = this.groups.read(this.metadata);
      call.on('error', reject).on('data', (message: GroupReadResp) => {
        resolve(message.getSubscriptionConfirmation()?.getSubscriptionId() ?? '');
        call.on('error', () => undefined);
        call.cancel();
      });
      call.write(request);
    });
  }

  /** Sends one batch append and returns its response. */
  appendInBatch(request: BatchAppendReq): Promise<BatchAppendResp> {
    return new Promise((resolve, reject) => {
      const call = this.streams.batchAppend(this.metadata, {});
      call.on('error', reject).on('data', (answer: BatchAppendResp) => {
        resolve(answer);
        call.end();
      });
      call.write(request);
    });
  }

  /** Returns all messages of a read. Rejects with the error with which the read ends. */
  read(request: ReadReq): Promise<readonly ReadResp[]> {
    return new Promise((resolve, reject) => {
      const messages: ReadResp[] = [];
      this.streams
        .read(request, this.metadata)
        .on('data', (message: ReadResp) => messages.push(message))
        .on('error', reject)
        .on('end', () => {
          resolve(messages);
        });
    });
  }
}

/** A catch-up subscription that keeps its messages as they were received. */
interface RawSubscription {
  readonly messages: readonly ReadResp[];
  /** Resolves with the error that ended the subscription. */
  readonly ended: Promise<unknown>;
}

export const streamIdentifier = (name: string): StreamIdentifier => {
  const identifier = new StreamIdentifier();
  identifier.setStreamName(Buffer.from(name));
  return identifier;
};

/** Encodes the message `UUID` as text. */
export const createUuidMessage = (text: string): UUID => {
  const uuid = new UUID();
  uuid.setString(text);
  return uuid;
};

export interface StreamRead {
  readonly stream: string;
  readonly from?: number;
  readonly backwards?: boolean;
  /** The maximum number of events. Without it, the request is a subscription. */
  readonly count?: number;
  /** The field `control_option.compatibility`, which is left out if undefined. */
  readonly compatibility?: number;
}

export const readRequest = (wanted: StreamRead): ReadReq => {
  const stream = new ReadReq.Options.StreamOptions();
  stream.setStreamIdentifier(streamIdentifier(wanted.stream));
  if (wanted.from === undefined) stream.setStart(new Empty());
  else stream.setRevision(String(wanted.from));
  const uuidOption = new ReadReq.Options.UUIDOption();
  uuidOption.setString(new Empty());
  const options = new ReadReq.Options();
  options.setStream(stream);
  options.setUuidOption(uuidOption);
  options.setNoFilter(new Empty());
  const { BACKWARDS, FORWARDS } = ReadReq.Options.ReadDirection;
  options.setReadDirection(wanted.backwards === true ? BACKWARDS : FORWARDS);
  if (wanted.count === undefined) {
    options.setSubscription(new ReadReq.Options.SubscriptionOptions());
  } else options.setCount(String(wanted.count));
  if (wanted.compatibility !== undefined) {
    const control = new ReadReq.Options.ControlOption();
    control.setCompatibility(wanted.compatibility);
    options.setControlOption(control);
  }
  const request = new ReadReq();
  request.setOptions(options);
  return request;
};

/** Makes a batch append of one event in a single message. */
export const createBatchAppend = (append: {
  readonly stream: string;
  readonly correlationId: string;
  readonly eventId: string;
}): BatchAppendReq => {
  const options = new BatchAppendReq.Options();
  options.setStreamIdentifier(streamIdentifier(append.stream));
  options.setAny(new Empty());
  const event = new BatchAppendReq.ProposedMessage();
  event.setId(createUuidMessage(append.eventId));
  event.getMetadataMap().set('type', 'raw').set('content-type', 'application/json');
  event.setData(Buffer.from('{}'));
  const request = new BatchAppendReq();
  request.setCorrelationId(createUuidMessage(append.correlationId));
  request.setOptions(options);
  request.setProposedMessagesList([event]);
  request.setIsFinal(true);
  return request;
};

type Callback<Response> = (error: Error | null, response: Response) => void;

/** Makes one unary call and returns its response. */
export const callUnary = <Response>(
  call: (callback: Callback<Response>) => unknown,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    call((error, response) => {
      if (error) reject(error);
      else resolve(response);
    });
  });

/** Returns the first message of a streaming call and cancels the call. */
export const readFirstMessage = <Response>(
  call: ReturnType<Client['makeServerStreamRequest']>,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    call.on('error', reject).once('data', (message: Response) => {
      resolve(message);
      call.on('error', () => undefined);
      call.cancel();
    });
  });
