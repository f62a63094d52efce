import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..');
const CONFIG = join(ROOT, '.dependency-cruiser.cjs');

interface Violation {
  readonly rule: { readonly name: string };
  readonly from: string;
  readonly to: string;
}

const cruise = (cwd: string, folders: readonly string[]): Violation[] => {
  const binary = join(ROOT, 'node_modules/.bin/depcruise');
  const args = ['--config', CONFIG, '--output-type', 'json', ...folders];
  const output = execFileSync(binary, args, { cwd, maxBuffer: 1 << 28 }).toString();
  return (JSON.parse(output) as { summary: { violations: Violation[] } }).summary.violations;
};

/** For each rule a file that breaks it: a rule that cannot turn red proves nothing. */
const BREAKS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'no-cycles': {
    'src/ops/a.ts': "import './b';",
    'src/ops/b.ts': "import './a';",
  },
  'deciders-are-pure': { 'src/features/x/x.decider.ts': "import 'node:crypto';" },
  'kernel-stands-alone': { 'src/kernel/k.ts': "import '../ops/log';" },
  'slices-meet-in-facts': {
    'src/features/x/x.commands.ts': "import '../y/y.commands';",
    'src/features/y/y.commands.ts': 'export {};',
  },
  'machinery-knows-no-feature': { 'src/http/h.ts': "import '../features/y/y.commands';" },
  'one-door-to-the-store': { 'src/delivery/d.ts': "import '@eventstore/db-client';" },
  'embedded-store-uses-messages-only': {
    'src/embedded-store/server.ts': "import '@eventstore/db-client';",
  },
  'embedded-store-is-separate': { 'src/embedded-store/log.ts': "import '../ops/log';" },
  'only-main-embeds': { 'src/ops/o.ts': "import '../embedded-sql/start';" },
  'embedded-store-by-its-start-function': {
    'src/application.ts': "import './embedded-store/server';",
  },
  'http-leaves-by-sender': { 'src/ops/p.ts': "import 'axios';" },
  'no-orphans': { 'src/ops/orphan.ts': 'export {};' },
  'declared-dependencies-only': { 'src/ops/q.ts': "import 'jest';" },
};

const SUPPORTING = { 'src/ops/log.ts': 'export {};', 'src/embedded-sql/start.ts': 'export {};' };

describe('import directions', () => {
  it('hold everywhere', () => {
    const found = cruise(ROOT, ['src', 'test']);
    expect(found.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual([]);
  });

  it('are each enforced', () => {
    const broken = mkdtempSync(join(tmpdir(), 'tidy-'));
    try {
      for (const name of ['node_modules', 'tsconfig.json', 'package.json']) {
        symlinkSync(join(ROOT, name), join(broken, name));
      }
      for (const files of [SUPPORTING, ...Object.values(BREAKS)]) {
        for (const [file, content] of Object.entries(files)) {
          mkdirSync(dirname(join(broken, file)), { recursive: true });
          writeFileSync(join(broken, file), content);
        }
      }
      const turned = new Set(cruise(broken, ['src']).map(({ rule }) => rule.name));
      const { forbidden } = jest.requireActual<{ forbidden: { name: string }[] }>(CONFIG);
      expect([...turned].sort()).toEqual(forbidden.map(({ name }) => name).sort());
    } finally {
      rmSync(broken, { recursive: true });
    }
  });
});

/** Schemas the document has besides those of requests and answers. */
const ERROR_SCHEMAS = ['Error', 'Problem'];

describe('names of schemas', () => {
  it('stand for one class or answer each: of two, the document would keep the last', () => {
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .map((file) => readFileSync(join(ROOT, 'src', file), 'utf8'));
    const requests = sources
      .filter((source) => /from '[./\w]*\/fields'/.test(source))
      .flatMap((source) => matches(source, /^(?:export )?class (\w+)/gm));
    const answers = sources.flatMap((source) => matches(source, /\btitle: '(\w+)'/g));
    expect([requests.length > 50, answers.length > 30]).toEqual([true, true]);
    const names = [...ERROR_SCHEMAS, ...requests, ...answers];
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });
});

const matches = (source: string, pattern: RegExp): string[] =>
  [...source.matchAll(pattern)].map(([, name]) => name ?? '');
