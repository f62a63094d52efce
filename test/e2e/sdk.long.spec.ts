import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Service as Client } from '../../packages/sdk/src/index';
import { FAULTS, FaultProxy } from '../support/fault-proxy';
import { RunningService, type TestTenant } from '../support/service';

const ROOT = join(__dirname, '../..');
const SDK = join(ROOT, 'packages/sdk');
const SIZE_MAX_BYTES = 6 * 1024;

describe('the SDK with a real service', () => {
  let service: RunningService;
  let tenant: TestTenant;

  beforeAll(async () => {
    service = await RunningService.shared();
    tenant = await service.tenant();
  });

  it('loses no call and duplicates no effect, whatever two faults a call meets', async () => {
    const pairs = FAULTS.flatMap((first) => FAULTS.map((second) => [first, second] as const));
    const planOf = (call: string) => pairs[Number(/^pair-(\d+)$/.exec(call)?.[1] ?? -1)] ?? [];
    const proxy = new FaultProxy(service.url, planOf, 1_500);
    const baseUrl = await proxy.start();
    const client = new Client({ baseUrl, apiKey: tenant.key, maxRetries: 4, timeoutMs: 1_000 });
    try {
      const created = await Promise.all(
        pairs.map((_, i) =>
          client.subscribers.create(
            { email: `pair-${i}@example.com` },
            { idempotencyKey: `pair-${i}` },
          ),
        ),
      );
      const found: [string, string | null | undefined][] = [];
      for await (const { id, email } of client.subscribers.list({ limit: 10 })) {
        found.push([id, email]);
      }
      const expected = created.map(({ id }, i) => [id, `pair-${i}@example.com`]);
      expect(found.sort()).toEqual(expected.sort());
      expect(Object.fromEntries(proxy.met)).toEqual(
        Object.fromEntries(FAULTS.map((fault) => [fault, 2 * FAULTS.length])),
      );
    } finally {
      await proxy.close();
    }
  });

  describe('packed and installed into an empty project', () => {
    let folder: string;
    let tarball: string;

    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'sdk-project-'));
      const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
      execFileSync('npm', pack, { cwd: SDK });
      tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
      writeFileSync(
        join(folder, 'package.json'),
        JSON.stringify({ name: 'empty', private: true, type: 'module' }),
      );
      const quiet = ['--offline', '--no-audit', '--no-fund', '--silent'];
      execFileSync('npm', ['install', ...quiet, `./${tarball}`], { cwd: folder });
    });

    afterAll(() => {
      rmSync(folder, { recursive: true, force: true });
    });

    const compile = (files: Readonly<Record<string, string>>): void => {
      mkdirSync(join(folder, 'src'), { recursive: true });
      for (const [name, text] of Object.entries(files)) {
        writeFileSync(join(folder, 'src', name), text);
      }
      const options = {
        ...{ target: 'ES2022', module: 'nodenext', lib: ['ES2022', 'DOM', 'DOM.Iterable'] },
        ...{ types: [], strict: true, exactOptionalPropertyTypes: true, outDir: 'out' },
        ...{ noUncheckedIndexedAccess: true, rootDir: 'src' },
      };
      writeFileSync(
        join(folder, 'tsconfig.json'),
        JSON.stringify({
          compilerOptions: options,
          include: Object.keys(files).map((name) => `src/${name}`),
        }),
      );
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
      execFileSync(process.execPath, [tsc, '--project', folder], { stdio: 'pipe' });
    };

    const run = (name: string): string =>
      execFileSync(process.execPath, [join(folder, 'out', name)], { encoding: 'utf8' });

    it('runs as an ES module and as CommonJS', () => {
      const buildProgram = (loading: string): string => `${loading}
        const service = new Service({ baseUrl: '${service.url}', apiKey: '${tenant.key}' });
        service.plans.list({ limit: 1 }).then((page) => console.log(page.hasMore));`;
      const name = '@subscription-event-service/sdk';
      compile({
        'module.ts': buildProgram(`import { Service } from '${name}';`),
        'common.cts': buildProgram(`import sdk = require('${name}');\nconst { Service } = sdk;`),
      });
      expect(run('module.js')).toBe('false\n');
      expect(run('common.cjs')).toBe('false\n');
    });

    it('runs the first program of its README, as pasted into an empty directory', () => {
      const readme = readFileSync(join(SDK, 'README.md'), 'utf8');
      const [, commands = ''] = /```sh\n([\s\S]*?)```/.exec(readme) ?? [];
      const [, program = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
      const empty = join(folder, 'first-program');
      mkdirSync(empty);
      const setUp = commands
        .replace('/path/to/subscription-event-service-sdk-1.0.0.tgz', join(folder, tarball))
        .replace('npm install', 'npm install --offline --no-audit --no-fund');
      execFileSync('sh', ['-e', '-c', setUp], { cwd: empty, stdio: 'pipe' });
      writeFileSync(
        join(empty, 'first.js'),
        program.replace('http://127.0.0.1:3000', service.url).replace('rk_test_…', tenant.key),
      );
      const output = execFileSync(process.execPath, ['first.js'], { cwd: empty, encoding: 'utf8' });
      expect(output).toMatch(/^sub_\w+ active\n$/);
    });

    it('ends a program with a readable error when nothing answers', () => {
      const program = `import { Service } from '@subscription-event-service/sdk';
        const service = new Service({ baseUrl: 'http://127.0.0.1:2', apiKey: 'k', maxRetries: 0 });
        await service.plans.list();`;
      writeFileSync(join(folder, 'no-service.mjs'), program);
      const args = [join(folder, 'no-service.mjs')];
      const { stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      expect(stderr).toMatch(
        /^ConnectionError: No response to GET http:\/\/127\.0\.0\.1:2\/v1\/plans: /m,
      );
      // Node.js shows the line of the package that has thrown.
      const lengths = stderr.split('\n').map((line) => line.length);
      expect(Math.max(...lengths)).toBeLessThan(300);
    });

    it('runs the examples of its README in order', () => {
      const readme = readFileSync(join(SDK, 'README.md'), 'utf8');
      const examples = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(
        ([, code]) => code ?? '',
      );
      expect(examples.length).toBeGreaterThan(5);
      const program = examples
        .join('\n')
        .replaceAll('http://127.0.0.1:3000', service.url)
        .replaceAll('rk_test_…', tenant.key);
      compile({ 'readme.ts': program });
      // The last example prints the status of the receiver's response.
      expect(run('readme.js').trim().split('\n').at(-1)).toBe('204');
    });

    it('narrows an event by its type and by the privacy mode', () => {
      const program = `
        import { Service, type EventOf } from '@subscription-event-service/sdk';
        type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
        const holds = <_ extends true>(): void => undefined;
        declare const service: Service;
        export const check = async (body: string, headers: Headers): Promise<void> => {
          const full = (await service.webhooks.unwrap(body, headers)).event;
          if (full.type === 'payment.failed') {
            void full.data.failure.code;
            void full.subscriber.email;
            // @ts-expect-error A failed payment has no ticket.
            void full.data.ticket;
          }
          // @ts-expect-error There is no such event type.
          if (full.type === 'payment.invented') return;
          const hashed = (await service.webhooks.unwrap<'hashed_only'>(body, headers)).event;
          void hashed.subscriber.email_hashed;
          // @ts-expect-error The e-mail address is not sent.
          void hashed.subscriber.email;
          if (hashed.type === 'ticket.submitted') void hashed.data.ticket;
          const minimal = (await service.webhooks.unwrap<'minimal'>(body, headers)).event;
          holds<Same<typeof minimal.subscriber.id, string>>();
          // @ts-expect-error Only ids are sent.
          void minimal.data;
          // @ts-expect-error There is no such privacy mode.
          type _Unknown = EventOf<'open'>;
        };`;
      compile({ 'types.ts': program });
    });

    it('is at most 6 KB when compressed', () => {
      const modules = join(folder, 'node_modules/@subscription-event-service/sdk/dist/esm');
      const code = readdirSync(modules, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.js'))
        .sort()
        .map((name) => readFileSync(join(modules, name)));
      expect(gzipSync(Buffer.concat(code)).byteLength).toBeLessThanOrEqual(SIZE_MAX_BYTES);
    });
  });
});
