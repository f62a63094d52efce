import 'reflect-metadata';
import { getMetadataStorage } from 'class-validator';
import { type RuleContext, validateAs } from '../../src/http/fields/validation';
import type { DomainError } from '../../src/kernel/errors';
import { type FieldError } from '../../src/kernel/errors';
// Loads the bodies and the query parameters of all operations.
import '../../src/wiring/app.module';

interface Rule {
  readonly name?: string;
  readonly type: string;
  readonly propertyName: string;
  readonly message?: unknown;
  readonly context?: RuleContext;
}

type Fields = new () => object;

const { validationMetadatas } = getMetadataStorage() as unknown as {
  readonly validationMetadatas: ReadonlyMap<Fields, readonly Rule[]>;
};

/** Returns the rules of a class and of its parent classes, by the name of the field. */
const rulesOf = (fields: Fields): Map<string, Rule[]> => {
  const found = getMetadataStorage().getTargetValidationMetadatas(fields, '', false, false);
  // A rule with a finding of its own writes its message when it has seen the value.
  const rules = (found as Rule[]).filter(
    ({ type, context }) => type !== 'conditionalValidation' && context?.finding === undefined,
  );
  const byField = new Map<string, Rule[]>();
  for (const rule of rules) {
    byField.set(rule.propertyName, [...(byField.get(rule.propertyName) ?? []), rule]);
  }
  return byField;
};

/** Returns the message of a rule; of one that depends on the value, the message for no value. */
const readMessage = ({ message }: Rule): unknown =>
  typeof message === 'function' ? (message as (of: object) => unknown)({}) : message;

const texts = (count: number): string[] => Array.from({ length: count }, (_, i) => `text_${i}`);

/** At least one of these values breaks each kind of rule. */
const WRONG_VALUES: readonly unknown[] = [
  undefined,
  null,
  true,
  -1e15,
  1.5,
  1e300,
  '',
  ' ',
  'two\nlines',
  'Nonsense!',
  'x'.repeat(100_000),
  {},
  { key: 1 },
  { key: 'x'.repeat(1_000) },
  Object.fromEntries(texts(100).map((text) => [text, text])),
  [],
  [1],
  [''],
  [{}],
  ['same', 'same'],
  ['x'.repeat(100_000)],
  texts(2),
  texts(1_100),
  texts(1_100).map(() => ({})),
];

/** Returns the errors in the named field of an object that has no other field. */
const errorsOf = async (fields: Fields, name: string, value: unknown): Promise<FieldError[]> => {
  try {
    await validateAs(fields, { [name]: value });
    return [];
  } catch (error) {
    const errors = (error as DomainError).facts.errors ?? [];
    return errors.filter(({ param }) => param.split(/[.[]/, 1)[0] === name);
  }
};

/** Each message is a sentence that begins with the field and says what the field must be. */
const CLEAR =
  /^(?:each item of )?([\w.[\]]+) (?:is required(?:: it must be one of .+)?|is not a known field|must (?:not )?(?:be|have|begin) .+)\.(?: The (?:only )?fields? of [\w.[\]]+ (?:are|is) [\w, ]+\.)?$/;
/** Words of the messages of the library, and of regular expressions. */
const UNCLEAR =
  /constraint|conform|elements|nested property|each value in|integer number|[\^\\]|\(\?|undefined|null$/;

const findFault = ({ param, message }: FieldError): string | null => {
  const [, named] = CLEAR.exec(message) ?? [];
  return named === param && !UNCLEAR.test(message) ? null : `${param}: ${message}`;
};

describe('the messages of the rules of all bodies and query parameters', () => {
  const classes = [...validationMetadatas.keys()];

  it('are all written in this repository: none is the default of the library', () => {
    const rules = classes.flatMap((fields) =>
      [...rulesOf(fields).values()].flat().map((rule) => ({ fields, rule })),
    );
    const silent = rules
      .filter(({ rule }) => typeof readMessage(rule) !== 'string')
      .map(({ fields, rule: { name, type, propertyName } }) => {
        return `${fields.name}.${propertyName}: ${name ?? type}`;
      });
    expect(silent).toEqual([]);
    expect(classes.length).toBeGreaterThan(50);
    expect(rules.length).toBeGreaterThan(500);
  });

  it('name the field, and say in plain words what it must be', async () => {
    const unclear = new Set<string>();
    const unseen: string[] = [];
    let seen = 0;
    for (const fields of classes) {
      for (const [name, rules] of rulesOf(fields)) {
        const tries = WRONG_VALUES.map((value) => errorsOf(fields, name, value));
        const errors = (await Promise.all(tries)).flat();
        for (const error of errors) {
          const fault = findFault(error);
          if (fault !== null) unclear.add(`${fields.name} ${fault}`);
        }
        seen += errors.length;
        const messages = new Set(errors.map(({ message }) => message));
        for (const rule of rules) {
          const shown = `${String(readMessage(rule)).replace('$property', name)}.`;
          if (!messages.has(shown)) unseen.push(`${fields.name}: ${shown}`);
        }
      }
    }
    expect([...unclear]).toEqual([]);
    expect(unseen).toEqual([]);
    expect(seen).toBeGreaterThan(5_000);
  });

  it('are refused if they are a default of the library', () => {
    const [param, code] = ['percent', 'parameter_invalid'] as const;
    const unclear = [
      'percent must be a number conforming to the specified constraints.',
      "All percent's elements must be unique.",
      'percent must match /^[a-z]$/ regular expression.',
      'each value in percent must be a string.',
      'amount must be a whole number from 1 to 3.',
    ];
    for (const message of unclear) expect(findFault({ param, code, message })).not.toBeNull();
    const clear = 'percent must be a number from 0.0001 to 100.';
    expect(findFault({ param, code, message: clear })).toBeNull();
  });
});
