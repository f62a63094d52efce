/** Keywords of JSON Schema. */
type Rules = Readonly<Record<string, unknown>>;

const rulesByClass = new Map<string, Rules>();

/**
 * Says in the API reference what no single field of a body can say, such as two fields that exclude each
 * other. A class does not inherit it.
 */
export const SchemaRules =
  (rules: Rules): ClassDecorator =>
  (target) => {
    rulesByClass.set(target.name, rules);
  };

/** The rules of a body by the name of its class; none where it has none. */
export const schemaRulesOf = (className: string): Rules => rulesByClass.get(className) ?? {};

/** The fields that each type of a body has, beside those that all have. A `?` marks what may be left out. */
export type FieldsByType = Readonly<Record<string, readonly string[]>>;

/** One variant for each type: the constant, the fields that it needs, and those it does not take. */
export const variantsByType = (fields: FieldsByType): Rules => {
  const names = new Set(Object.values(fields).flat().map(plainName));
  return {
    oneOf: Object.entries(fields).map(([type, own]) => {
      const needed = own.filter((name) => !name.endsWith('?'));
      const foreign = [...names].filter((name) => !own.map(plainName).includes(name));
      return {
        properties: { type: { const: type } },
        ...(needed.length === 0 ? {} : { required: needed }),
        ...(foreign.length === 0 ? {} : { not: anyOfThem(foreign) }),
      };
    }),
  };
};

/** Is met where at least one of the fields is given. */
export const anyOfThem = (names: readonly string[]): Rules => ({
  anyOf: names.map((name) => ({ required: [name] })),
});

const plainName = (name: string): string => name.replace('?', '');
