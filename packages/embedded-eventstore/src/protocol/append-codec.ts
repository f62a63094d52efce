import type { ExpectedRevision } from '../storage/expected-revision';
import type { EventContent } from '../storage/record';
import { readStreamIdentifier } from './common-codec';
import { encodeFrame } from './framing';
import { readUuid } from '../base/uuid';
import {
  measureBytesField,
  putBytesField,
  putBytesHeader,
  putVarintField,
  measureVarintField,
  WireReader,
} from '../base/wire';

/**
 * The requests and responses of Append and BatchAppend (streams.proto). They are written by hand
 * because these calls are frequent.
 */

export interface ProposedEvent extends EventContent {
  /** The required metadata properties that the event does not have. */
  readonly missing: readonly string[];
}

export interface BatchChunk {
  /** The message `UUID` as it was received. The response repeats it. */
  readonly correlation: Buffer;
  readonly correlationId: string;
  /** The options; only the first chunk of an append has them. */
  readonly options: BatchOptions | undefined;
  readonly events: ProposedEvent[];
  readonly isFinal: boolean;
}

export interface BatchOptions {
  readonly streamName: string;
  readonly expected: ExpectedRevision;
  /** Milliseconds since 1970; undefined if the client gave no deadline. */
  readonly deadlineMs: number | undefined;
}

const EMPTY = Buffer.alloc(0);
const JSON_CONTENT_TYPE = 'application/json';

export const readBatchChunk = (message: Buffer): BatchChunk => {
  const reader = new WireReader(message);
  let correlation: Buffer = EMPTY;
  let options: BatchOptions | undefined;
  const events: ProposedEvent[] = [];
  let isFinal = false;
  for (let field = reader.readTag(); field !== 0; field = reader.readTag()) {
    if (field === 1) correlation = reader.readBytes();
    else if (field === 2) options = readBatchOptions(reader.readMessage());
    else if (field === 3) events.push(readProposedEvent(reader.readMessage()));
    else if (field === 4) isFinal = reader.readVarint() !== 0;
    else reader.skip();
  }
  const correlationId = readUuid(new WireReader(correlation));
  return { correlation, correlationId, options, events, isFinal };
};

const readBatchOptions = (reader: WireReader): BatchOptions => {
  let streamName = '';
  let expected: ExpectedRevision = 'any';
  let deadlineMs: number | undefined;
  for (let field = reader.readTag(); field !== 0; field = reader.readTag()) {
    if (field === 1) streamName = readStreamIdentifier(reader.readMessage());
    else if (field === 6) deadlineMs = readTimestampMs(reader.readMessage());
    else expected = readExpected(reader, field) ?? expected;
  }
  return { streamName, expected, deadlineMs };
};

export interface AppendOptions {
  readonly streamName: string;
  readonly expected: ExpectedRevision;
}

/**
 * Reads one message of an append in a call of its own. The first message has the options, each
 * later one an event.
 */
export const readAppendMessage = (message: Buffer): AppendOptions | ProposedEvent | undefined => {
  const reader = new WireReader(message);
  for (let field = reader.readTag(); field !== 0; field = reader.readTag()) {
    if (field === 1) return readAppendOptions(reader.readMessage());
    if (field === 2) return readProposedEvent(reader.readMessage());
    reader.skip();
  }
  return undefined;
};

/** Reads the options of an append, a delete or a tombstone, which have the same fields. */
const readAppendOptions = (reader: WireReader): AppendOptions => {
  let streamName = '';
  let expected: ExpectedRevision = 'any';
  for (let field = reader.readTag(); field !== 0; field = reader.readTag()) {
    if (field === 1) streamName = readStreamIdentifier(reader.readMessage());
    else expected = readExpected(reader, field) ?? expected;
  }
  return { streamName, expected };
};

/** Reads a DeleteReq or a TombstoneReq, whose only field is the options. */
export const readDeleteRequest = (message: Buffer): AppendOptions => {
  const reader = new WireReader(message);
  for (let field = reader.readTag(); field !== 0; field = reader.readTag()) {
    if (field === 1) return readAppendOptions(reader.readMessage());
    reader.skip();
  }
  return { streamName: '', expected: 'any' };
};

