import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { deliverableEvents } from '../domain/subscriber-stream/subscriber.aggregate';
import {
  EventCatalogue,
  type EventSchema,
  removePersonal,
  restorePersonal,
  removeUnpublished,
} from './catalogue';
import type { JsonObject } from '../kernel/json';

const text = Type.Union([Type.String(), Type.Null()], { pii: 'text' });
const catalogue = new EventCatalogue([
  {
    'a.b': Type.Object({
      id: Type.String(),
      email: Type.String({ pii: 'email' }),
      note: text,
      notes: Type.Array(Type.Object({ by: Type.String(), text })),
      metadata: Type.Record(Type.String(), text),
      maybe: Type.Union([Type.Object({ name: text, kind: Type.String() }), Type.Null()]),
    }),
  },
]);

const sample: JsonObject = {
  id: 'x',
  email: 'ada@example.com',
  note: null,
  notes: [
    { by: 'a', text: 'one' },
    { by: 'b', text: 'two' },
  ],
  metadata: { city: 'Paris', 'odd/key': 'y' },
  maybe: { name: 'Ada', kind: 'person' },
};

describe('personal fields', () => {
  it('are removed at every depth at which the schema marks them', () => {
    expect(catalogue.splitPersonal('a.b', sample)).toEqual({
      data: {
        id: 'x',
        email: null,
        note: null,
        notes: [
          { by: 'a', text: null },
          { by: 'b', text: null },
        ],
        metadata: { city: null, 'odd/key': null },
        maybe: { name: null, kind: 'person' },
      },
      personal: [
        [['email'], 'ada@example.com'],
        [['notes', 0, 'text'], 'one'],
        [['notes', 1, 'text'], 'two'],
        [['metadata', 'city'], 'Paris'],
        [['metadata', 'odd/key'], 'y'],
        [['maybe', 'name'], 'Ada'],
      ],
    });
  });

  it('are restored at their paths and in their order', () => {
    const { data, personal } = catalogue.splitPersonal('a.b', sample);
    expect(JSON.stringify(restorePersonal(data, personal))).toBe(JSON.stringify(sample));
  });

  it('never appear in the stored data', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 12 }), (secret) => {
        const fields = { ...sample, email: secret, note: secret, metadata: { k: secret } };
        const { data } = catalogue.splitPersonal('a.b', fields);
        expect(JSON.stringify(data)).not.toContain(JSON.stringify(secret).slice(1, -1));
      }),
    );
  });
});

it('removing personal fields keeps the keys of metadata', () => {
  const record = Type.Object({
    id: Type.String(),
    email: Type.Union([Type.String(), Type.Null()], { pii: 'email' }),
    metadata: Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()], { pii: 'text' })),
    notes: Type.Array(Type.Object({ at: Type.String(), text: Type.String({ pii: 'text' }) })),
  });
  const shown = removePersonal(record, {
    id: 'x',
    email: null,
    metadata: { home: 'Baker Street' },
    notes: [{ at: 'noon', text: 'Baker Street' }],
  });
  expect(shown).toEqual({ id: 'x', metadata: { home: null }, notes: [{ at: 'noon' }] });
});

describe('unpublished fields', () => {
  it('are removed at every depth', () => {
    const shown = removeUnpublished(deliverableEvents['payment.succeeded'] as EventSchema, {
      payment: { id: 'pay_1', payment_method: { token: 'pm_1', last4: '4242' } },
      actor: 'api',
    });
    expect(shown).toEqual({
      payment: { id: 'pay_1', payment_method: { last4: '4242' } },
      actor: 'api',
    });
  });
});

it('the catalogue refuses an event type that is defined twice', () => {
  const part = { 'a.b': Type.Object({}) };
  expect(() => new EventCatalogue([part, part])).toThrow('the same event type');
});
