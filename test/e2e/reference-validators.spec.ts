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

  it('is refused by both validators when its version is missing', () => {
    const broken = { openapi: '3.1.0', info: { title: 'Without a version' }, paths: {} };
    const { readme, seriousme } = judge(broken);
    expect(readme).not.toEqual([]);
    expect(seriousme).not.toEqual([]);
  });
});
