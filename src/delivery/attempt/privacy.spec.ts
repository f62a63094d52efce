import { buildEvent } from '../../../test/support/destination';
import { EventCatalogue, type EventSchema } from '../../event-store/catalogue';
import type { Json, JsonObject } from '../../kernel/json';
import type { Personal, Vault } from '../../event-store/vault';
import type { Dated } from '../../kernel/decider';
import {
  deliverableEvents,
  subscriberAggregate,
  type SubscriberStreamFact,
} from '../../domain/subscriber-stream/subscriber.aggregate';
import { type PiiMode, Renderer } from '../model/render';
import { SCHEMA_VERSIONS } from '../model/schema-versions';

/**
 * Proves that nothing personal is sent. For every event type of the catalogue an event is made from
 * its schema, with a mark in each field that is tagged as personal. Destinations in the modes
 * `hashed_only` and `minimal` must not receive the marks.
 */
const catalogue = new EventCatalogue([deliverableEvents]);
const EMAIL = 'MARK-EMAIL@example.com';

/** The mark of fields that are stored for the fold only. */
const HIDDEN = 'HIDDEN-MARK';

/** The index of the member that is used for every union; the last member if there are fewer. */
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

/** Returns what a destination in a mode receives, and the marks that were put in. */
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
  const { data, personal } = catalogue.splitPersonal(
    type,
    sample(catalogue.findSchema(type) ?? {}, choice, mark) as JsonObject,
  );
  const vault = { open: () => Promise.resolve({ email: EMAIL, fields: personal }) };
  const renderer = new Renderer(catalogue, vault as unknown as Vault, SCHEMA_VERSIONS);
  const envelope = await renderer.renderAsStored(buildEvent({ type, data }), mode);
  return { body: JSON.stringify(envelope), envelope, marks };
};

describe.each(catalogue.listTypes())('%s', (type) => {
  it('is sent with its personal fields in mode full only', async () => {
    for (const choice of CHOICES) {
      const full = await deliver(type, choice, 'full');
      expect(full.marks.filter((mark) => !full.body.includes(mark))).toEqual([]);
      expect(full.body).toContain(EMAIL);
      expect(full.body).not.toContain(HIDDEN);

      const hashed = await deliver(type, choice, 'hashed_only');
      expect(hashed.body).not.toContain('MARK');
      // E-mail addresses are left out, not set to null, at every depth (D-64).
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

describe('an event type that only a later version knows', () => {
  const data = { payment: { method: { token: 'tok_hidden' } }, note: null, email: null };
  const personal: Personal = { email: EMAIL, fields: [[['note'], 'MARK']] };
  const vault = { open: () => Promise.resolve(personal) } as unknown as Vault;
  const render = (mode: PiiMode): Promise<JsonObject> =>
    new Renderer(catalogue, vault, SCHEMA_VERSIONS).renderAsStored(
      buildEvent({ type: 'payment.invented', data }),
      mode,
    );

  it.each(['full', 'hashed_only'] as const)('is not rendered in mode %s', async (mode) => {
    await expect(render(mode)).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining('payment.invented') as string,
    });
  });

  it('is rendered in mode minimal, which shows nothing of its data', async () => {
    const envelope = await render('minimal');
    expect(envelope).toMatchObject({ type: 'payment.invented' });
    expect(JSON.stringify(envelope)).not.toMatch(/tok_hidden|MARK|data/);
  });
});

type StreamFact = Dated<SubscriberStreamFact>;

/** Creates a fact of the type with a mark in each personal field. */
const createFact = (type: string, choice: Choice): StreamFact =>
  ({
    type,
    data: sample(catalogue.findSchema(type) ?? {}, choice, () => 'MARK'),
    at: '2026-03-10T12:00:00.000Z',
    subscriptionId: 'sub_1',
  }) as unknown as StreamFact;

/** The earlier facts, which also have marks. */
const BEFORE = ['subscriber.created', 'subscription.activated', 'subscription.cancelled'];

/** The envelope shows these blocks in the modes full and hashed_only as they were stored. */
it.each(catalogue.listTypes())(
  '%s has no personal data in the blocks subscriber and subscription',
  (type) => {
    for (const choice of CHOICES) {
      let state = subscriberAggregate.initialState();
      for (const each of [...BEFORE, type]) {
        const fact = createFact(each, choice);
        state = subscriberAggregate.evolve(state, fact);
        const shown = subscriberAggregate.envelope?.(state, fact);
        expect(shown?.subscriber).toBeDefined();
        expect(JSON.stringify([shown?.subscriber, shown?.subscription])).not.toContain('MARK');
        if (each !== 'subscription.cancelled') continue;
        // The state contains the comment, so the envelope leaves it out on purpose.
        expect(JSON.stringify(state.subscriptions)).toContain('MARK');
        expect(shown?.subscription).toMatchObject({ cancellation: { comment: null } });
      }
    }
  },
);

/**
 * Field names that usually hold personal data. Such a field without a tag would be sent in every
 * mode.
 */
const PERSONAL_NAMES =
  /^(e_?mail|subject|body|note|comment|resolution_note|phone|address|(first|last)_name)$/;

const untagged = (schema: EventSchema, path: string): string[] => {
  if (schema.pii !== undefined) return [];
  const properties = Object.entries(schema.properties ?? {});
  return [
    ...properties.flatMap(([name, inner]) =>
      PERSONAL_NAMES.test(name) && inner.pii === undefined ? [`${path}.${name}`] : [],
    ),
    ...properties.flatMap(([name, inner]) => untagged(inner, `${path}.${name}`)),
    ...(schema.anyOf ?? []).flatMap((inner) => untagged(inner, path)),
    ...[schema.items ?? []].flat().flatMap((inner) => untagged(inner, `${path}[]`)),
  ];
};

it('every field with the name of personal data is tagged as personal', () => {
  const types = catalogue.listTypes();
  expect(types.length).toBeGreaterThan(5);
  expect(types.flatMap((type) => untagged(catalogue.findSchema(type) ?? {}, type))).toEqual([]);
});
