import { eventWith } from '../../../test/support/destination';
import { EventCatalogue, type EventSchema } from '../../event-store/catalogue';
import type { Json, JsonObject } from '../../kernel/json';
import type { Vault } from '../../event-store/vault';
import type { Dated } from '../../kernel/decider';
import {
  deliverableEvents,
  subscriberAggregate,
  type SubscriberStreamFact,
} from '../../domain/subscriber-stream/subscriber.aggregate';
import { type PiiMode, Renderer } from '../model/render';
import { SCHEMA_VERSIONS } from '../model/schema-versions';

/**
 * The proof that nothing personal leaves: for every event type of the catalogue an event is made from
 * its schema, with a mark in each field that is tagged as personal; the marks must not be found in
 * what destinations of the modes `hashed_only` and `minimal` receive.
 */
const catalogue = new EventCatalogue([deliverableEvents]);
const EMAIL = 'MARK-EMAIL@example.com';

/** In what is stored for the fold only. */
const HIDDEN = 'HIDDEN-MARK';

/** The same for every union: its n-th member, or its last. */
type Choice = number;

const sample = (schema: EventSchema, choice: Choice, given: () => string): Json => {
  const mark = schema.unpublished === true ? (): string => HIDDEN : given;
  if (schema.pii !== undefined) return mark();
  const { anyOf } = schema;
  if (anyOf !== undefined) {
    const members = anyOf.filter(({ type }) => type !== 'null');
    const member = members[Math.min(choice, members.length - 1)];
    return member === undefined ? null : sample(member, choice, mark);
  }
  const extra = schema as { enum?: Json[]; const?: Json };
  if (extra.const !== undefined) return extra.const;
  if (extra.enum !== undefined) return extra.enum[choice % extra.enum.length] ?? null;
  switch (schema.type) {
    case 'string':
      return '2026-03-10T12:00:00.000Z';
    case 'integer':
    case 'number':
      return 7;
    case 'boolean':
      return true;
    case 'array':
      return [schema.items ?? []].flat().flatMap((item) => {
        const inner = item;
        return [sample(inner, choice, mark), sample(inner, choice, mark)];
      });
    case 'object':
      return sampleObject(schema, choice, mark);
    default:
      return null;
  }
};

const sampleObject = (schema: EventSchema, choice: Choice, mark: () => string): JsonObject =>
  Object.fromEntries(
    [
      ...Object.entries(schema.properties ?? {}),
      ...Object.values(schema.patternProperties ?? {}).map((each) => ['some_key', each] as const),
    ].map(([key, inner]) => [key, sample(inner, choice, mark)]),
  );

const CHOICES = [0, 1, 2, 3, 4, 5, 6, 7];

/** What a destination of a mode receives, and the marks that were put in. */
const deliver = async (
  type: string,
  choice: Choice,
  mode: PiiMode,
): Promise<{ body: string; envelope: JsonObject; marks: string[] }> => {
  const marks: string[] = [];
  const mark = (): string => {
    marks.push(`MARK-${marks.length}`);
    return marks.at(-1) ?? '';
  };
  const { data, personal } = catalogue.split(
    type,
    sample(catalogue.schema(type) ?? {}, choice, mark) as JsonObject,
  );
  const vault = { open: () => Promise.resolve({ email: EMAIL, fields: personal }) };
  const renderer = new Renderer(catalogue, vault as unknown as Vault, SCHEMA_VERSIONS);
  const envelope = await renderer.render(eventWith({ type, data }), mode);
  return { body: JSON.stringify(envelope), envelope, marks };
};

describe.each(catalogue.types())('%s', (type) => {
  it('leaves with its personal fields in mode full only', async () => {
    for (const choice of CHOICES) {
      const full = await deliver(type, choice, 'full');
      expect(full.marks.filter((mark) => !full.body.includes(mark))).toEqual([]);
      expect(full.body).toContain(EMAIL);
      expect(full.body).not.toContain(HIDDEN);

      const hashed = await deliver(type, choice, 'hashed_only');
      expect(hashed.body).not.toContain('MARK');
      // D-64: not null but left out, wherever in the data it stood.
      expect(JSON.stringify(hashed.envelope['data'])).not.toContain('"email":');
      expect(hashed.envelope['subscriber']).not.toHaveProperty('email');
      expect(hashed.envelope['subscriber']).toHaveProperty('email_hashed');

      const minimal = await deliver(type, choice, 'minimal');
      expect(minimal.envelope).toEqual({
        id: 'evt_1',
        type,
        created_at: full.envelope['created_at'],
        subscriber: { id: 'subscriber_1' },
        subscription: { id: 'sub_1' },
      });
    }
  });
});

type StreamFact = Dated<SubscriberStreamFact>;

/** A fact of the type with a mark in each personal field. */
const factOf = (type: string, choice: Choice): StreamFact =>
  ({
    type,
    data: sample(catalogue.schema(type) ?? {}, choice, () => 'MARK'),
    at: '2026-03-10T12:00:00.000Z',
    subscriptionId: 'sub_1',
  }) as unknown as StreamFact;

/** What was said before, with marks, too. */
const BEFORE = ['subscriber.created', 'subscription.activated', 'subscription.cancelled'];

/** The envelope shows the blocks in modes full and hashed_only as they were stored. */
it.each(catalogue.types())('%s keeps nothing personal in the blocks beside its data', (type) => {
  for (const choice of CHOICES) {
    let state = subscriberAggregate.initialState();
    for (const each of [...BEFORE, type]) {
      const fact = factOf(each, choice);
      state = subscriberAggregate.evolve(state, fact);
      const shown = subscriberAggregate.envelope?.(state, fact);
      expect(shown?.subscriber).toBeDefined();
      expect(JSON.stringify([shown?.subscriber, shown?.subscription])).not.toContain('MARK');
      if (each !== 'subscription.cancelled') continue;
      // The state has it, so it is left out on purpose.
      expect(JSON.stringify(state.subscriptions)).toContain('MARK');
      expect(shown?.subscription).toMatchObject({ cancellation: { comment: null } });
    }
  }
});

/** Names that say what a field holds; such a field without a tag would leave in every mode. */
const TELLING =
  /^(e_?mail|subject|body|note|comment|resolution_note|phone|address|(first|last)_name)$/;

const untagged = (schema: EventSchema, path: string): string[] => {
  if (schema.pii !== undefined) return [];
  const properties = Object.entries(schema.properties ?? {});
  return [
    ...properties.flatMap(([name, inner]) =>
      TELLING.test(name) && inner.pii === undefined ? [`${path}.${name}`] : [],
    ),
    ...properties.flatMap(([name, inner]) => untagged(inner, `${path}.${name}`)),
    ...(schema.anyOf ?? []).flatMap((inner) => untagged(inner, path)),
    ...[schema.items ?? []].flat().flatMap((inner) => untagged(inner, `${path}[]`)),
  ];
};

it('no field is named like personal data without being tagged', () => {
  const types = catalogue.types();
  expect(types.length).toBeGreaterThan(5);
  expect(types.flatMap((type) => untagged(catalogue.schema(type) ?? {}, type))).toEqual([]);
});
