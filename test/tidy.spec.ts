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

interface Cruised {
  readonly summary: { readonly violations: readonly Violation[] };
  readonly modules: readonly {
    readonly source: string;
    readonly dependencies: readonly { readonly resolved: string }[];
  }[];
}

const checkImports = (cwd: string, folders: readonly string[]): Cruised => {
  const binary = join(ROOT, 'node_modules/.bin/depcruise');
  const args = ['--config', CONFIG, '--output-type', 'json', ...folders];
  const output = execFileSync(binary, args, { cwd, maxBuffer: 1 << 28 }).toString();
  return JSON.parse(output) as Cruised;
};

/** Groups of folders of `src` that import each other in a circle; specs do not count. */
const findFolderCircles = ({ modules }: Cruised): string[][] => {
  const isCode = (file: string) => /^src\/.*\/.*\.ts$/.test(file) && !file.endsWith('.spec.ts');
  const imports = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules.filter((each) => isCode(each.source))) {
    const from = dirname(source);
    const to = imports.get(from) ?? new Set();
    imports.set(from, to);
    for (const { resolved } of dependencies) if (isCode(resolved)) to.add(dirname(resolved));
    to.delete(from);
  }
  const reach = (start: string): Set<string> => {
    const seen = new Set<string>();
    const waiting = [start];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      for (const next of imports.get(at) ?? []) {
        if (!seen.has(next)) waiting.push(next);
        seen.add(next);
      }
    }
    return seen;
  };
  const reached = new Map([...imports.keys()].map((folder) => [folder, reach(folder)]));
  const circles = [...imports.keys()].map((folder) =>
    [...(reached.get(folder) ?? [])].filter((other) => reached.get(other)?.has(folder)).sort(),
  );
  const found = circles.filter(({ length }) => length > 0).map((circle) => circle.join(' '));
  return [...new Set(found)].map((circle) => circle.split(' ')).sort();
};

/** For each rule a file that breaks it: a rule that cannot turn red proves nothing. */
const BREAKS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'no-cycles': {
    'src/ops/a.ts': "import './b';",
    'src/ops/b.ts': "import './a';",
  },
  'domain-is-pure': { 'src/domain/x/x.ts': "import 'node:crypto';" },
  'kernel-stands-alone': { 'src/kernel/k.ts': "import '../ops/log';" },
  'ops-stands-on-the-kernel': { 'src/ops/c.ts': "import '../config/config';" },
  'feature-imports-no-feature': {
    'src/features/x/x.commands.ts': "import '../y/y.commands';",
    'src/features/y/y.commands.ts': 'export {};',
  },
  'feature-imports-no-wiring': { 'src/features/z/z.commands.ts': "import '../../wiring/w';" },
  'service-imports-no-feature': {
    'src/services/s/s.ts': "import '../../features/y/y.commands';",
  },
  'machinery-knows-no-feature': { 'src/http/h.ts': "import '../features/y/y.commands';" },
  'one-door-to-the-store': { 'src/delivery/d.ts': "import '@eventstore/db-client';" },
  'embedded-store-uses-messages-only': {
    'packages/embedded-eventstore/src/server.ts': "import '@eventstore/db-client';",
  },
  'package-stands-alone': {
    'packages/embedded-eventstore/src/log.ts': "import '../../../src/ops/log';",
  },
  'package-by-its-entry': {
    'src/wiring/application.ts': "import '../../packages/embedded-eventstore/src/server';",
  },
  'only-wiring-embeds': { 'src/ops/o.ts': "import '../embedded-sql/start';" },
  'http-leaves-by-sender': { 'src/ops/p.ts': "import 'axios';" },
  'no-orphans': { 'src/ops/orphan.ts': 'export {};' },
  'declared-dependencies-only': { 'src/ops/q.ts': "import 'jest';" },
};

const SUPPORTING = {
  'src/ops/log.ts': 'export {};',
  'src/config/config.ts': 'export {};',
  'src/wiring/w.ts': 'export {};',
  'src/circle/one/a.ts': "import '../two/a';",
  'src/circle/one/b.ts': 'export {};',
  'src/circle/two/a.ts': 'export {};',
  'src/circle/two/b.ts': "import '../one/b';",
  'src/embedded-sql/start.ts': 'export {};',
};

