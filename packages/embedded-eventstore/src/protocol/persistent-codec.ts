import { readMessage } from '../storage/record';
import type { ResolvedEntry } from '../storage/stream-reader';
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
 * The messages of the bidirectional PersistentSubscriptions.Read (persistent.proto): the server
 * sends events, the client sends acknowledgements.
 */

export type ConsumerMessage =
  | {
      readonly kind: 'options';
      /** The stream's name; undefined for $all. */
      readonly streamName: string | undefined;
      readonly groupName: string;
      readonly bufferSize: number;
    }
  | { readonly kind: 'ack'; readonly ids: readonly string[] }
  | {
      readonly kind: 'nack';
      readonly ids: readonly string[];
      readonly action: number;
      readonly reason: string;
    };

export const NACK_PARK = 1;
export const NACK_SKIP = 3;
export const NACK_STOP = 4;

export const readConsumerMessage = (message: Buffer): ConsumerMessage | undefined => {
  const reader = new WireReader(message);
  for (let field = reader.readTag(); field !== 0; field = reader.readTag()) {
    if (field === 1) return readOptions(reader.readMessage());
    if (field === 2) return { kind: 'ack', ids: readAnswer(reader.readMessage()).ids };
    if (field === 3) return { kind: 'nack', ...readAnswer(reader.readMessage()) };
    reader.skip();
  }
  return undefined;
};

const readOptions = (reader: WireReader): ConsumerMessage => {
  let streamName: string | undefined;
  let groupName = '';
  let bufferSize = 0;
  for (let field = reader.readTag(); field !== 0; field = reader.readTag()) {
    if (field === 1) streamName = readStreamIdentifier(reader.readMessage());
    else if (field === 2) groupName = reader.readText();
    else if (field === 3) bufferSize = reader.readVarint();
    else reader.skip();
  }
  return { kind: 'options', streamName, groupName, bufferSize };
};

const readAnswer = (reader: WireReader): { ids: string[]; action: number; reason: string } => {
  const ids: string[] = [];
  let action = 0;
  let reason = '';
  for (let field = reader.readTag(); field !== 0; field = reader.readTag()) {
    if (field === 2) ids.push(readUuid(reader.readMessage()));
    else if (field === 3) action = reader.readVarint();
    else if (field === 4) reason = reader.readText();
    else reader.skip();
  }
  return { ids, action, reason };
};

/**
 * Encodes an event for a consumer. In a resolved link, EventStoreDB sends the link's position for
 * both events. A later field replaces an earlier one, so the position is written after the stored
 * message.
 */
export const encodeDelivery = (resolved: ResolvedEntry, retryCount: number): Buffer => {
  const { entry, target, isLink } = resolved;
  const { position } = entry;
  const own = readMessage(entry.record);
  const positionBytes = 2 * measureVarintField(position);
  const event = isLink ? target && readMessage(target.record) : own;
  const overrideBytes = isLink ? positionBytes : 0;
  const bytes =
    (event ? measureBytesField(event.length + overrideBytes) : 0) +
    (isLink ? measureBytesField(own.length) : 0) +
    measureVarintField(position) +
    measureVarintField(retryCount);
  return encodeFrame(measureBytesField(bytes), (buffer, offset) => {
    let at = putBytesHeader(buffer, offset, 1, bytes);
    if (event) {
      at = putBytesHeader(buffer, at, 1, event.length + overrideBytes);
      at += event.copy(buffer, at);
      if (isLink) at = putPositions(buffer, at, position);
    }
    if (isLink) at = putBytesField(buffer, at, 2, own);
    at = putVarintField(buffer, at, 3, position);
    putVarintField(buffer, at, 5, retryCount);
  });
};

const putPositions = (buffer: Buffer, offset: number, position: number): number =>
  putVarintField(buffer, putVarintField(buffer, offset, 4, position), 5, position);
