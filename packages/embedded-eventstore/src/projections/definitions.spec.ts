import fc from 'fast-check';
import { STREAM_NAME_BYTES_MAX, SYSTEM_STREAM_NAME_BYTES_MAX } from '../base/limits';
import { encodeRecord, LINK_TYPE, type LinkTarget } from '../storage/record';
import { parseLink } from '../storage/stream-reader';
import {
  isProjectionName,
  PROJECTIONS,
  type Emission,
  type ProjectedEvent,
  type ProjectionName,
} from './definitions';

const NAMES = Object.keys(PROJECTIONS) as ProjectionName[];

const number = fc.integer({ min: 0, max: 2 ** 47 });
const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 });
const target = fc.record({ streamNumber: number, revision: number, position: number });

const streamName = fc.oneof(
  text,
  fc.tuple(text, text).map((parts) => parts.join('-')),
  fc.tuple(text, text).map(([first, second]) => `$${first}-${second}`),
  fc.tuple(text, text).map(([first, second]) => `${first}@${second}`),
  text.map((name) => `$persistentsubscription-${name}`),
  fc.constantFrom('-', '-x', 'x-', '$', '$-', 'a-b-c'),
);

/** Metadata with a valid correlation id, with an invalid one, or with arbitrary content. */
const metadata = fc.oneof(
  text.map((id) => JSON.stringify({ $correlationId: id })),
  fc.jsonValue().map((value) => JSON.stringify({ $correlationId: value })),
  fc.json(),
  text,
  text.map((name) => `"$correlationId" ${name}`),
  fc.constantFrom('', 'null', '{"$correlationId":', '["$correlationId"]'),
);

const parts = fc.record({
  streamName,
  streamNumber: number,
  revision: fc.oneof(fc.constant(0), number),
  position: number,
  id: fc.uuid(),
  type: text,
  json: fc.boolean(),
  customMetadata: metadata.map((value) => Buffer.from(value)),
  data: fc.uint8Array({ maxLength: 50 }).map((value) => Buffer.from(value)),
});

type Parts = typeof parts extends fc.Arbitrary<infer T> ? T : never;

const createEvent = (of: Parts & { readonly target?: LinkTarget | undefined }): ProjectedEvent => ({
  position: of.position,
  record: encodeRecord({ ...of, createdMs: 0, hidden: false }, of),
  streamName: of.streamName,
  streamNumber: of.streamNumber,
  revision: of.revision,
  type: of.type,
});

const event = parts
  .filter(({ type }) => type !== LINK_TYPE)
  .map((of) => ({ of, event: createEvent(of) }));

/** Links with a target, as projections write them, or without one, as users write them. */
const link = fc.tuple(parts, fc.option(target, { nil: undefined })).map(([of, at]) => ({
  of,
  event: createEvent({ ...of, type: LINK_TYPE, target: at }),
  target: at,
}));

const emit = (name: ProjectionName, projected: ProjectedEvent): Emission | undefined =>
  PROJECTIONS[name](projected);

const readLinkMetadata = ({ event: { customMetadata } }: Emission): Record<string, unknown> =>
  JSON.parse(Buffer.from(customMetadata).toString()) as Record<string, unknown>;

/** The category, found in another way than the projection does. */
const findCategory = (name: string): string | undefined => /^([^$-][^-]*)-/s.exec(name)?.[1];

const isBookkeeping = (name: string): boolean => name.startsWith('$persistent');

describe('every system projection', () => {
  it('links to the event that it was given, and names it in the metadata', () => {
    fc.assert(
      fc.property(event, ({ of, event: given }) => {
        for (const emission of NAMES.map((name) => emit(name, given))) {
          if (emission === undefined) continue;
          expect(readLinkMetadata(emission)).toMatchObject({
            $c: of.position,
            $p: of.position,
            $causedBy: of.id,
          });
          if (emission.event.type !== LINK_TYPE) continue;
          const { streamNumber, revision, position } = of;
          expect(parseLink(Buffer.from(emission.event.data).toString())).toEqual({
            revision,
            streamName: of.streamName,
          });
          expect(emission.target).toEqual({ streamNumber, revision, position });
        }
      }),
    );
  });

  it('does not process its own links without end', () => {
    fc.assert(
      fc.property(fc.oneof(event, link), ({ event: given }) => {
        let generation: ProjectedEvent[] = [given];
        for (let depth = 0; depth < 4; depth += 1) generation = generation.flatMap(descendants);
        expect(generation).toEqual([]);
      }),
    );
  });

  it('writes only to streams whose names can be stored', () => {
    const long = fc.integer({ min: 1, max: 3_000 }).map((length) => 'x'.repeat(length));
    const longParts = fc.tuple(parts, long, long).map(([of, name, id]): Parts => ({
      ...of,
      streamName: `${name.slice(0, STREAM_NAME_BYTES_MAX - 1)}-`,
      type: name,
      json: true,
      customMetadata: Buffer.from(JSON.stringify({ $correlationId: id })),
    }));
    fc.assert(
      fc.property(longParts, (of) => {
        for (const emission of NAMES.map((name) => emit(name, createEvent(of)))) {
          if (emission === undefined) continue;
          expect(Buffer.byteLength(emission.streamName)).toBeLessThanOrEqual(
            SYSTEM_STREAM_NAME_BYTES_MAX,
          );
        }
        expect(emit('$by_category', createEvent(of))).toBeDefined();
      }),
    );
  });
});

