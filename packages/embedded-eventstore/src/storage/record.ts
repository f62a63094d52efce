import { crc32 } from 'node:zlib';
import {
  measureBytesField,
  INT64_MAX_VARINT_BYTES,
  putBytesField,
  putBytesHeader,
  putInt64Max,
  putVarintField,
  measureVarintField,
  measureVarint,
} from '../base/wire';
import { UUID_TEXT_BYTES } from '../base/uuid';

/**
 * One event as it lies in the log (table `log`, key = position, 6 bytes big-endian).
 *
 *     offset size
 *          0    4  CRC-32 of the position (6 bytes) followed by all bytes from offset 4 to the end
 *          4    1  record format, 1; 0 marks a trimmed record (see below)
 *          5    1  flags: 1 JSON data · 2 link ("$>") · 4 link with known target · 8 hidden from $all
 *          6    6  stream number
 *         12    6  revision; TOMBSTONE_REVISION for a tombstone
 *         18    6  creation time, ms since 1970
 *         24    2  offset of the stream name      26  2  its length
 *         28    2  offset of the event type       30  2  its length
 *         32    4  length of the custom metadata  36  4  length of the data
 *        [40   18  stream number, revision and position of a link's target, only with flag 4]
 *     40|58  ...  the event as protocol buffer message `RecordedEvent`, exactly as it is sent
 *
 * A record is valid when its CRC matches, which also ties it to its position. The message is encoded
 * once, when the event is appended (EventStoreDB knows the position then); reads send these bytes.
 * Its fields are written in a fixed order, data last, so that data and custom metadata are found
 * from the end. The next record's position is this position plus this record's length: positions
 * are byte offsets and leave gaps, as on a real server.
 *
 * A trimmed record is the 5-byte stub of an event that was removed (storage/scavenger.ts), or whose
 * stream keeps only its newest ones. The key stays, because a reader may hold it as a position to
 * resume from.
 */

export const FORMAT = 1;
const FORMAT_TRIMMED = 0;

const FLAG_JSON = 1;
const FLAG_LINK = 2;
const FLAG_TARGET = 4;
const FLAG_HIDDEN = 8;

const HEADER_BYTES = 40;
const TARGET_BYTES = 18;

/**
 * The stored revision of a tombstone: all ones in 6 bytes, 281 474 976 710 655, which counting
 * never reaches. Clients see 2^63 - 1.
 */
export const TOMBSTONE_REVISION = 2 ** 48 - 1;

export const LINK_TYPE = '$>';

export interface EventContent {
  readonly id: string;
  readonly type: string;
  readonly json: boolean;
  readonly customMetadata: Uint8Array;
  readonly data: Uint8Array;
}

export interface LinkTarget {
  readonly streamNumber: number;
  readonly revision: number;
  readonly position: number;
}

interface RecordParts {
  readonly streamName: string;
  readonly streamNumber: number;
  readonly revision: number;
  readonly position: number;
  readonly createdMs: number;
  readonly hidden: boolean;
  readonly target?: LinkTarget | undefined;
}

const CONTENT_TYPE_JSON = encodeContentType('application/json');
const CONTENT_TYPE_BINARY = encodeContentType('application/octet-stream');

/** Writes a map entry of field 6, with the key in field 1 and the value in field 2. */
function encodeContentType(value: string): Buffer {
  return encodeMapEntry('content-type', value);
}

function encodeMapEntry(key: string, value: string): Buffer {
  const inner = measureBytesField(key.length) + measureBytesField(value.length);
  const entry = Buffer.allocUnsafe(measureBytesField(inner));
  let at = putBytesHeader(entry, 0, 6, inner);
  at = putBytesField(entry, at, 1, Buffer.from(key));
  putBytesField(entry, at, 2, Buffer.from(value));
  return entry;
}

const TYPE_KEY = Buffer.from('\x0a\x04type', 'latin1');
const ID_FIELD_BYTES = measureBytesField(measureBytesField(UUID_TEXT_BYTES));

/** Converts milliseconds, which the clock gives, to EventStoreDB's ticks of 100 ns. */
const encodeCreated = (createdMs: number): Buffer => encodeMapEntry('created', `${createdMs}0000`);

const measureRevisionField = (revision: number): number =>
  revision === TOMBSTONE_REVISION ? 1 + INT64_MAX_VARINT_BYTES : measureVarintField(revision);

export const encodeRecord = (parts: RecordParts, event: EventContent): Buffer => {
  const nameBytes = Buffer.byteLength(parts.streamName);
  const typeBytes = Buffer.byteLength(event.type);
  const created = encodeCreated(parts.createdMs);
  const contentType = event.json ? CONTENT_TYPE_JSON : CONTENT_TYPE_BINARY;
  const headerBytes = HEADER_BYTES + (parts.target ? TARGET_BYTES : 0);
  const typeInner = TYPE_KEY.length + measureBytesField(typeBytes);
  const record = Buffer.allocUnsafe(
    headerBytes +
      ID_FIELD_BYTES +
      measureBytesField(measureBytesField(nameBytes)) +
      measureBytesField(typeInner) +
      contentType.length +
      created.length +
      measureRevisionField(parts.revision) +
      2 * measureVarintField(parts.position) +
      measureBytesField(event.customMetadata.length) +
      measureBytesField(event.data.length),
  );

  let at = putBytesHeader(record, headerBytes, 1, measureBytesField(UUID_TEXT_BYTES));
  at = putBytesHeader(record, at, 2, UUID_TEXT_BYTES);
  at += record.write(event.id, at, 'latin1');
  at = putBytesHeader(record, at, 2, measureBytesField(nameBytes));
  const nameAt = putBytesHeader(record, at, 3, nameBytes);
  at = nameAt + record.write(parts.streamName, nameAt);
  at = putBytesHeader(record, at, 6, typeInner);
  at += TYPE_KEY.copy(record, at);
  const typeAt = putBytesHeader(record, at, 2, typeBytes);
  at = typeAt + record.write(event.type, typeAt);
  at += contentType.copy(record, at);
  at += created.copy(record, at);
  at = putRevisionField(record, at, parts.revision);
  at = putVarintField(record, at, 4, parts.position);
  at = putVarintField(record, at, 5, parts.position);
  at = putBytesField(record, at, 7, event.customMetadata);
  putBytesField(record, at, 8, event.data);

  record.writeUInt16BE(nameAt, 24);
  record.writeUInt16BE(nameBytes, 26);
  record.writeUInt16BE(typeAt, 28);
  record.writeUInt16BE(typeBytes, 30);
  putHeader(record, parts, event);
  return record;
};

