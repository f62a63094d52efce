import { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import fc from 'fast-check';
import {
  readCreatedMs,
  readCustomMetadata,
  readData,
  encodeRecord,
  readEventId,
  isJson,
  isSound,
  isTrimmed,
  readMessage,
  readRevision,
  readStreamName,
  readStreamNumber,
  readTarget,
  createTrimmedRecord,
  readType,
} from './record';

const number = fc.integer({ min: 0, max: 2 ** 47 });
const bytes = fc.uint8Array({ maxLength: 300 }).map((value) => Buffer.from(value));

const parts = fc.record({
  streamName: fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
  streamNumber: number,
  revision: number,
  position: number,
  createdMs: fc.integer({ min: 0, max: 2 ** 42 }),
  hidden: fc.boolean(),
  target: fc.option(fc.record({ streamNumber: number, revision: number, position: number }), {
    nil: undefined,
  }),
});

const content = fc.record({
  id: fc.uuid(),
  type: fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
  json: fc.boolean(),
  customMetadata: bytes,
  data: bytes,
});

describe('a record', () => {
  it('returns the values with which it was created', () => {
    fc.assert(
      fc.property(parts, content, (place, event) => {
        const record = encodeRecord(place, event);
        expect(readStreamName(record)).toBe(place.streamName);
        expect(readStreamNumber(record)).toBe(place.streamNumber);
        expect(readRevision(record)).toBe(place.revision);
        expect(readCreatedMs(record)).toBe(place.createdMs);
        expect(readTarget(record)).toEqual(place.target);
        expect(readType(record)).toBe(event.type);
        expect(readEventId(record)).toBe(event.id);
        expect(isJson(record)).toBe(event.json);
        expect(readCustomMetadata(record)).toEqual(event.customMetadata);
        expect(readData(record)).toEqual(event.data);
        expect(isSound(record, place.position)).toBe(true);
      }),
    );
  });

  it('contains the message as the official client reads it', () => {
    fc.assert(
      fc.property(parts, content, (place, event) => {
        const message = ReadResp.ReadEvent.RecordedEvent.deserializeBinary(
          readMessage(encodeRecord(place, event)),
        );
        const stream = Buffer.from(message.getStreamIdentifier()?.getStreamName_asU8() ?? []);
        expect(stream.toString()).toBe(place.streamName);
        expect(message.getId()?.getString()).toBe(event.id);
        expect(message.getStreamRevision()).toBe(String(place.revision));
        expect(message.getCommitPosition()).toBe(String(place.position));
        expect(message.getPreparePosition()).toBe(String(place.position));
        expect(message.getMetadataMap().get('type')).toBe(event.type);
        expect(message.getMetadataMap().get('created')).toBe(`${place.createdMs}0000`);
        expect(Buffer.from(message.getCustomMetadata_asU8())).toEqual(event.customMetadata);
        expect(Buffer.from(message.getData_asU8())).toEqual(event.data);
      }),
    );
  });

  it('is detected as damaged if any bit changes or its position does', () => {
    fc.assert(
      fc.property(parts, content, fc.nat(), fc.nat(7), (place, event, at, bit) => {
        const record = encodeRecord(place, event);
        expect(isSound(record, place.position + 1)).toBe(false);
        const index = at % record.length;
        record[index] = (record[index] ?? 0) ^ (1 << bit);
        expect(isSound(record, place.position)).toBe(false);
      }),
    );
  });

  it('becomes a valid stub when it is trimmed', () => {
    fc.assert(
      fc.property(number, (position) => {
        const stub = createTrimmedRecord(position);
        expect(isTrimmed(stub)).toBe(true);
        expect(isSound(stub, position)).toBe(true);
        expect(isSound(stub, position + 1)).toBe(false);
      }),
    );
  });
});