/** Returns the events that all projections together write for one event. */
const descendants = (given: ProjectedEvent): ProjectedEvent[] =>
  NAMES.flatMap((name) => {
    const emission = emit(name, given);
    if (emission === undefined) return [];
    return [
      createEvent({
        streamName: emission.streamName,
        streamNumber: 1,
        revision: 0,
        position: given.position + 1,
        id: '00000000-0000-4000-8000-000000000000',
        type: emission.event.type,
        json: emission.event.json,
        customMetadata: Buffer.from(emission.event.customMetadata),
        data: Buffer.from(emission.event.data),
        target: emission.target,
      }),
    ];
  });

describe('$by_category', () => {
  it('links an event to the stream of its category, if it has one', () => {
    fc.assert(
      fc.property(event, ({ of, event: given }) => {
        const expected = findCategory(of.streamName);
        const emission = emit('$by_category', given);
        expect(emission?.streamName).toBe(expected === undefined ? undefined : `$ce-${expected}`);
      }),
    );
  });

  it('links a link to its category as a link to the same event, and names the stream of the link', () => {
    fc.assert(
      fc.property(link, ({ of, event: given, target: to }) => {
        const emission = emit('$by_category', given);
        expect(emission === undefined).toBe(findCategory(of.streamName) === undefined);
        if (emission === undefined) return;
        expect(emission.event.data).toEqual(of.data);
        expect(emission.target).toEqual(to);
        expect(readLinkMetadata(emission)['$o']).toBe(of.streamName);
      }),
    );
  });
});

describe('$by_event_type', () => {
  it('links events by type, but neither links nor the checkpoints of persistent subscriptions', () => {
    fc.assert(
      fc.property(event, link, (one, other) => {
        const own = isBookkeeping(one.of.streamName) ? undefined : `$et-${one.of.type}`;
        expect(emit('$by_event_type', one.event)?.streamName).toBe(own);
        expect(emit('$by_event_type', other.event)).toBeUndefined();
      }),
    );
  });
});

describe('$streams and $stream_by_category', () => {
  it('list a stream once, with its first event', () => {
    fc.assert(
      fc.property(fc.oneof(event, link), ({ of, event: given }) => {
        const isLink = given.type === LINK_TYPE;
        const first = of.revision === 0 && !isLink;
        const listed = first && !isBookkeeping(of.streamName);
        expect(emit('$streams', given)?.streamName).toBe(listed ? '$streams' : undefined);
        const own = first ? findCategory(of.streamName) : undefined;
        const reference = emit('$stream_by_category', given);
        expect(reference?.streamName).toBe(own === undefined ? undefined : `$category-${own}`);
        if (reference === undefined) return;
        expect(reference.event.type).toBe('$@');
        expect(Buffer.from(reference.event.data).toString()).toBe(of.streamName);
      }),
    );
  });
});

describe('$by_correlation_id', () => {
  it('uses only the correlation id in the metadata of JSON events', () => {
    fc.assert(
      fc.property(fc.oneof(event, link), ({ of, event: given }) => {
        const id = of.json && given.type !== LINK_TYPE ? readCorrelationId(of) : undefined;
        const emission = emit('$by_correlation_id', given);
        expect(emission?.streamName).toBe(id === undefined ? undefined : `$bc-${id}`);
      }),
    );
  });
});

const readCorrelationId = ({ customMetadata }: Parts): string | undefined => {
  let value: unknown;
  try {
    value = JSON.parse(customMetadata.toString());
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('$correlationId' in value)) return undefined;
  return typeof value.$correlationId === 'string' && value.$correlationId !== ''
    ? value.$correlationId
    : undefined;
};

describe('the name of a projection', () => {
  it('is one of the five names of system projections', () => {
    expect(NAMES.every(isProjectionName)).toBe(true);
    fc.assert(
      fc.property(text, (name) => isProjectionName(name) === NAMES.includes(name as never)),
    );
    expect(isProjectionName('toString')).toBe(false);
  });
});
