type Node = Record<string, unknown>;

const DEPTH_MAX = 8;
const KEY = '0k3v9c2m8x7q1z5n';

/** Ids and other values that make an example read like the real thing, by field name. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  id: `obj_${KEY}`,
  subscriber_id: `subscriber_${KEY}`,
  subscription_id: `sub_${KEY}7h2m4q9x`,
  ticket_id: `tkt_${KEY}7h2m4q9x`,
  payment_id: `pay_${KEY}7h2m4q9x`,
  tenant_id: `tnt_${KEY}`,
  destination_id: `dest_${KEY}`,
  event_id: 'evt_06aq2c6c3vf6nb1rx4d5k8w7ze',
  email: 'ada@example.com',
  email_hashed: `sha256:${'3b'.repeat(32)}`,
  plan: 'pro',
  currency: 'USD',
  paid_currency: 'USD',
  amount: 2000,
  url: 'https://hooks.example.com/events',
  subject_template: '[{{data.topic}}] {{data.subject}}',
  allowed_ips: '203.0.113.7',
  name: 'Acme Magazine',
  has_more: false,
  schema_version: 'v1',
};

/** A value that a schema admits: its own example, default or first choice, else one by name or type. */
export const exampleOf = (document: Node, schema: Node | undefined): unknown =>
  build(document, schema ?? {}, { name: '', depth: 0, sent: false });

/**
 * What one may send as it is: of the optional fields only those that have an example of their own,
 * because not all fields go together.
 */
export const requestExampleOf = (document: Node, schema: Node | undefined): unknown =>
  build(document, schema ?? {}, { name: '', depth: 0, sent: true });

interface Place {
  /** In a request. */
  readonly sent: boolean;
  readonly name: string;
  readonly depth: number;
}

const build = (document: Node, schema: Node, place: Place): unknown => {
  if (place.depth > DEPTH_MAX) return null;
  if (typeof schema['$ref'] === 'string') {
    return build(document, resolve(document, schema['$ref']), place);
  }
  for (const known of ['example', 'const', 'default']) if (known in schema) return schema[known];
  const choices = schema['enum'] as unknown[] | undefined;
  if (choices !== undefined) return choices[0];
  const variants = (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']) as Node[] | undefined;
  if (variants !== undefined) return build(document, variants[0] ?? {}, place);
  return byType(document, schema, place);
};

const resolve = (document: Node, ref: string): Node =>
  ref
    .slice('#/'.length)
    .split('/')
    .reduce<Node>((node, key) => (node[key] ?? {}) as Node, document);

const byType = (document: Node, schema: Node, place: Place): unknown => {
  const { name, depth } = place;
  const type = [schema['type']].flat()[0];
  switch (type) {
    case 'object':
      return Object.fromEntries(
        fieldsOf(schema, place).map(([key, inner]) => [
          key,
          build(document, inner, { ...place, name: key, depth: depth + 1 }),
        ]),
      );
    case 'array':
      return [build(document, (schema['items'] ?? {}) as Node, { ...place, depth: depth + 1 })];
    case 'integer':
    case 'number':
      return typeof BY_NAME[name] === 'number' ? BY_NAME[name] : (schema['minimum'] ?? 1);
    case 'boolean':
      return BY_NAME[name] ?? true;
    case 'string':
      return textOf(schema, name);
    default:
      return type === 'null' ? null : {};
  }
};

const fieldsOf = (schema: Node, { sent }: Place): [string, Node][] => {
  const required = (schema['required'] ?? []) as string[];
  return Object.entries((schema['properties'] ?? {}) as Record<string, Node>).filter(
    ([name, inner]) => !sent || required.includes(name) || 'example' in inner,
  );
};

const textOf = (schema: Node, name: string): string => {
  if (schema['format'] === 'date-time') return '2026-03-10T12:00:00.000Z';
  const known = BY_NAME[name];
  if (typeof known === 'string') return known;
  return schema['pattern'] === '^[A-Z]{3}$' ? 'USD' : name === '' ? 'text' : name;
};