const putRevisionField = (record: Buffer, at: number, revision: number): number => {
  if (revision !== TOMBSTONE_REVISION) return putVarintField(record, at, 3, revision);
  record[at] = 3 << 3;
  return putInt64Max(record, at + 1);
};

const putHeader = (record: Buffer, parts: RecordParts, event: EventContent): void => {
  const { target } = parts;
  record[4] = FORMAT;
  record[5] =
    (event.json ? FLAG_JSON : 0) |
    (event.type === LINK_TYPE ? FLAG_LINK : 0) |
    (target ? FLAG_TARGET : 0) |
    (parts.hidden ? FLAG_HIDDEN : 0);
  record.writeUIntBE(parts.streamNumber, 6, 6);
  record.writeUIntBE(parts.revision, 12, 6);
  record.writeUIntBE(parts.createdMs, 18, 6);
  record.writeUInt32BE(event.customMetadata.length, 32);
  record.writeUInt32BE(event.data.length, 36);
  if (target) {
    record.writeUIntBE(target.streamNumber, 40, 6);
    record.writeUIntBE(target.revision, 46, 6);
    record.writeUIntBE(target.position, 52, 6);
  }
  record.writeUInt32BE(computeChecksum(record, parts.position), 0);
};

const positionBytes = Buffer.alloc(6);

const computeChecksum = (record: Buffer, position: number): number => {
  positionBytes.writeUIntBE(position, 0, 6);
  return crc32(record.subarray(4), crc32(positionBytes));
};

export const isSound = (record: Buffer, position: number): boolean =>
  record.length > 4 && record.readUInt32BE(0) === computeChecksum(record, position);

/** Returns the stub that stays in the log when a record is trimmed. */
export const createTrimmedRecord = (position: number): Buffer => {
  const stub = Buffer.alloc(5);
  stub[4] = FORMAT_TRIMMED;
  stub.writeUInt32BE(computeChecksum(stub, position), 0);
  return stub;
};

export const isTrimmed = (record: Buffer): boolean => record[4] === FORMAT_TRIMMED;
export const isJson = (record: Buffer): boolean => (readFlags(record) & FLAG_JSON) !== 0;
export const isLink = (record: Buffer): boolean => (readFlags(record) & FLAG_LINK) !== 0;
export const isHidden = (record: Buffer): boolean => (readFlags(record) & FLAG_HIDDEN) !== 0;
const readFlags = (record: Buffer): number => record[5] ?? 0;

export const readStreamNumber = (record: Buffer): number => record.readUIntBE(6, 6);
export const readRevision = (record: Buffer): number => record.readUIntBE(12, 6);
export const readCreatedMs = (record: Buffer): number => record.readUIntBE(18, 6);

export const readStreamName = (record: Buffer): string => readText(record, 24);
export const readType = (record: Buffer): string => readText(record, 28);

const readText = (record: Buffer, field: number): string => {
  const from = record.readUInt16BE(field);
  return record.toString('utf8', from, from + record.readUInt16BE(field + 2));
};

const countHeaderBytes = (record: Buffer): number =>
  HEADER_BYTES + ((readFlags(record) & FLAG_TARGET) !== 0 ? TARGET_BYTES : 0);

/** Returns the message `RecordedEvent` as it is sent to clients. */
export const readMessage = (record: Buffer): Buffer => record.subarray(countHeaderBytes(record));

export const readEventId = (record: Buffer): string => {
  const at = countHeaderBytes(record) + ID_FIELD_BYTES - UUID_TEXT_BYTES;
  return record.toString('latin1', at, at + UUID_TEXT_BYTES);
};

export const readData = (record: Buffer): Buffer =>
  record.subarray(record.length - record.readUInt32BE(36));

export const readCustomMetadata = (record: Buffer): Buffer => {
  const dataBytes = record.readUInt32BE(36);
  const end = record.length - dataBytes - 1 - measureVarint(dataBytes);
  return record.subarray(end - record.readUInt32BE(32), end);
};

/**
 * Returns the target of a link that a system projection wrote. Such a link is resolved without a
 * search.
 */
export const readTarget = (record: Buffer): LinkTarget | undefined =>
  (readFlags(record) & FLAG_TARGET) === 0
    ? undefined
    : {
        streamNumber: record.readUIntBE(40, 6),
        revision: record.readUIntBE(46, 6),
        position: record.readUIntBE(52, 6),
      };
