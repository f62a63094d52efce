import type { Command } from 'commander';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInThisContext } from 'node:vm';
import { Service } from '../../packages/sdk/src/index';
import { buildProgram } from '../../src/cli/program';
import { Receiver } from '../support/receiver';
import { RunningService, type TestTenant } from '../support/service';

const ROOT = join(__dirname, '../..');
const execute = promisify(execFile);
const CHAPTERS = 'src/http/reference/chapters.md';
const hasPython = spawnSync('python3', ['--version']).error === undefined;
const hasCurl = spawnSync('curl', ['--version']).error === undefined;

const listPages = (): string[] => [
  'README.md',
  'CONTRIBUTING.md',
  CHAPTERS,
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...readdirSync(join(ROOT, 'packages'))
    .map((name) => `packages/${name}/README.md`)
    .filter((path) => existsSync(join(ROOT, path))),
];

/** Returns the code blocks of a page in one language. */
const listBlocks = (path: string, language: string): string[] =>
  [
    ...readFileSync(join(ROOT, path), 'utf8').matchAll(
      new RegExp(`^ *\`\`\`${language}\\n([^]*?)^ *\`\`\`$`, 'gm'),
    ),
  ].map(([, code]) => code ?? '');

const findBlockWith = (blocks: readonly string[], text: string): string => {
  const found = blocks.find((block) => block.includes(text));
  if (found === undefined) throw new Error(`no block has ${text}`);
  return found;
};

