import 'reflect-metadata';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import type { Node } from '../../src/http/reference/openapi-node';
import { createPageDocument } from '../../src/http/reference/page-document';
import { createDocument } from '../../src/wiring/reference-document';

const ROOT = join(__dirname, '../..');
const GENERATED = join(ROOT, 'packages/sdk/src/generated');

interface Operation {
  readonly operationId: string;
  readonly 'x-codeSamples': readonly { readonly source: string }[];
}

const PREPARATION = `import { Service } from '@subscription-event-service/sdk';
declare const service: Service;`;

/** Compiles a program against the sources of the SDK, without writing it to a file. */
const findTypeErrors = (program: string): string[] => {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
    strict: true,
    noEmit: true,
    paths: { '@subscription-event-service/sdk': [join(ROOT, 'packages/sdk/src/index.ts')] },
  };
  const name = join(ROOT, 'samples.ts');
  const host = ts.createCompilerHost(options);
  const readFile = host.getSourceFile.bind(host);
  host.getSourceFile = (file, ...others) =>
    file === name
      ? ts.createSourceFile(name, program, ts.ScriptTarget.ES2022)
      : readFile(file, ...others);
  const compiled = ts.createProgram([name], options, host);
  return compiled
    .getSemanticDiagnostics(compiled.getSourceFile(name))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
};

describe('the SDK', () => {
  it('is equal to the output of its generator', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sdk-'));
    const generate = ['-r', '@swc-node/register', 'scripts/generate-sdk.ts', folder];
    execFileSync(process.execPath, generate, { cwd: ROOT });
    for (const name of ['schema.ts', 'operations.ts', 'routes.ts']) {
      const committed = readFileSync(join(GENERATED, name), 'utf8');
      // `npm run sdk:generate` writes the files again.
      expect([name, readFileSync(join(folder, name), 'utf8') === committed]).toEqual([name, true]);
    }
  });

  it('has the calls that the reference shows beside every operation of tenants', async () => {
    const page = createPageDocument((await createDocument()) as unknown as Node);
    const paths = page['paths'] as Record<string, Record<string, Operation>>;
    const operations = Object.entries(paths)
      .filter(([path]) => path.startsWith('/v1/'))
      .flatMap(([, methods]) => Object.values(methods));
    expect(operations.length).toBeGreaterThan(90);
    const functions = operations.map(({ operationId, 'x-codeSamples': [sample] }) => {
      expect(sample?.source).toContain(`service.${operationId}(`);
      const [, call = ''] = sample?.source.split('apiKey });\n') ?? [];
      return `async () => {\n${call}\n};`;
    });
    expect(findTypeErrors(`${PREPARATION}\n${functions.join('\n')}`)).toEqual([]);
    expect(findTypeErrors(`${PREPARATION}\nawait service.plans.fetch('pro');`)).not.toEqual([]);
  });

  it('has a method for every operation of tenants and a type for every event', async () => {
    const { ROUTES } = jest.requireActual<{ ROUTES: Record<string, Record<string, string>> }>(
      join(GENERATED, 'routes.ts'),
    );
    const routes = Object.values(ROUTES).flatMap((group) =>
      Object.values(group).map((route) => route.split(' ', 2).join(' ')),
    );
    expect(routes.length).toBeGreaterThan(90);
    expect(new Set(routes).size).toBe(routes.length);
    const events = readFileSync(join(GENERATED, 'schema.ts'), 'utf8');
    const { deliverableEvents } = await Promise.resolve(
      jest.requireActual<{ deliverableEvents: object }>(
        join(ROOT, 'src/domain/subscriber-stream/subscriber.aggregate.ts'),
      ),
    );
    for (const type of Object.keys(deliverableEvents)) expect(events).toContain(`'${type}':`);
  });
});
