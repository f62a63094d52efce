/** Keywords of JSON Schema. */
type Rules = Readonly<Record<string, unknown>>;

const rulesByClass = new Map<string, Rules>();

/**
 * Adds rules about several fields of a body to the API reference, such as two fields that exclude
 * each other. A subclass does not inherit them.
 */
export const SchemaRules =
  (rules: Rules): ClassDecorator =>
  (target) => {
    rulesByClass.set(target.name, rules);
  };

/** Returns the rules of the body with this class name; empty if there are none. */
export const getSchemaRules = (className: string): Rules => rulesByClass.get(className) ?? {};

/**
 * The fields of each type of a body, in addition to the fields that all types have. A `?` marks an
 * optional field.
 */
export type FieldsByType = Readonly<Record<string, readonly string[]>>;

/** Further rules for the fields of some types, such as a smaller maximum. */
export type FieldRulesByType = Readonly<Record<string, Rules>>;

/**
 * Builds one schema for each type: the constant `type`, the required fields, the fields that are
 * not allowed, and further rules.
 */
export const createVariants = (fields: FieldsByType, rules: FieldRulesByType = {}): Rules => {
  const names = new Set(Object.values(fields).flat().map(removeOptionalMark));
  return {
    oneOf: Object.entries(fields).map(([type, own]) => {
      const needed = own.filter((name) => !name.endsWith('?'));
      const foreign = [...names].filter((name) => !own.map(removeOptionalMark).includes(name));
      return {
        properties: { type: { const: type }, ...rules[type] },
        ...(needed.length === 0 ? {} : { required: needed }),
        ...(foreign.length === 0 ? {} : { not: createAnyOf(foreign) }),
      };
    }),
  };
};

/** The rule that at least one of the fields is given. */
export const createAnyOf = (names: readonly string[]): Rules => ({
  anyOf: names.map((name) => ({ required: [name] })),
});

const removeOptionalMark = (name: string): string => name.replace('?', '');
