import { convertToCommandError } from '@eventstore/db-client/dist/utils/CommandError';
import { createStreamIdentifier } from '@eventstore/db-client/dist/utils/grpcStreamIdentifier';
import { createUUID, parseUUID } from '@eventstore/db-client/dist/utils/grpcUUID';
import { unpackToCommandError } from '@eventstore/db-client/dist/streams/appendToStream/unpackError';
import type { EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { BatchAppendReq, type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import type { CallOptions, ClientDuplexStream, Metadata } from '@grpc/grpc-js';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { randomUUID } from 'node:crypto';
import { NoResponse } from './availability';
import { warnOfFailure } from './failures';

/** One event as bytes. All data that the service stores is JSON. */
export interface RawEvent {
  readonly uuid: string;
  readonly type: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface RawAppend {
  readonly stream: string;
  /** Revision at which to append; -1 for a stream that must not exist yet. */
  readonly expected: number | 'any';
  readonly events: readonly RawEvent[];
  /** Time limit for the response. After it the outcome of the append is unknown. */
  readonly timeoutMs: number;
}

export interface RawAppended {
  readonly revision: number;
  readonly position: bigint;
}

type Call = ClientDuplexStream<BatchAppendReq, BatchAppendResp>;

interface PendingAppend {
  readonly resolve: (appended: RawAppended) => void;
  readonly reject: (error: Error) => void;
}

/** Private functions of the client that open a long call and reconnect when it breaks. */
interface ClientInternals {
  GRPCStreamCreator(
    service: typeof StreamsClient,
    name: string,
    open: (client: StreamsClient) => Call,
    cache: WeakMap<StreamsClient, Call | Promise<Call>>,
  ): () => Promise<Call>;
  callArguments(options: object, callOptions: CallOptions): [Metadata, CallOptions];
}

/**
 * Appends over one open call of the client's connection, instead of the client's own
 * `appendToStream`. The client keeps the unanswered appends of all its calls in one map. When any
 * call breaks, it rejects all of them. A late or second response then throws inside the call and ends
 * the process. Here each call has its own map, and a response that belongs to no append is only
 * logged.
 */
export class AppendStream {
  private readonly calls = new WeakMap<StreamsClient, Call | Promise<Call>>();
  private readonly unanswered = new WeakMap<Call, Map<string, PendingAppend>>();
  private readonly internals: ClientInternals;

  constructor(client: EventStoreDBClient) {
    this.internals = client as unknown as ClientInternals;
  }

  /**
   * Appends events. It rejects with the server's refusal, or with another error if the outcome is
   * unknown.
   */
  async append(append: RawAppend): Promise<RawAppended> {
    const open = this.internals.GRPCStreamCreator(
      StreamsClient,
      'appendToStream',
      (client) => this.open(client),
      this.calls,
    );
    return this.send(await open(), append);
  }

  private open(client: StreamsClient): Call {
    const call = client.batchAppend(...this.internals.callArguments({}, { deadline: Infinity }));
    const unanswered = new Map<string, PendingAppend>();
    this.unanswered.set(call, unanswered);
    const rejectAll = (error: Error): void => {
      for (const { reject } of unanswered.values()) reject(error);
      unanswered.clear();
    };
    call.on('data', (response: BatchAppendResp) => {
      handleResponse(response, unanswered);
    });
    call.on('error', (error) => {
      const converted: unknown = convertToCommandError(error);
      rejectAll(converted instanceof Error ? converted : error);
    });
    call.on('end', () => {
      rejectAll(new NoResponse('the event store ended the call before its response'));
      // The client keeps a call until both sides have ended it.
      call.end();
    });
    return call;
  }

  private send(call: Call, append: RawAppend): Promise<RawAppended> {
    const id = randomUUID();
    const unanswered = this.unanswered.get(call);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        unanswered?.delete(id);
        reject(new NoResponse(`no response from the event store within ${append.timeoutMs} ms`));
      }, append.timeoutMs);
      unanswered?.set(id, {
        resolve: (appended) => {
          clearTimeout(timer);
          resolve(appended);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      });
      // Backpressure is ignored: callers wait for the responses, so few appends are open at a time.
      call.write(createRequest(id, append));
    });
  }
}

const IGNORED_RESPONSE = 'a response of the event store is late, double or unknown: it is ignored';

/**
 * Handles a response. It never throws, because it runs inside the call, where an error would end the
 * process.
 */
const handleResponse = (
  response: BatchAppendResp,
  unanswered: Map<string, PendingAppend>,
): void => {
  const id = parseUUID(response.getCorrelationId());
  const waiting = id === undefined ? undefined : unanswered.get(id);
  if (id === undefined || waiting === undefined) {
    const name = id ?? 'without an id';
    warnOfFailure(
      IGNORED_RESPONSE,
      'append',
      new Error(`no append waits for the response ${name}`),
    );
    return;
  }
  unanswered.delete(id);
  try {
    const error = response.getError();
    if (error !== undefined) waiting.reject(unpackToCommandError(error, readStreamName(response)));
    else waiting.resolve(toAppended(response));
  } catch (error) {
    waiting.reject(
      new NoResponse(`the event store sent a response that cannot be read: ${String(error)}`),
    );
  }
};

const readStreamName = (response: BatchAppendResp): string =>
  Buffer.from(response.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();

/** Returns 0 for an append without events, which has no position. */
const readCommitPosition = (success: BatchAppendResp.Success): string | number =>
  success.getPosition()?.getCommitPosition() ?? 0;

const toAppended = (response: BatchAppendResp): RawAppended => {
  const success = response.getSuccess();
  if (success === undefined)
    throw new Error('the response contains neither an error nor a success');
  return {
    revision: Number(success.getCurrentRevision()),
    position: BigInt(readCommitPosition(success)),
  };
};

/**
 * Creates a request without a deadline, so the limit of the server holds. A deadline would be an
 * instant of this machine's clock: a store whose clock is some seconds ahead would refuse
 * everything.
 */
const createRequest = (id: string, { stream, expected, events }: RawAppend) => {
  const options = new BatchAppendReq.Options();
  options.setStreamIdentifier(createStreamIdentifier(stream));
  if (expected === 'any') options.setAny(new Empty());
  else if (expected < 0) options.setNoStream(new Empty());
  else options.setStreamPosition(String(expected));
  const request = new BatchAppendReq();
  request.setOptions(options);
  request.setCorrelationId(createUUID(id));
  request.setProposedMessagesList(events.map(toMessage));
  request.setIsFinal(true);
  return request;
};

const toMessage = ({ uuid, type, data, metadata }: RawEvent): BatchAppendReq.ProposedMessage => {
  const message = new BatchAppendReq.ProposedMessage();
  message.setId(createUUID(uuid));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  message.setData(data);
  message.setCustomMetadata(metadata);
  return message;
};
