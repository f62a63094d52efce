import { StreamIdentifier, UUID, Empty as None } from '@eventstore/db-client/generated/shared_pb';
import {
  AppendReq,
  BatchAppendReq,
  BatchAppendResp,
  DeleteReq,
} from '@eventstore/db-client/generated/streams_pb';
import fc from 'fast-check';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { Timestamp } from 'google-protobuf/google/protobuf/timestamp_pb';
import type { ExpectedRevision } from '../storage/expected-revision';
import {
  encodeBatchSuccess,
  readAppendMessage,
  readBatchChunk,
  readDeleteRequest,
} from './append-codec';
import { FRAME_HEADER_BYTES } from './framing';
import { WireError } from '../base/wire';

const revision = fc.integer({ min: 0, max: 2 ** 47 });
const name = fc.string({ unit: 'binary', maxLength: 60 });
const bytes = fc.uint8Array({ maxLength: 300 }).map((value) => Buffer.from(value));
const expected: fc.Arbitrary<ExpectedRevision> = fc.oneof(
  revision,
  fc.constantFrom<ExpectedRevision>('any', 'no_stream', 'stream_exists'),
);

const proposed = fc.record({
  id: fc.uuid(),
  structured: fc.boolean(),
  type: fc.option(name, { nil: undefined }),
  contentType: fc.constantFrom('application/json', 'application/octet-stream', undefined),
  customMetadata: bytes,
  data: bytes,
});

type Proposed = typeof proposed extends fc.Arbitrary<infer T> ? T : never;

const chunk = fc.record({
  id: fc.uuid(),
  structured: fc.boolean(),
  options: fc.option(
    fc.record({
      streamName: name,
      expected,
      deadlineMs: fc.option(fc.nat(2 ** 40), { nil: undefined }),
    }),
    { nil: undefined },
  ),
  events: fc.array(proposed, { maxLength: 5 }),
  isFinal: fc.boolean(),
});

type Chunk = typeof chunk extends fc.Arbitrary<infer T> ? T : never;

/** Creates an id in each of the two forms that clients send. */
const createUuid = ({ id, structured }: { id: string; structured: boolean }): UUID => {
  const uuid = new UUID();
  if (!structured) {
    uuid.setString(id);
    return uuid;
  }
  const hex = id.replaceAll('-', '');
  const halves = new UUID.Structured();
  const formatHalf = (from: number): string =>
    String(BigInt.asIntN(64, BigInt(`0x${hex.slice(from, from + 16)}`)));
  halves.setMostSignificantBits(formatHalf(0));
  halves.setLeastSignificantBits(formatHalf(16));
  uuid.setStructured(halves);
  return uuid;
};

const createIdentifier = (streamName: string): StreamIdentifier => {
  const identifier = new StreamIdentifier();
  identifier.setStreamName(Buffer.from(streamName));
  return identifier;
};

const fill = <M extends AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage>(
  message: M,
  event: Proposed,
): M => {
  message.setId(createUuid(event));
  if (event.type !== undefined) message.getMetadataMap().set('type', event.type);
  if (event.contentType !== undefined) {
    message.getMetadataMap().set('content-type', event.contentType);
  }
  message.getMetadataMap().set('of no concern', 'x');
  message.setCustomMetadata(event.customMetadata);
  message.setData(event.data);
  return message;
};

const asRead = ({ id, type, contentType, customMetadata, data }: Proposed) => ({
  id,
  type: type ?? '',
  json: contentType === 'application/json',
  customMetadata,
  data,
  missing: [
    ...(type === undefined ? ['type'] : []),
    ...(contentType === undefined ? ['content-type'] : []),
  ],
});

const batchRequest = ({ options, events, isFinal, ...correlation }: Chunk): Buffer => {
  const request = new BatchAppendReq();
  request.setCorrelationId(createUuid(correlation));
  if (options) request.setOptions(batchOptions(options));
  for (const event of events) {
    request.addProposedMessages(fill(new BatchAppendReq.ProposedMessage(), event));
  }
  request.setIsFinal(isFinal);
  return Buffer.from(request.serializeBinary());
};

const batchOptions = (wanted: NonNullable<Chunk['options']>): BatchAppendReq.Options => {
  const options = new BatchAppendReq.Options();
  options.setStreamIdentifier(createIdentifier(wanted.streamName));
  if (typeof wanted.expected === 'number') options.setStreamPosition(String(wanted.expected));
  else if (wanted.expected === 'no_stream') options.setNoStream(new Empty());
  else if (wanted.expected === 'any') options.setAny(new Empty());
  else options.setStreamExists(new Empty());
  if (wanted.deadlineMs !== undefined) {
    const deadline = new Timestamp();
    deadline.fromDate(new Date(wanted.deadlineMs));
    options.setDeadline(deadline);
  }
  return options;
};

const createSingleOptions = <M extends AppendReq.Options | DeleteReq.Options>(
  options: M,
  wanted: { readonly streamName: string; readonly expected: ExpectedRevision },
): M => {
  options.setStreamIdentifier(createIdentifier(wanted.streamName));
  if (typeof wanted.expected === 'number') options.setRevision(String(wanted.expected));
  else if (wanted.expected === 'no_stream') options.setNoStream(new None());
  else if (wanted.expected === 'any') options.setAny(new None());
  else options.setStreamExists(new None());
  return options;
};

