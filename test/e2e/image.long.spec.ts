import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNode } from '../support/image/base';
import { buildImage, type Image } from '../support/image/build';
import { parseDockerfile } from '../support/image/dockerfile';
import { canIsolate, Container, runInside } from '../support/image/namespaces';
import { until } from '../support/until';

const SOURCE = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(SOURCE, path), 'utf8');
const dockerfile = read('Dockerfile');
/** A program that prints those of its arguments that are directories in which it can create a file. */
const LIST_WRITABLE = `
  const { rmSync, writeFileSync } = require('node:fs');
  const canWrite = (dir) => {
    try {
      writeFileSync(dir + '/probe', '');
      rmSync(dir + '/probe');
      return true;
    } catch {
      return false;
    }
  };
  console.log(process.argv.slice(1).filter(canWrite).join(' '));
`;
const CLI = ['node', 'dist/cli/main.js'];

const [, major = ''] = /^node:(\d+)-/.exec(parseDockerfile(dockerfile)[0]?.base ?? '') ?? [];
const node = canIsolate() ? findNode(major) : null;
if (node === null) {
  process.stderr.write(
    `Left out: the steps of the Dockerfile. They need root, unshare, nsenter, ip and Node ${major} from the registry.\n`,
  );
}

/**
 * No container engine takes part. The base image is put together from programs of this machine, and the
 * test carries out the instructions of the Dockerfile itself, with `npm ci` from the registry.
 */
(node === null ? describe.skip : describe)('the image, built without a container engine', () => {
  const into = mkdtempSync(join(tmpdir(), 'image-'));
  let image: Image;
  let container: Container;
  const started: Container[] = [];

  const start = (env: Readonly<Record<string, string>> = {}): Container => {
    const where = { ...image, env: { ...image.env, ...env } };
    const next = Container.start(where, image.command, image.volumes);
    started.push(next);
    return next;
  };
  const isHealthy = (): boolean => container.execute(image.healthCheck).code === 0;
  const untilHealthy = async (): Promise<void> => {
    try {
      await until('the container to be healthy', isHealthy, 60_000);
    } catch (error) {
      throw new Error(`the program printed:\n${container.log}`, { cause: error });
    }
  };

  beforeAll(() => {
    image = buildImage(dockerfile, { source: SOURCE, node: node ?? '', into });
  }, 900_000);

  afterAll(async () => {
    for (const each of started) await each.dispose();
    rmSync(into, { recursive: true, force: true });
  }, 300_000);

  it('is not healthy while the service does not run', () => {
    expect(runInside(image, image.healthCheck).code).toBe(1);
  });

  it('becomes healthy, as the version of this source', async () => {
    container = start();
    await untilHealthy();
    const ask = "fetch('http://127.0.0.1:3000/health').then((r) => r.text()).then(console.log)";
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(JSON.parse(container.execute(['node', '-e', ask]).output)).toMatchObject({ version });
  });

  it('runs as an account without rights', () => {
    const ask = 'process.getuid() + " " + process.getgroups()';
    expect(container.execute(['node', '-p', ask]).output).toBe('1000 1000\n');
  });

  it('can write to its volume and to /tmp only', () => {
    const paths = [
      '/',
      '/app',
      '/app/dist',
      '/etc',
      '/home/node',
      '/usr/local/bin',
      '/data',
      '/tmp',
    ];
    expect(container.execute(['node', '-e', LIST_WRITABLE, ...paths]).output).toBe('/data /tmp\n');
  });

  it('could not change its program either if the root file system were writable', () => {
    const rights = ['(', '-uid', '1000', '-o', '-perm', '-o+w', ')', '!', '-type', 'l'];
    const { stdout } = spawnSync('find', [join(image.root, 'app'), ...rights], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  });

  it('answers the command line as the operating guide writes it', () => {
    expect(container.execute([...CLI, 'projections', 'verify'])).toMatchObject({ code: 0 });
    expect(container.execute([...CLI, 'tenant', 'create', 'acme'])).toMatchObject({ code: 0 });
  });

  it('ends at its signal with exit code 0', async () => {
    expect(await container.stop(image.stopSignal)).toBe(0);
  });

  it('keeps its data in the volume, and is healthy on another port too', async () => {
    container = start({ PORT: '8080' });
    await untilHealthy();
    expect(container.execute([...CLI, 'tenant', 'list']).output).toContain('acme');
  });

  it('holds no sources and no packages of the development', () => {
    const exists = (path: string): boolean => existsSync(join(image.root, 'app', path));
    expect(exists('node_modules/fastify')).toBe(true);
    expect(['src', 'test', 'node_modules/typescript', 'node_modules/jest'].filter(exists)).toEqual(
      [],
    );
  });
});
