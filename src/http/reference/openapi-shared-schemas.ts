import { createReference, isNode, mapValues, type Node, toComponentName } from './openapi-node';

type Schemas = Record<string, Node>;

/** Schemas with fewer characters are not shared, because they are easier to read in place. */
const CHARS_MIN = 80;

/** A component is created only if it saves at least this many characters in the document. */
const SAVING_MIN = 200;

/**
 * Moves each property that several schemas have, with the same name and definition, to a component.
 * Generators then create one model for it, and the document is smaller.
 */
export const shareSchemas = (document: Node): Node => {
  const components = document['components'] as Node & { schemas: Schemas };
  const shared = new SharedSchemas(components.schemas);
  return { ...document, components: { ...components, schemas: shared.listAll() } };
};

interface Found {
  readonly name: string;
  readonly parent: string;
  readonly schema: Node;
  count: number;
}

class SharedSchemas {
  private readonly found = new Map<string, Found>();
  private readonly components = new Map<string, string>();

  constructor(private readonly schemas: Schemas) {
    for (const [name, schema] of Object.entries(schemas)) this.count(schema, name);
    const used = new Set(Object.keys(schemas));
    for (const [key, each] of this.found) {
      if (!isWorthSharing(each)) continue;
      const short = toComponentName(each.name);
      const name = used.has(short) ? `${each.parent}${short}` : short;
      if (used.has(name)) continue;
      used.add(name);
      this.components.set(key, name);
    }
  }

  /**
   * Returns the schemas and the new components. A shared property is a reference to its component.
   */
  listAll(): Schemas {
    const own = [...this.components].map(([key, name]): [string, Node] => [
      name,
      this.replace(this.found.get(key)?.schema) as Node,
    ]);
    const rest = mapValues(this.schemas, (each) => this.replace(each) as Node);
    return { ...rest, ...Object.fromEntries(own) };
  }

  /**
   * Counts the properties below a schema. The inner properties of a property are counted only at
   * its first occurrence.
   */
  private count(value: unknown, parent: string): void {
    if (Array.isArray(value)) for (const item of value) this.count(item, parent);
    if (!isNode(value)) return;
    for (const [key, item] of Object.entries(value)) {
      if (key === 'properties' && isNode(item)) this.countProperties(item, parent);
      else if (!isData(key)) this.count(item, parent);
    }
  }

  private countProperties(properties: Node, parent: string): void {
    for (const [name, schema] of Object.entries(properties as Schemas)) {
      const key = createKey(name, schema);
      const known = this.found.get(key);
      if (known !== undefined) known.count += 1;
      else {
        this.found.set(key, { name, parent, schema, count: 1 });
        this.count(schema, toComponentName(name));
      }
    }
  }

  private replace(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.replace(item));
    if (!isNode(value)) return value;
    return mapValues(value, (item, key) => {
      if (key !== 'properties' || !isNode(item)) return isData(key) ? item : this.replace(item);
      return mapValues(item as Schemas, (schema, name) => {
        const component = this.components.get(createKey(name, schema));
        return component === undefined ? this.replace(schema) : createReference(component);
      });
    });
  }
}

/** True if the value of this keyword is data and no schema. */
const isData = (key: string): boolean =>
  ['example', 'default', 'const', 'enum', 'required'].includes(key);

const createKey = (name: string, schema: Node): string => `${name} ${JSON.stringify(schema)}`;

const isWorthSharing = ({ name, schema, count }: Found): boolean => {
  const chars = JSON.stringify(schema).length;
  const reference = JSON.stringify(createReference(toComponentName(name))).length;
  const saving = (count - 1) * chars - count * reference - name.length;
  return !('$ref' in schema) && chars >= CHARS_MIN && saving >= SAVING_MIN;
};