describe('an append', () => {
  it('in a batch is decoded as the official client encoded it', () => {
    fc.assert(
      fc.property(chunk, (sent) => {
        const read = readBatchChunk(batchRequest(sent));
        expect(read.correlationId).toBe(sent.id);
        expect(UUID.deserializeBinary(read.correlation).toObject()).toEqual(
          createUuid(sent).toObject(),
        );
        expect(read.options).toEqual(sent.options);
        expect(read.events).toEqual(sent.events.map(asRead));
        expect(read.isFinal).toBe(sent.isFinal);
      }),
    );
  });

  it('in a call of its own is decoded as the official client encoded it', () => {
    fc.assert(
      fc.property(name, expected, proposed, (streamName, revisionExpected, event) => {
        const wanted = { streamName, expected: revisionExpected };
        const first = new AppendReq();
        first.setOptions(createSingleOptions(new AppendReq.Options(), wanted));
        expect(readAppendMessage(Buffer.from(first.serializeBinary()))).toEqual(wanted);
        const second = new AppendReq();
        second.setProposedMessage(fill(new AppendReq.ProposedMessage(), event));
        expect(readAppendMessage(Buffer.from(second.serializeBinary()))).toEqual(asRead(event));
      }),
    );
  });

  it('has the same options as a delete', () => {
    fc.assert(
      fc.property(name, expected, (streamName, revisionExpected) => {
        const wanted = { streamName, expected: revisionExpected };
        const request = new DeleteReq();
        request.setOptions(createSingleOptions(new DeleteReq.Options(), wanted));
        expect(readDeleteRequest(Buffer.from(request.serializeBinary()))).toEqual(wanted);
      }),
    );
  });

  it('is answered so that the official client can read its position', () => {
    const position = fc.option(revision, { nil: undefined });
    const result = fc.record({ revision: fc.oneof(revision, fc.constant(-1)), position });
    fc.assert(
      fc.property(fc.uuid(), name, expected, result, (id, streamName, asked, written) => {
        const correlation = createUuid({ id, structured: false });
        const frame = encodeBatchSuccess({
          correlation: Buffer.from(correlation.serializeBinary()),
          options: { streamName, expected: asked, deadlineMs: undefined },
          ...written,
        });
        expect(frame.readUInt32BE(1)).toBe(frame.length - FRAME_HEADER_BYTES);
        const answer = BatchAppendResp.deserializeBinary(frame.subarray(FRAME_HEADER_BYTES));
        expect(answer.getCorrelationId()?.getString()).toBe(id);
        const stream = answer.getStreamIdentifier()?.getStreamName_asU8() ?? [];
        expect(Buffer.from(stream).toString()).toBe(streamName);
        expect(readExpected(answer)).toBe(asked);
        expect(readWritten(answer)).toEqual(written);
      }),
    );
  });
});

const readExpected = (answer: BatchAppendResp): ExpectedRevision | undefined => {
  if (answer.hasStreamPosition()) return Number(answer.getStreamPosition());
  if (answer.hasNoStream()) return 'no_stream';
  if (answer.hasAny()) return 'any';
  return answer.hasStreamExists() ? 'stream_exists' : undefined;
};

const readWritten = (
  answer: BatchAppendResp,
): { revision: number; position: number | undefined } => {
  const success = answer.getSuccess();
  const at = success?.getPosition();
  expect(success?.hasNoPosition()).toBe(at === undefined);
  expect(at?.getPreparePosition()).toBe(at?.getCommitPosition());
  return {
    revision: success?.hasNoStream() === true ? -1 : Number(success?.getCurrentRevision()),
    position: at && Number(at.getCommitPosition()),
  };
};

/**
 * Runs a reader, which may throw only a WireError: that error ends the call, and any other might end
 * the worker.
 */
const readsOrRefuses = (read: (message: Buffer) => unknown, message: Buffer): void => {
  try {
    read(message);
  } catch (error) {
    expect(error).toBeInstanceOf(WireError);
  }
};

const READERS = [readBatchChunk, readAppendMessage, readDeleteRequest];

describe('bytes that are not an append', () => {
  it('are decoded or refused, but never crash the server', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        for (const read of READERS) readsOrRefuses(read, Buffer.from(noise));
      }),
      { numRuns: 1_000 },
    );
  });

  it('are decoded or refused if they are a changed append', () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(chunk, damage, fc.nat(), (sent, changes, end) => {
        const message = batchRequest(sent);
        for (const [at, byte] of changes) message[at % message.length] = byte;
        for (const read of READERS) readsOrRefuses(read, message);
        for (const read of READERS) readsOrRefuses(read, message.subarray(0, end % message.length));
      }),
      { numRuns: 500 },
    );
  });

  it('are refused if a length, a number or an id in them is wrong', () => {
    const refuse = (hex: string) => () => readBatchChunk(Buffer.from(hex, 'hex'));
    expect(refuse('0a05')).toThrow(WireError);
    expect(refuse(`20${'ff'.repeat(10)}01`)).toThrow(WireError);
    expect(refuse('0a0412027878')).toThrow(WireError);
    expect(refuse('2b')).toThrow(WireError);
  });
});
