/** The part of JSON Schema that the catalogue of events uses. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly format?: string;
  readonly pii?: string;
}

/** Formats a schema as a TypeScript type, for people who write a receiver. */
export const writeType = (schema: JsonSchema, indent = ''): string => {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  if (schema.anyOf !== undefined) {
    return schema.anyOf.map((each) => writeType(each, indent)).join(' | ');
  }
  const types = [schema.type ?? 'unknown'].flat();
  return types.map((type) => writeNamedType(type, schema, indent)).join(' | ');
};

const writeNamedType = (type: string, schema: JsonSchema, indent: string): string => {
  switch (type) {
    case 'integer':
      return 'number';
    case 'array': {
      const item = writeType(schema.items ?? {}, indent);
      return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
    }
    case 'object':
      return writeObjectType(schema, indent);
    default:
      return type;
  }
};

const writeObjectType = ({ properties, required = [] }: JsonSchema, indent: string): string => {
  if (properties === undefined) return 'Record<string, unknown>';
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(
    ([name, schema]) =>
      `${inner}${name}${required.includes(name) ? '' : '?'}: ${writeType(schema, inner)};`,
  );
  return `{\n${lines.join('\n')}\n${indent}}`;
};

/**
 * Formats an event type as a type name: `subscription.plan_changed` becomes
 * `SubscriptionPlanChanged`.
 */
export const nameType = (type: string): string =>
  type
    .split(/[._]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