describe('import directions', () => {
  let found: Cruised;

  beforeAll(() => {
    found = checkImports(ROOT, ['src', 'test', 'packages']);
  });

  it('hold everywhere', () => {
    expect(
      found.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
    ).toEqual([]);
  });

  it('leave no circle of folders', () => {
    expect(findFolderCircles(found)).toEqual([]);
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
      const cruised = checkImports(broken, ['src', 'packages']);
      expect(findFolderCircles(cruised)).toContainEqual(['src/circle/one', 'src/circle/two']);
      const turned = new Set(cruised.summary.violations.map(({ rule }) => rule.name));
      const { forbidden } = jest.requireActual<{ forbidden: { name: string }[] }>(CONFIG);
      expect([...turned].sort()).toEqual(forbidden.map(({ name }) => name).sort());
    } finally {
      rmSync(broken, { recursive: true });
    }
  });
});

const SHARED_LINES_MAX = 11;

/** The code of the service, its packages and scripts, except specs and generated files. */
const listCodeFiles = (): string[] =>
  ['src', 'packages', 'scripts'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, file))
      .filter((file) => /\.(?:ts|tsx|mjs|cjs|css)$/.test(file))
      .filter((file) => !/node_modules|\/dist\/|\/generated\/|\.spec\.tsx?$/.test(file)),
  );

/** Returns the places, as `file:line`, that have the same lines as an earlier place. */
const findRepeatedPlaces = (
  files: ReadonlyMap<string, readonly string[]>,
  length: number,
): string[] => {
  const seen = new Map<string, string>();
  const found: string[] = [];
  for (const [file, lines] of files) {
    for (let start = 0; start + length <= lines.length; start += 1) {
      const run = lines.slice(start, start + length).join('\n');
      const place = `${file}:${start + 1}`;
      const earlier = seen.get(run);
      if (earlier === undefined) seen.set(run, place);
      else found.push(`${place} = ${earlier}`);
    }
  }
  return found;
};

describe('lines of code', () => {
  const read = (): Map<string, string[]> =>
    new Map(
      listCodeFiles().map((file) => [
        file,
        readFileSync(join(ROOT, file), 'utf8')
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== '' && !/^import |^\} from /.test(line)),
      ]),
    );

  it('are not the same in two places, twelve or more in a row', () => {
    const files = read();
    expect(files.size).toBeGreaterThan(500);
    expect(findRepeatedPlaces(files, SHARED_LINES_MAX + 1)).toEqual([]);
  });

  it('that are repeated are found', () => {
    const lines = Array.from({ length: 12 }, (_, i) => `step(${i});`);
    const files = new Map([
      ['a.ts', ['begin();', ...lines]],
      ['b.ts', [...lines, 'end();']],
    ]);
    expect(findRepeatedPlaces(files, 12)).toEqual(['b.ts:1 = a.ts:2']);
    expect(findRepeatedPlaces(files, 13)).toEqual([]);
  });
});

/** Schemas the document has besides those of requests and answers. */
const ERROR_SCHEMAS = ['Error', 'Problem'];

describe('names of schemas', () => {
  it('belong to one class or answer each, because the document would keep only the last of two', () => {
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .map((file) => readFileSync(join(ROOT, 'src', file), 'utf8'));
    const requests = sources
      .filter((source) => /from '[./\w]*\/fields'/.test(source))
      .flatMap((source) => findMatches(source, /^(?:export )?class (\w+)/gm));
    const answers = sources.flatMap((source) => findMatches(source, /\btitle: '(\w+)'/g));
    expect([requests.length > 50, answers.length > 30]).toEqual([true, true]);
    const names = [...ERROR_SCHEMAS, ...requests, ...answers];
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });
});

describe('the installed packages', () => {
  it('contain none that reports its installation', () => {
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, unknown>;
    };
    const names = Object.keys(lock.packages);
    expect(names.length).toBeGreaterThan(100);
    expect(names.filter((name) => name.includes('@scarf/'))).toEqual([]);
  });
});

const findMatches = (source: string, pattern: RegExp): string[] =>
  [...source.matchAll(pattern)].map(([, name]) => name ?? '');
