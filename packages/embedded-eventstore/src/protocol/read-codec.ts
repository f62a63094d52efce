import { readMessage } from '../storage/record';
import type { ResolvedEntry } from '../storage/stream-reader';
import { FRAME_HEADER_BYTES, encodeFrame, createFrame, putFrameHeader } from './framing';
import {
  measureBytesField,
  putBytesField,
  putBytesHeader,
  putVarintField,
  measureVarintField,
} from '../base/wire';

/**
 * The responses of Streams.Read (streams.proto). They are encoded by hand because reads are
 * frequent. Events are sent as they are stored.
 */

interface Parts {
  readonly event: Buffer | undefined;
  readonly link: Buffer | undefined;
  readonly position: number;
  readonly bytes: number;
}

/**
 * Chooses the messages that are sent for an entry. A resolved link is sent with the original as the
 * event. If the original is gone, only the link is sent.
 */
const readParts = ({ entry, target, isLink }: ResolvedEntry): Parts => {
  const own = readMessage(entry.record);
  const event = isLink ? target && readMessage(target.record) : own;
  const link = isLink ? own : undefined;
  const bytes =
    (event ? measureBytesField(event.length) : 0) +
    (link ? measureBytesField(link.length) : 0) +
    measureVarintField(entry.position);
  return { event, link, position: entry.position, bytes };
};

/** Encodes all events of a page as consecutive frames in one buffer. */
export const encodeEvents = (page: readonly ResolvedEntry[]): Buffer => {
  const parts = page.map(readParts);
  const totalBytes = parts.reduce(
    (sum, { bytes }) => sum + FRAME_HEADER_BYTES + measureBytesField(bytes),
    0,
  );
  const target = Buffer.allocUnsafe(totalBytes);
  let at = 0;
  for (const part of parts) at = putEvent(target, at, part);
  return target;
};

const putEvent = (target: Buffer, offset: number, parts: Parts): number => {
  let at = putFrameHeader(target, offset, measureBytesField(parts.bytes));
  at = putBytesHeader(target, at, 1, parts.bytes);
  if (parts.event) at = putBytesField(target, at, 1, parts.event);
  if (parts.link) at = putBytesField(target, at, 2, parts.link);
  return putVarintField(target, at, 3, parts.position);
};

export const encodeCheckpoint = (position: number): Buffer => {
  const bytes = 2 * measureVarintField(position);
  return encodeFrame(measureBytesField(bytes), (target, offset) => {
    const at = putBytesHeader(target, offset, 3, bytes);
    putVarintField(target, putVarintField(target, at, 1, position), 2, position);
  });
};

/**
 * Encodes the response for a stream that does not exist: field 4 with a `stream_identifier` in its
 * field 1. The identifier has the name in its field 3.
 */
export const encodeStreamNotFound = (streamName: string): Buffer => {
  const name = Buffer.from(streamName);
  const identifierBytes = measureBytesField(name.length);
  const bytes = measureBytesField(identifierBytes);
  return encodeFrame(measureBytesField(bytes), (target, offset) => {
    let at = putBytesHeader(target, offset, 4, bytes);
    at = putBytesHeader(target, at, 1, identifierBytes);
    putBytesField(target, at, 3, name);
  });
};

/** Encodes `first_stream_position`, which is field 5. */
export const encodeFirstRevision = (revision: number): Buffer => encodeNumber(5, revision);

/** Encodes `last_stream_position`, which is field 6. */
export const encodeLastRevision = (revision: number): Buffer => encodeNumber(6, revision);

const encodeNumber = (field: number, value: number): Buffer =>
  encodeFrame(measureVarintField(value), (target, offset) => {
    putVarintField(target, offset, field, value);
  });

export const CAUGHT_UP = createFrame(Buffer.from([(8 << 3) | 2, 0]));
