import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ANY_TEXT, removeWrongValues, WRONG_VALUES } from '../../test/support/wrong-values';
import { ConfigError, loadConfig } from './config';
import type { Env } from './environment-reader';

const README = readFileSync(join(__dirname, '../../README.md'), 'utf8');

const findProblems = (env: Env): readonly string[] => {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

/** Returns the names of all variables that the configuration reads. */
const listReadVariables = (): string[] => {
  const asked = new Set<string>();
  const given: Env = new Proxy(
    {},
    {
      get: (_, name) => {
        asked.add(String(name));
        return undefined;
      },
    },
  );
  loadConfig(given);
  return [...asked];
};

/** Returns the names in the table of the README's section "Configuration". */
const listDocumentedVariables = (): string[] => {
  const [, section = ''] = /\n## Configuration\n([^]*?)\n## /.exec(README) ?? [];
  const firstColumns = [...section.matchAll(/^\|([^|]*)\|/gm)].map(([, column = '']) => column);
  return firstColumns.flatMap((column) => column.match(/[A-Z][A-Z_]+[A-Z]/g) ?? []);
};

describe('a wrong value', () => {
  afterAll(removeWrongValues);

  it('has an example for every variable that is read or documented', () => {
    const known = [...Object.keys(WRONG_VALUES), ...ANY_TEXT];
    const documented = listDocumentedVariables();
    expect(documented.length).toBeGreaterThan(40);
    expect(
      [...new Set([...listReadVariables(), ...documented])].filter((name) => !known.includes(name)),
    ).toEqual([]);
  });

  it('has no example for a variable that nobody reads', () => {
    const read = [...listReadVariables(), 'OTEL_SERVICE_NAME'];
    const shown = [...Object.keys(WRONG_VALUES), ...ANY_TEXT];
    expect(shown.filter((name) => !read.includes(name))).toEqual([]);
  });

  const cases = Object.entries(WRONG_VALUES).flatMap(([name, wrong]) =>
    wrong.map(({ value, says, beside = {} }) => ({ name, value, says, beside })),
  );

  it.each(cases)(
    'of $name is refused with one sentence: $value',
    ({ name, value, says, beside }) => {
      expect(findProblems({ ...beside, [name]: value })).toEqual([`${name} ${says}`]);
    },
  );

  it.each([
    [{ TLS_CERT: '/x' }, 'TLS_KEY is required when TLS_CERT is set'],
    [{ TLS_KEY: '/x' }, 'TLS_CERT is required when TLS_KEY is set'],
  ])('is also a variable without the one that belongs to it: %j', (env, sentence) => {
    expect(findProblems(env)).toEqual([sentence]);
  });
});
