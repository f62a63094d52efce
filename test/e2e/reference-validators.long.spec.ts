import 'reflect-metadata';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { createDocument } from '../../src/wiring/reference-document';

const PROGRAM = join(__dirname, '../support/validate-openapi.mjs');
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
/**
 * The limit of lines of generated types. A generator that made a type of every error of every
 * operation produced 169,202 lines.
 */
const TYPE_LINES_MAX = 25_000;

interface Judgement {
  readonly readme: readonly unknown[];
  readonly seriousme: readonly unknown[];
  readonly lines: number;
}

type Node = Record<string, unknown>;

/** Returns the values of a keyword anywhere in a part of the document, without its examples. */
const findAll = (part: unknown, keyword: string): unknown[] => {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part as Node).flatMap(([key, value]): unknown[] => {
    const isFound = key === keyword && (keyword !== 'enum' || Array.isArray(value));
    const inside = /^examples?$/.test(key) ? [] : findAll(value, keyword);
    return isFound ? [value, ...inside] : inside;
  });
};

describe('the OpenAPI document', () => {
  const judge = (document: object): Judgement =>
    JSON.parse(
      execFileSync(process.execPath, [PROGRAM], {
        input: JSON.stringify(document),
        encoding: 'utf8',
        maxBuffer: OUTPUT_BYTES_MAX,
      }),
    ) as Judgement;

  it('is valid for two independent validators, and types generated from it are short', async () => {
    const document = await createDocument();
    const { readme, seriousme, lines } = judge(document);
    expect({ readme, seriousme }).toEqual({ readme: [], seriousme: [] });
    expect(lines).toBeLessThan(TYPE_LINES_MAX);
  });

  it('is one that generators for other languages read: each list of words is named once, without null', async () => {
    const { components, paths } = await createDocument();
    const { schemas, parameters } = components as Record<'schemas' | 'parameters', Node>;
    const counts = new Map<string, number>();
    for (const words of findAll({ components, paths }, 'enum') as unknown[][]) {
      expect(words).not.toContain(null);
      const key = JSON.stringify([...words].sort());
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > 1)).toEqual([]);
    expect(counts.size).toBeGreaterThan(50);
    // Generated Go code has one namespace for schemas and parameters.
    expect(Object.keys(parameters).filter((name) => name in schemas)).toEqual([]);
  });

  it('has no Unicode property in a pattern, which engines of other languages do not know', async () => {
    const patterns = findAll(await createDocument(), 'pattern').filter(
      (each) => typeof each === 'string',
    );
    expect(patterns.length).toBeGreaterThan(20);
    expect(patterns.filter((each) => /\\p\{/i.test(each))).toEqual([]);
  });

  it('names the configured public address as its server, also in the commands of its chapters', async () => {
    const { servers, info } = await createDocument({ PUBLIC_URL: 'https://events.example.com/' });
    expect(servers).toEqual([{ url: 'https://events.example.com', description: 'This server' }]);
    expect(info.description).toContain('export URL=https://events.example.com/v1\n');
  });

  it('is refused by both validators when its version is missing', () => {
    const broken = { openapi: '3.1.0', info: { title: 'Without a version' }, paths: {} };
    const { readme, seriousme } = judge(broken);
    expect(readme).not.toEqual([]);
    expect(seriousme).not.toEqual([]);
  });
});
