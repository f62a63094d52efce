import fc from 'fast-check';
import {
  type Entropy,
  toEventId,
  createEventUuid,
  isSubscriberId,
  newId,
  newOwnedId,
  newSubscriberId,
  findOwner,
  toEventUuid,
} from './ids';

const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
const entropyOf =
  (seed: Uint8Array): Entropy =>
  (label, count) =>
    seed.map((byte, i) => byte ^ label.charCodeAt(i % label.length)).subarray(0, count);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('ids', () => {
  it('of owned objects contain the key of their subscriber', () => {
    fc.assert(
      fc.property(bytes, (seed) => {
        const subscriber = newSubscriberId(entropyOf(seed));
        const ticket = newOwnedId('tkt', subscriber, entropyOf(seed));
        expect(isSubscriberId(subscriber)).toBe(true);
        expect(findOwner('tkt', ticket)).toBe(subscriber);
        expect(findOwner('sub', ticket)).toBeNull();
      }),
    );
  });

  it('depend only on the entropy and have one separator and at most 64 characters', () => {
    fc.assert(
      fc.property(bytes, (seed) => {
        const id = newId('dest', entropyOf(seed));
        expect(newId('dest', entropyOf(seed))).toBe(id);
        expect(id).toMatch(/^dest_[0-9a-z]{1,58}$/);
      }),
    );
  });

  it.each(['', 'tkt_', 'tkt_short', 'tkt_0000000000000000ilou0000', 'sub_x', 'tkt_0'.repeat(20)])(
    'recognise %j as foreign',
    (text) => {
      expect(findOwner('tkt', text)).toBeNull();
    },
  );

  it('of events encode the stored UUID reversibly', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(toEventUuid(toEventId(uuid))).toBe(uuid);
      }),
    );
  });

  it('of events sort by time, then by sequence', () => {
    const moment = fc.integer({ min: 0, max: 2 ** 41 });
    const sequence = fc.integer({ min: 1, max: 4094 });
    fc.assert(
      fc.property(moment, moment, sequence, bytes, bytes, (a, b, n, tailA, tailB) => {
        const id = (atMs: number, number: number, tail: Uint8Array): string =>
          toEventId(
            createEventUuid({ atMs, sequence: number, tail: Buffer.from(tail).toString('hex') }),
          );
        if (a !== b) expect(id(a, n, tailA) < id(b, n, tailB)).toBe(a < b);
        expect(id(a, n, tailA) < id(a, n + 1, tailB)).toBe(true);
      }),
    );
  });

  it('of events carry version 7 and the RFC 9562 variant', () => {
    const uuid = createEventUuid({ atMs: 1, sequence: 1, tail: 'f'.repeat(32) });
    expect(uuid).toMatch(UUID);
  });

  it('of events before 1970 are UUIDs too', () => {
    const uuid = createEventUuid({ atMs: -86_400_000, sequence: 1, tail: 'f'.repeat(32) });
    expect(uuid).toMatch(UUID);
    expect(toEventUuid(toEventId(uuid))).toBe(uuid);
  });
});
