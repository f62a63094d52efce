import { toPublishedSchema } from '../event-store/catalogue';
import type { Json } from '../kernel/json';
import { deliverableEvents } from '../domain/subscriber-stream/subscriber.aggregate';

/**
 * Event types and their fields are a storage format and a public promise. Fields may be added to
 * this snapshot but never renamed or removed. It has `path: type [pii]` for every published field.
 */
it('the event catalogue keeps every event type and every published field', () => {
  const fields = Object.entries(deliverableEvents).map(([type, schema]) => [
    type,
    listFields(toPublishedSchema(schema as unknown as Json) as Schema, '').sort(),
  ]);
  expect(Object.fromEntries(fields.sort())).toMatchSnapshot();
});

it('the field `final` is documented as the last planned attempt', () => {
  const schema = toPublishedSchema(deliverableEvents['payment.failed']) as Schema;
  expect(schema.properties?.['final']?.description).toMatch(/`payment\.status` is `failed`/);
});

interface Schema {
  readonly description?: string;
  readonly type?: string;
  readonly pii?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

const listFields = (schema: Schema, path: string): string[] => {
  const { properties = {}, patternProperties = {}, items, anyOf = [], pii } = schema;
  const inner = [
    ...Object.entries(properties).flatMap(([key, each]) => listFields(each, `${path}.${key}`)),
    ...Object.values(patternProperties).flatMap((each) => listFields(each, `${path}.*`)),
    ...(items === undefined ? [] : listFields(items, `${path}[]`)),
    ...(pii === undefined ? anyOf.flatMap((each) => listFields(each, path)) : []),
  ];
  const own = schema.type ?? (pii === undefined ? null : 'string');
  const named = own === null || own === 'object' || path === '' ? [] : [`${path}: ${own}`];
  return [
    ...new Set([...named.map((text) => (pii === undefined ? text : `${text} [${pii}]`)), ...inner]),
  ];
};
