type Json = Readonly<Record<string, unknown>>;

interface WithSchemas {
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

const PREFIX = '#/components/schemas/';

/**
 * Writes the schemas of texts, numbers and lists in the place of the references to them, so that an
 * editor shows `string` and the description of a field, not the name of a component. Enumerations
 * keep their names. Long examples, such as that of an event, are left out.
 */
export const inlineSimpleSchemas = <Document extends WithSchemas>(document: Document): Document => {
  const known = document.components.schemas as Readonly<Record<string, Json>>;
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (!isJson(value)) return value;
    const { $ref: reference = '' } = value as { $ref?: string };
    const target = known[reference.replace(PREFIX, '')];
    if (target !== undefined && isSimple(target)) {
      const { $ref: _, ...own } = value;
      return inline({ ...target, ...own });
    }
    const entries = Object.entries(value).filter(([key, each]) => !isLongExample(key, each));
    return Object.fromEntries(entries.map(([key, each]) => [key, inline(each)]));
  };
  return inline(document) as Document;
};

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const isSimple = (schema: Json): boolean =>
  !('enum' in schema) && schema['type'] !== undefined && schema['type'] !== 'object';

const EXAMPLE_CHARS_MAX = 120;

const isLongExample = (key: string, value: unknown): boolean =>
  key === 'example' && JSON.stringify(value).length > EXAMPLE_CHARS_MAX;
