import { AppendResp, DeleteResp, TombstoneResp } from '@eventstore/db-client/generated/streams_pb';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import {
  readAppendMessage,
  readDeleteRequest,
  type AppendOptions,
  type ProposedEvent,
} from '../protocol/append-codec';
import { formatRevision } from '../protocol/batch-errors';
import { errors, type RpcError } from '../protocol/rpc-error';
import { appendEvents, deleteSoftly, tombstone, type AppendOutcome } from '../storage/appends';
import { DiskFullError } from '../storage/disk-space';
import type { EventLog } from '../storage/event-log';
import type { ExpectedRevision } from '../storage/expected-revision';
import type { Call } from '../transport/call';
import type { Handler } from '../transport/dispatcher';
import { assertStreamName, type CountBytes, findEventProblem } from './append-validation';
import type { AppendDisturbance } from '../faults/append-disturbance';

/** The parts of the server that appends use, in gRPC and in HTTP. */
export interface AppendParts {
  readonly log: EventLog;
  /** EventStoreDB's `MaxAppendSize`, in bytes. */
  readonly appendBytesMax: number;
  readonly countBytes: CountBytes;
  readonly disturbance: AppendDisturbance;
  /** Is aborted when the server stops. */
  readonly closing: AbortSignal;
}

/**
 * The service method Append: one call for each append. The client sends the options first and then
 * the events.
 */
export const append =
  ({ log, disturbance, appendBytesMax, countBytes }: AppendParts): Handler =>
  (call) => {
    let options: AppendOptions | undefined;
    const events: ProposedEvent[] = [];
    let bytes = 0;
    call.receive(
      (bytesReceived) => {
        const message = readAppendMessage(bytesReceived);
        if (!message) return;
        if ('expected' in message) {
          options = message;
          return;
        }
        events.push(message);
        bytes += countBytes([message]);
        refuse(message, { bytes, bytesMax: appendBytesMax });
      },
      () => {
        if (!options) throw errors.invalidArgument('The options are missing.');
        assertStreamName(options.streamName);
        const { streamName, expected } = options;
        appendEvents(log, { streamName, expected, events }, (outcome) => {
          disturbance.disturb(call, {
            answer: () => {
              answerAppend(call, { streamName, expected }, outcome);
            },
            timeOut: () => {
              call.fail(errors.timeout());
            },
          });
        });
      },
    );
  };

const refuse = (
  event: ProposedEvent,
  append: { readonly bytes: number; readonly bytesMax: number },
): void => {
  if (event.missing.length > 0) throw errors.missingMetadata(event.missing);
  const problem = findEventProblem(event);
  if (problem !== undefined) throw errors.invalidArgument(problem);
  if (append.bytes > append.bytesMax) throw errors.appendTooBig(append.bytesMax);
};

const answerAppend = (call: Call, options: AppendOptions, outcome: AppendOutcome): void => {
  switch (outcome.kind) {
    case 'done':
      call.respond(createSuccess(outcome.revision, outcome.position));
      return;
    case 'wrong-expected-version':
      // This is the only failure of an append that EventStoreDB sends as a normal response.
      call.respond(createWrongExpectedVersion(outcome.current, options.expected));
      return;
    case 'stream-deleted':
    case 'timed-out':
    case 'failed':
      call.fail(createFailure(outcome, options));
  }
};

const createSuccess = (revision: number, position: number | undefined): AppendResp => {
  const message = new AppendResp.Success();
  if (revision < 0) message.setNoStream(new Empty());
  else message.setCurrentRevision(String(revision));
  if (position === undefined) message.setNoPosition(new Empty());
  else message.setPosition(writePosition(new AppendResp.Position(), position));
  const response = new AppendResp();
  response.setSuccess(message);
  return response;
};

const createWrongExpectedVersion = (current: number, expected: ExpectedRevision): AppendResp => {
  const message = new AppendResp.WrongExpectedVersion();
  if (current < 0) message.setCurrentNoStream(new Empty());
  else message.setCurrentRevision(String(current));
  if (typeof expected === 'number') message.setExpectedRevision(String(expected));
  else if (expected === 'any') message.setExpectedAny(new Empty());
  else if (expected === 'no_stream') message.setExpectedNoStream(new Empty());
  else message.setExpectedStreamExists(new Empty());
  const response = new AppendResp();
  response.setWrongExpectedVersion(message);
  return response;
};

interface PositionMessage {
  setCommitPosition(value: string): unknown;
  setPreparePosition(value: string): unknown;
}

const writePosition = <Message extends PositionMessage>(
  message: Message,
  position: number,
): Message => {
  message.setCommitPosition(String(position));
  message.setPreparePosition(String(position));
  return message;
};

/** Returns the error of an append whose commit was refused or failed. */
export const createCommitFailure = (error: Error): RpcError =>
  error instanceof DiskFullError
    ? errors.diskFull(error.message)
    : errors.unavailable(error.message);

const createFailure = (
  outcome: Exclude<AppendOutcome, { kind: 'done' }>,
  { streamName, expected }: AppendOptions,
): RpcError => {
  switch (outcome.kind) {
    case 'stream-deleted':
      return errors.streamDeleted(streamName);
    case 'timed-out':
      return errors.timeout();
    case 'failed':
      return createCommitFailure(outcome.error);
    case 'wrong-expected-version':
      return errors.wrongExpectedVersion({
        streamName,
        expected: EXPECTED_NUMBERS[expected] ?? String(expected),
        actual: formatRevision(outcome.current),
      });
  }
};

/** Formats the expected revision as a number, as the trailer of a failed delete has it. */
const EXPECTED_NUMBERS: Partial<Record<ExpectedRevision, string>> = {
  no_stream: '-1',
  any: '-2',
  stream_exists: '-4',
};

export const deleteStream = (log: EventLog): Handler =>
  handleDeletion((request, answer) => {
    deleteSoftly(log, request, answer);
  }, createDeleteResponse);

export const tombstoneStream = (log: EventLog): Handler =>
  handleDeletion((request, answer) => {
    tombstone(log, request, answer);
  }, createTombstoneResponse);

const handleDeletion =
  (
    perform: (request: AppendOptions, answer: (outcome: AppendOutcome) => void) => void,
    response: (position: number) => { serializeBinary(): Uint8Array },
  ): Handler =>
  (call) => {
    call.receive((message) => {
      const request = readDeleteRequest(message);
      assertStreamName(request.streamName);
      perform(request, (outcome) => {
        if (outcome.kind === 'done') call.respond(response(outcome.position ?? 0));
        else call.fail(createFailure(outcome, request));
      });
    });
  };

const createDeleteResponse = (position: number): DeleteResp => {
  const response = new DeleteResp();
  response.setPosition(writePosition(new DeleteResp.Position(), position));
  return response;
};

const createTombstoneResponse = (position: number): TombstoneResp => {
  const response = new TombstoneResp();
  response.setPosition(writePosition(new TombstoneResp.Position(), position));
  return response;
};
