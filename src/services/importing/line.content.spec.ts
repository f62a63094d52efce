import { toCanonicalJson } from '../../kernel/canonical-json';
import { parseLine } from './import.lines';
import { normalizeContent } from './line.content';

type Json = Readonly<Record<string, unknown>>;

const content = (line: Json): string =>
  toCanonicalJson(normalizeContent(parseLine(JSON.stringify(line))));

const subscriber: Json = {
  kind: 'subscriber',
  external_id: 'crm-1',
  email: 'ada@example.com',
  created_at: '2024-03-01T00:00:00Z',
};
const subscription: Json = {
  kind: 'subscription',
  external_id: 's-1',
  subscriber_external_id: 'crm-1',
  plan: 'pro',
  status: 'active',
  current_period_start: '2024-03-01T00:00:00Z',
  current_period_end: '2024-04-01T00:00:00Z',
};
const payment: Json = {
  kind: 'payment',
  external_id: 'p-1',
  subscription_external_id: 's-1',
  amount: 900,
  currency: 'USD',
  status: 'succeeded',
  occurred_at: '2024-03-01T00:00:00Z',
};

const lines = { subscriber, subscription, payment };

it.each(Object.entries(lines))(
  'the content of a %s line does not depend on the order of its keys',
  (_, line) => {
    const reversed = Object.fromEntries(Object.entries(line).reverse());
    expect(content(reversed)).toBe(content(line));
  },
);

it.each([
  ['subscriber', { created_at: '2024-03-01T00:00:00.000Z' }],
  ['subscriber', { created_at: '2024-03-01T01:00:00+01:00' }],
  ['subscriber', { tags: [], metadata: {} }],
  ['subscription', { current_period_start: '2024-02-29T19:00-05:00' }],
  ['payment', { occurred_at: '2024-03-01T01:00:00+01:00', reason: 'renewal' }],
] as const)('the content of a %s line is the same with and without %j', (kind, fields) => {
  expect(content({ ...lines[kind], ...fields })).toBe(content(lines[kind]));
});

it('the content of a line does not depend on the order of tags and metadata', () => {
  const one = { ...subscriber, tags: ['a', 'b'], metadata: { x: '1', y: '2' } };
  const same = { ...subscriber, tags: ['b', 'a', 'b'], metadata: { y: '2', x: '1' } };
  expect(content(same)).toBe(content(one));
});

it.each([
  ['subscriber', { email: 'Ada@example.com' }],
  ['subscriber', { tags: ['a'] }],
  ['subscriber', { created_at: undefined }],
  ['subscription', { trial_end: '2024-04-01T00:00:00Z' }],
  ['payment', { reason: 'manual' }],
  ['payment', { occurred_at: '2024-03-01T00:00:00.001Z' }],
] as const)('the content of a %s line changes with %j', (kind, fields) => {
  expect(content({ ...lines[kind], ...fields })).not.toBe(content(lines[kind]));
});

it.each([
  ['currncy', 'currncy is not a known field. Did you mean currency?'],
  ['occurredAt', 'occurredAt is not a known field. Did you mean occurred_at?'],
  ['subscription', 'Did you mean subscription_external_id?'],
  ['foreground', 'foreground is not a known field. The fields are kind, external_id, '],
])('the refusal of the unknown field %s names the field that was probably meant', (name, text) => {
  expect(() => parseLine(JSON.stringify({ ...payment, [name]: 'EUR' }))).toThrow(text);
});
