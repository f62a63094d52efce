import { createReference, isNode, mapValues, type Node, toComponentName } from './openapi-node';

type Schemas = Record<string, Node>;

/**
 * Moves each enumeration that several fields or parameters use to a component, also if some of them
 * allow null. Generators then create one type for it. Some generators create three types for an
 * enumeration that contains null.
 */
export const shareChoices = (document: Node): Node => {
  const components = document['components'] as Node & { schemas: Schemas };
  const choices = new SharedChoices(components.schemas);
  const { schemas, ...others } = components;
  for (const [name, schema] of Object.entries(schemas)) choices.count(schema, name, name);
  const { paths } = document;
  for (const part of [others, paths]) choices.count(part, '', '');
  const replaced = choices.replace({ ...others, schemas }) as Node & { schemas: Schemas };
  return {
    ...document,
    paths: choices.replace(paths),
    components: { ...replaced, schemas: { ...replaced.schemas, ...choices.listAll() } },
  };
};

interface Choice {
  readonly values: readonly string[];
  readonly places: { readonly parent: string; readonly field: string }[];
  nullable: boolean;
}

class SharedChoices {
  private readonly found = new Map<string, Choice>();
  private names: Map<string, string> | undefined;

  constructor(private readonly schemas: Schemas) {}

  /** Counts the enumerations below a value, by the component and the field that contain them. */
  count(value: unknown, parent: string, field: string): void {
    if (Array.isArray(value)) for (const item of value) this.count(item, parent, field);
    if (!isNode(value)) return;
    const words = readChoices(value);
    if (words !== undefined && this.schemas[parent] !== value) {
      const key = createKey(words);
      const choice = this.found.get(key) ?? { values: words, places: [], nullable: false };
      choice.places.push({ parent, field });
      choice.nullable ||= isNullable(value);
      this.found.set(key, choice);
    }
    for (const [key, item] of Object.entries(value)) {
      if (key === 'properties' && isNode(item)) {
        for (const [name, schema] of Object.entries(item)) this.count(schema, parent, name);
      } else if (!isData(key)) {
        this.count(item, parent, key === 'schema' ? getName(value, field) : field);
      }
    }
  }

  replace(value: unknown, isComponent = false): unknown {
    if (Array.isArray(value)) return value.map((item) => this.replace(item));
    if (!isNode(value)) return value;
    const words = readChoices(value);
    const name = words === undefined ? undefined : this.nameOf(words);
    if (name !== undefined && (!isComponent || isNullable(value))) return referTo(name, value);
    return mapValues(value, (item, key) => {
      if (key === 'properties' && isNode(item))
        return mapValues(item, (each) => this.replace(each));
      if (key === 'schemas' && isNode(item)) {
        return mapValues(item, (each) => this.replace(each, true));
      }
      return isData(key) ? item : this.replace(item);
    });
  }

  /** Returns the components that did not exist before. */
  listAll(): Schemas {
    const created = [...this.listNames()].filter(([, name]) => !(name in this.schemas));
    return Object.fromEntries(
      created.map(([key, name]) => [name, { type: 'string', enum: this.found.get(key)?.values }]),
    );
  }

  private nameOf(words: readonly string[]): string | undefined {
    return this.listNames().get(createKey(words));
  }

  private listNames(): Map<string, string> {
    if (this.names !== undefined) return this.names;
    const names = new Map<string, string>();
    for (const [name, schema] of Object.entries(this.schemas)) {
      const words = readChoices(schema);
      if (words !== undefined && !isNullable(schema)) names.set(createKey(words), name);
    }
    const used = new Set(Object.keys(this.schemas));
    for (const [key, choice] of this.found) {
      if (names.has(key) || (choice.places.length < 2 && !choice.nullable)) continue;
      const name = listNames(choice).find((each) => !used.has(each));
      if (name === undefined) continue;
      used.add(name);
      names.set(key, name);
    }
    this.names = names;
    return names;
  }
}

/** Field names that are too general for a component without the name of their object. */
const GENERAL_NAMES = /^(status|type|kind|source|reason|outcome|direction|applied|unit)$/;

/** Returns the possible names of a component, the best one first. */
const listNames = ({ places }: Choice): string[] => {
  const owned = places.filter(({ parent }) => parent !== '');
  const answered = owned.filter(({ parent }) => !parent.endsWith('Body'));
  return [...answered, ...owned, ...places].flatMap(({ parent, field }) => {
    const short = toComponentName(field);
    const long = `${parent.replaceAll(/^Registered|(Body|List)$/g, '')}${short}`;
    return GENERAL_NAMES.test(field) ? [long] : [short, long];
  });
};

/**
 * Returns the texts of an enumeration without null. Returns undefined if the schema is no
 * enumeration of at least two texts.
 */
const readChoices = ({ enum: choices }: Node): string[] | undefined => {
  if (!Array.isArray(choices)) return undefined;
  const words = choices.filter((each): each is string => typeof each === 'string');
  return words.length > 1 ? words : undefined;
};

const isNullable = ({ enum: choices }: Node): boolean => (choices as unknown[]).includes(null);

const referTo = (name: string, schema: Node): Node => {
  const { type: _type, enum: _enum, ...own } = schema;
  if (!isNullable(schema)) return { ...createReference(name), ...own };
  return { anyOf: [createReference(name), { type: 'null' }], ...own };
};

/** Returns the name if the node is a parameter, otherwise the name of the field around it. */
const getName = ({ name }: Node, field: string): string =>
  typeof name === 'string' ? name : field;

/** True if the value of this keyword is data and no schema. */
const isData = (key: string): boolean =>
  ['example', 'examples', 'default', 'const', 'enum', 'required'].includes(key);

const createKey = (words: readonly string[]): string => JSON.stringify([...words].sort());