const CALL = /(?:npm run (?:-s )?cli -- |subscription-events )([^#\n)&|>]+)/g;

const SHELL = 'sh|bash|console|shell|zsh';

/** Returns what Bash says against the syntax of a block, which is not run; null if it is valid. */
const findSyntaxFault = (block: string): string | null => {
  const { status, stderr } = spawnSync('bash', ['-n'], { input: block, encoding: 'utf8' });
  return status === 0 ? null : stderr;
};

/** Returns the addresses with a query that are not in quotes: zsh takes `?` as a pattern of file names. */
const listUnquotedQueries = (block: string): string[] => [
  ...(block.replaceAll(/'[^']*'|"(?:[^"\\]|\\.)*"/g, '""').match(/\S*\/\S*[?&]\w+=\S*/g) ?? []),
];

/** The call of a script of `package.json`, with the package that `-w` names. */
const SCRIPT = /npm run (?:-s )?([\w:-]+)(?: -w (packages\/[\w-]+))?/g;

const readScripts = (folder: string): object =>
  (
    JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as {
      readonly scripts: object;
    }
  ).scripts;

/** Returns the scripts that a text calls and no package has. */
const listMissingScripts = (text: string): string[] =>
  [...text.matchAll(SCRIPT)]
    .filter(([, script = '', folder = '.']) => !(script in readScripts(folder)))
    .map(([call]) => call);

/** Joins the lines of a command that a shell joins, too. */
const joinLines = (text: string): string => text.replaceAll(/ \\\n */g, ' ');

/** Splits a command line into words as a shell does, for the quotes that the pages use. */
const splitWords = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );

/** The commands that a group runs where none is named. */
const DEFAULTS: Readonly<Record<string, string>> = {
  deliveries: 'show',
  subscribers: 'list',
  replay: 'create',
};

/** Finds the command that the words call, and the words that are left: its arguments and options. */
const findCommand = (program: Command, words: readonly string[]) => {
  let command = program;
  let left = words.filter((word) => word !== '--json');
  for (;;) {
    const named = command.commands.find((each) => each.name() === left[0]);
    const next = named ?? command.commands.find((each) => each.name() === DEFAULTS[command.name()]);
    if (next === undefined) return { command, left };
    if (named !== undefined) left = left.slice(1);
    command = next;
  }
};

/** Returns what is wrong with a command line; null if the command has these words and options. */
const findFault = (program: Command, words: readonly string[]): string | null => {
  const { command, left } = findCommand(program, words);
  const options = [...command.options, ...program.options];
  const names = ['--help', ...options.flatMap(({ long, short }) => [long, short])];
  const unknown = left.find((word) => word.startsWith('-') && !names.includes(word));
  if (unknown !== undefined) return `${command.name()} has no option ${unknown}`;
  const isGroup = command.commands.length > 0 && command.registeredArguments.length === 0;
  const plain = left.find((word) => !word.startsWith('-'));
  return isGroup && plain !== undefined ? `there is no command ${plain}` : null;
};

describe('the pages of the documentation', () => {
  it('have blocks for the shell that Bash can parse', () => {
    const blocks = listPages().flatMap((page) =>
      listBlocks(page, `(?:${SHELL})`).map((block) => ({ page, block })),
    );
    const wrong = blocks.flatMap(({ page, block }) => {
      const fault = findSyntaxFault(block);
      return fault === null ? [] : [`${page}: ${fault}`];
    });
    expect(wrong).toEqual([]);
    expect(blocks.length).toBeGreaterThan(25);
    expect(findSyntaxFault('show <tenant> <destination>\n')).toContain('syntax error');
  });

  it('put addresses with a query into quotes', () => {
    const wrong = listPages().flatMap((page) =>
      listBlocks(page, `(?:${SHELL})`)
        .flatMap(listUnquotedQueries)
        .map((word) => `${page}: ${word}`),
    );
    expect(wrong).toEqual([]);
    expect(listUnquotedQueries(`curl $URL/plans?limit=1 -H 'a' "$URL/plans?limit=2"`)).toEqual([
      '$URL/plans?limit=1',
    ]);
  });

  it('call scripts that exist', () => {
    const wrong = listPages().flatMap((page) =>
      listMissingScripts(readFileSync(join(ROOT, page), 'utf8')).map((call) => `${page}: ${call}`),
    );
    expect(wrong).toEqual([]);
    expect(listMissingScripts('npm run invented; npm run check -w packages/console')).toEqual([
      'npm run invented',
    ]);
  });

  it('name commands and options that exist', () => {
    const program = buildProgram();
    const found = listPages().flatMap((page) =>
      [...readFileSync(join(ROOT, page), 'utf8').matchAll(CALL)].map(([, line = '']) => ({
        page,
        line: line.replace(/`.*/, '').trim(),
      })),
    );
    const wrong = found.flatMap(({ page, line }) => {
      const fault = findFault(program, splitWords(line));
      return fault === null ? [] : [`${page}: ${line}: ${fault}`];
    });
    expect(wrong).toEqual([]);
    expect(found.length).toBeGreaterThan(40);
    expect(findFault(program, ['tenant', 'invent'])).toBe('there is no command invent');
    expect(findFault(program, ['rebuild', '--invented'])).toBe('rebuild has no option --invented');
  });
});

describe('the help of the command line', () => {
  interface Described {
    readonly path: string;
    readonly command: Command;
    readonly help: string;
  }

  const readHelp = (command: Command): string => {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => 80 });
    command.outputHelp();
    return help;
  };

  const listAll = (command: Command, path: readonly string[] = []): Described[] => [
    { path: path.join(' '), command, help: readHelp(command) },
    ...command.commands.flatMap((each) => listAll(each, [...path, each.name()])),
  ];

  const program = buildProgram();
  const all = listAll(program);
  /** The commands that do something. A group of commands only lists them. */
  const leaves = all.filter(({ command }) => command.commands.length === 0);

  it('has no line that is longer than a terminal of 80 columns', () => {
    const long = all.flatMap(({ path, help }) =>
      help.split('\n').flatMap((line) => (line.length > 80 ? [`${path}: ${line}`] : [])),
    );
    expect(long).toEqual([]);
  });

  it('has one example for each command, which calls it with options that it has', () => {
    const found = leaves.map(({ path, command, help }) => {
      const [, example = ''] = /\nExample:\n {2}npm run cli -- (.+)\n$/.exec(joinLines(help)) ?? [];
      const words = splitWords(example.replace(/ > .*/, ''));
      const isCalled =
        words[0] === path.split(' ')[0] && findCommand(program, words).command === command;
      return { path, isCalled, fault: findFault(program, words) };
    });
    expect(found.filter(({ isCalled, fault }) => !isCalled || fault !== null)).toEqual([]);
    expect(found.length).toBeGreaterThan(50);
  });

  it('describes each argument and option, and names the options of all commands', () => {
    const silent = leaves.flatMap(({ path, command, help }) => [
      ...command.registeredArguments
        .filter(({ description }) => description === '')
        .map((argument) => `${path} <${argument.name()}>`),
      ...command.options
        .filter(({ description }) => description === '')
        .map(({ flags }) => `${path} ${flags}`),
      ...(help.includes('--service <url>') ? [] : [path]),
    ]);
    expect(silent).toEqual([]);
  });
});

describe('the examples of the documentation', () => {
  let service: RunningService;
  let tenant: TestTenant;
  let receiver: Receiver;
  let destination: { id: string; signing_secret: string };

  beforeAll(async () => {
    service = await RunningService.shared();
    tenant = await service.tenant();
    receiver = await Receiver.start();
    const webhook = { type: 'https_webhook', url: receiver.url };
    const made = await tenant.api.post('/v1/destinations', webhook);
    destination = made.created as typeof destination;
  });

  afterAll(() => receiver.close());

  /** Runs a block with the address, the key and the ids of this service. */
  const runBlock = async (block: string, ids: Readonly<Record<string, string>>) => {
    const real = Object.entries({
      ...ids,
      'http://127.0.0.1:3000': service.url,
      '{{address}}': service.url,
      'rk_test_…': tenant.key,
      'https://example.com/webhooks': receiver.url,
    }).reduce((text, [shown, own]) => text.replaceAll(shown, own), block);
    const script = `set -e\n${real.replaceAll('curl ', 'curl --silent --show-error --fail-with-body ')}`;
    const { stdout } = await execute('bash', ['-c', script], {
      env: { ...process.env, KEY: tenant.key },
    });
    return stdout;
  };

  it('advance a test clock by a year, as the chapter says', async () => {
    const client = new Service({ baseUrl: service.url, apiKey: tenant.key });
    const plan = { name: 'Pro', amount: 2000, currency: 'USD', interval: 'month' } as const;
    await client.plans.save('pro', plan);
    const block = findBlockWith(listBlocks(CHAPTERS, 'ts'), 'testClocks.advance');
    const run = runInThisContext(`(async (service) => {${block}; return clock; })`) as (
      client: Service,
    ) => Promise<unknown>;
    expect(await run(client)).toMatchObject({
      status: 'ready',
      frozen_time: '2027-01-01T00:00:00.000Z',
    });
  }, 60_000);

  const withCurl = hasCurl ? it : it.skip;

  withCurl('run as the quick start of the reference has them', async () => {
    const block = findBlockWith(listBlocks(CHAPTERS, 'sh'), '$URL/subscriptions');
    const id = String(
      (await tenant.api.post('/v1/subscribers', { email: 'a@example.com' })).created['id'],
    );
    const printed = await runBlock(block, { 'subscriber_…': id });
    expect(printed).toContain('"signing_secret":"whsec_');
    expect(printed).toContain('"status":"active"');
  });

  withCurl('run as the quick start has them', async () => {
    const block = findBlockWith(listBlocks('docs/quick-start.md', 'sh'), '$URL/plans/basic');
    expect(await runBlock(block, {})).toContain('"email":"grace@example.com"');
  });

  withCurl('request a replay as the README has it', async () => {
    const block = findBlockWith(listBlocks('README.md', 'sh'), '/v1/replay');
    const formatMonth = (count: number): string => {
      const now = new Date();
      return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count)).toISOString();
    };
    const calls = block.slice(block.indexOf('curl'));
    const printed = await runBlock(calls, {
      'dest_…': destination.id,
      '2026-10-01T00:00:00Z': formatMonth(-1),
      '2026-11-01T00:00:00Z': formatMonth(0),
    });
    expect(JSON.parse(printed)).toMatchObject({ dry_run: true, destination_id: destination.id });
  });

  const withPython = hasPython ? it : it.skip;

  withPython('make the first call as the quick start has it in Python', async () => {
    const program = findBlockWith(listBlocks('docs/quick-start.md', 'python'), '/subscribers');
    const run = async (key: string): Promise<string> => {
      const env = { ...process.env, KEY: key, URL: `${service.url}/v1` };
      return (await execute('python3', ['-c', program], { env })).stdout;
    };
    const [created, again] = [await run(tenant.key), await run(tenant.key)];
    expect(created).toMatch(/^created subscriber_\w+\n$/);
    expect(again).toBe(created);
    expect(await run('rk_test_wrong')).toMatch(/^401 \S/);
  });

  it('verify a webhook as the README has it', async () => {
    const block = findBlockWith(listBlocks('README.md', 'js'), 'standardwebhooks');
    await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' });
    const { body, headers } = await receiver.next('subscriber.created');
    const given = [
      `const signingSecret = ${JSON.stringify(destination.signing_secret)};`,
      `const rawBody = ${JSON.stringify(body)};`,
      `const headers = ${JSON.stringify(headers)};`,
    ];
    const program = [block.split('\n')[0], ...given, ...block.split('\n').slice(1)].join('\n');
    const args = ['--input-type=module', '-e', `${program}\nconsole.log(event.type);`];
    const { stdout } = await execute(process.execPath, args, { cwd: ROOT });
    expect(stdout).toBe('subscriber.created\n');
  });
});
