import fc from 'fast-check';

type Json = Record<string, unknown>;

/** Values of every type, and at the limits of any field. */
const WRONG: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e15,
  '',
  ' ',
  'nonsense',
  'usd',
  '2026-01-01',
  'x'.repeat(3_000),
  'a\u0000b',
  'a\ud800b',
  'line\nbreak',
  [],
  [''],
  [null],
  ['a', 'a'],
  Array(300).fill('a'),
  {},
  { a: 1 },
  { '': 'x' },
];

type Corrupt = (value: unknown) => unknown;

/** Generates changes of one place of a value. Its schema decides whether the result is invalid. */
export const corrupted: fc.Arbitrary<Corrupt> = fc
  .record({
    path: fc.array(fc.nat({ max: 1_000 }), { minLength: 1, maxLength: 4 }),
    wrong: fc.constantFrom(...WRONG),
    how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add'),
  })
  .map(
    ({ path, wrong, how }): Corrupt =>
      (value) =>
        changeOneField(value, path, (inner) => {
          if (how === 'add') return isObject(inner) ? { ...inner, unknown_field: wrong } : wrong;
          if (how === 'remove')
            return isObject(inner) ? removeOneField(inner, path[0] ?? 0) : wrong;
          return wrong;
        }),
  );

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const removeOneField = (value: Json, at: number): Json => {
  const entries = Object.entries(value);
  if (entries.length > 0) entries.splice(at % entries.length, 1);
  return Object.fromEntries(entries);
};

/** Descends as far as the path and the value reach. */
const changeOneField = (
  value: unknown,
  [at, ...rest]: readonly number[],
  change: (inner: unknown) => unknown,
): unknown => {
  const size = isObject(value)
    ? Object.keys(value).length
    : Array.isArray(value)
      ? value.length
      : 0;
  if (at === undefined || size === 0) return change(value);
  if (Array.isArray(value))
    return value.map((item, index): unknown =>
      index === at % size ? changeOneField(item, rest, change) : item,
    );
  return Object.fromEntries(
    Object.entries(value as Json).map(([key, item], index) => [
      key,
      index === at % size ? changeOneField(item, rest, change) : item,
    ]),
  );
};