/** Reads the expected revision: field 2 is a revision, 3 no stream, 4 any, 5 stream exists. */
const readExpected = (reader: WireReader, field: number): ExpectedRevision | undefined => {
  if (field === 2) return reader.readVarint();
  reader.skip();
  if (field === 3) return 'no_stream';
  if (field === 4) return 'any';
  return field === 5 ? 'stream_exists' : undefined;
};

const readTimestampMs = (reader: WireReader): number => {
  let ms = 0;
  for (let field = reader.readTag(); field !== 0; field = reader.readTag()) {
    if (field === 1) ms += reader.readVarint() * 1000;
    else if (field === 2) ms += reader.readVarint() / 1_000_000;
    else reader.skip();
  }
  return ms;
};

const readProposedEvent = (reader: WireReader): ProposedEvent => {
  let id = '';
  let type: string | undefined;
  let contentType: string | undefined;
  let customMetadata: Buffer = EMPTY;
  let data: Buffer = EMPTY;
  for (let field = reader.readTag(); field !== 0; field = reader.readTag()) {
    if (field === 1) id = readUuid(reader.readMessage());
    else if (field === 2) {
      const [key, value] = readMapEntry(reader.readMessage());
      if (key === 'type') type = value;
      else if (key === 'content-type') contentType = value;
    } else if (field === 3) customMetadata = reader.readBytes();
    else if (field === 4) data = reader.readBytes();
    else reader.skip();
  }
  const json = contentType === JSON_CONTENT_TYPE;
  return {
    id,
    type: type ?? '',
    json,
    customMetadata,
    data,
    missing: listMissing(type, contentType),
  };
};

const NOTHING_MISSING: readonly string[] = [];

const listMissing = (type?: string, contentType?: string): readonly string[] => {
  if (type !== undefined && contentType !== undefined) return NOTHING_MISSING;
  return [
    ...(type === undefined ? ['type'] : []),
    ...(contentType === undefined ? ['content-type'] : []),
  ];
};

const readMapEntry = (reader: WireReader): readonly [key: string, value: string] => {
  let key = '';
  let value = '';
  for (let field = reader.readTag(); field !== 0; field = reader.readTag()) {
    if (field === 1) key = reader.readText();
    else if (field === 2) value = reader.readText();
    else reader.skip();
  }
  return [key, value];
};

export interface BatchSuccess {
  readonly correlation: Buffer;
  readonly options: BatchOptions;
  readonly revision: number;
  readonly position: number | undefined;
}

/** Encodes a framed `BatchAppendResp` for an append that is on disk. */
export const encodeBatchSuccess = (success: BatchSuccess): Buffer => {
  const { correlation, options, revision, position } = success;
  const name = Buffer.from(options.streamName);
  const nameField = measureBytesField(name.length);
  const positionBytes = position === undefined ? 0 : 2 * measureVarintField(position);
  const successBytes =
    (revision < 0 ? 2 : measureVarintField(revision)) + measureBytesField(positionBytes);
  const { expected } = options;
  const expectedBytes = typeof expected === 'number' ? measureVarintField(expected) : 2;
  return encodeFrame(
    measureBytesField(correlation.length) +
      measureBytesField(successBytes) +
      measureBytesField(nameField) +
      expectedBytes,
    (target, offset) => {
      let at = putBytesField(target, offset, 1, correlation);
      at = putBytesHeader(target, at, 3, successBytes);
      at =
        revision < 0 ? putBytesHeader(target, at, 2, 0) : putVarintField(target, at, 1, revision);
      at = putBytesHeader(target, at, position === undefined ? 4 : 3, positionBytes);
      if (position !== undefined) at = putPosition(target, at, position);
      at = putBytesHeader(target, at, 4, nameField);
      at = putBytesField(target, at, 3, name);
      if (typeof expected === 'number') putVarintField(target, at, 5, expected);
      else putBytesHeader(target, at, EXPECTED_FIELDS[expected], 0);
    },
  );
};

const EXPECTED_FIELDS = { no_stream: 6, any: 7, stream_exists: 8 } as const;

/**
 * Writes the position twice: commit and prepare position are equal because there are no explicit
 * transactions.
 */
const putPosition = (target: Buffer, offset: number, position: number): number =>
  putVarintField(target, putVarintField(target, offset, 1, position), 2, position);
