import {
  AccessDenied,
  BadRequest,
  MaximumAppendSizeExceeded,
  StreamDeleted,
  StreamIdentifier,
  Timeout,
  UUID,
  WrongExpectedVersion,
} from '@eventstore/db-client/generated/shared_pb';
import { Code } from '@eventstore/db-client/generated/code_pb';
import { Status as RpcStatus } from '@eventstore/db-client/generated/status_pb';
import { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { Any } from 'google-protobuf/google/protobuf/any_pb';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import type { ExpectedRevision } from '../storage/expected-revision';
import { TOMBSTONE_REVISION } from '../storage/record';
import { createFrame } from './framing';
import type { BatchOptions } from './append-codec';

/**
 * The failure of a batch append. It is sent as a response with a `google.rpc.Status` whose detail
 * names the reason.
 */
export type BatchFailure =
  | { readonly kind: 'wrong-expected-version'; readonly current: number }
  | { readonly kind: 'stream-deleted' }
  | { readonly kind: 'append-too-big'; readonly bytesMax: number }
  | { readonly kind: 'access-denied' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'bad-request'; readonly message: string };

interface Detail {
  readonly code: Code;
  readonly text: string;
  readonly type: string;
  readonly message: { serializeBinary(): Uint8Array };
}

export const encodeBatchFailure = (
  correlation: Buffer,
  options: BatchOptions,
  failure: BatchFailure,
): Buffer => {
  const detail = createDetail(failure, options);
  const any = new Any();
  any.pack(detail.message.serializeBinary(), `event_store.client.${detail.type}`);
  const status = new RpcStatus();
  status.setCode(detail.code);
  status.setMessage(detail.text);
  status.setDetails(any);
  const response = new BatchAppendResp();
  response.setCorrelationId(UUID.deserializeBinary(correlation));
  response.setError(status);
  response.setStreamIdentifier(createStreamIdentifier(options.streamName));
  return createFrame(response.serializeBinary());
};

const createDetail = (failure: BatchFailure, options: BatchOptions): Detail => {
  switch (failure.kind) {
    case 'wrong-expected-version':
      return {
        code: Code.FAILED_PRECONDITION,
        text: 'WrongExpectedVersion',
        type: 'WrongExpectedVersion',
        message: createWrongExpectedVersion(failure.current, options.expected),
      };
    case 'stream-deleted': {
      const message = new StreamDeleted();
      message.setStreamIdentifier(createStreamIdentifier(options.streamName));
      return { code: Code.NOT_FOUND, text: 'StreamDeleted', type: 'StreamDeleted', message };
    }
    case 'append-too-big': {
      const message = new MaximumAppendSizeExceeded();
      message.setMaxappendsize(failure.bytesMax);
      const type = 'MaximumAppendSizeExceeded';
      return { code: Code.INVALID_ARGUMENT, text: type, type, message };
    }
    case 'access-denied':
      return {
        code: Code.PERMISSION_DENIED,
        text: 'AccessDenied',
        type: 'AccessDenied',
        message: new AccessDenied(),
      };
    case 'timeout':
      return { code: Code.ABORTED, text: 'Timeout', type: 'Timeout', message: new Timeout() };
    case 'bad-request': {
      const message = new BadRequest();
      message.setMessage(failure.message);
      const { INVALID_ARGUMENT: code } = Code;
      return { code, text: failure.message, type: 'BadRequest', message };
    }
  }
};

const createStreamIdentifier = (streamName: string): StreamIdentifier => {
  const message = new StreamIdentifier();
  message.setStreamName(Buffer.from(streamName));
  return message;
};

const createWrongExpectedVersion = (
  current: number,
  expected: ExpectedRevision,
): WrongExpectedVersion => {
  const message = new WrongExpectedVersion();
  if (current < 0) message.setCurrentNoStream(new Empty());
  else message.setCurrentStreamRevision(formatRevision(current));
  if (typeof expected === 'number') message.setExpectedStreamPosition(String(expected));
  else if (expected === 'any') message.setExpectedAny(new Empty());
  else if (expected === 'no_stream') message.setExpectedNoStream(new Empty());
  else message.setExpectedStreamExists(new Empty());
  return message;
};

/** Formats a revision. Clients see the revision of a tombstone as 2^63 - 1. */
export const formatRevision = (revision: number): string =>
  revision === TOMBSTONE_REVISION ? '9223372036854775807' : String(revision);
