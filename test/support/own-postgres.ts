import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestDatabase } from './databases';
import { locateDirectory } from './small-disk';
import { until } from './until';

const VERSIONS = '/usr/lib/postgresql';
const ACCOUNT = 'postgres';
const AS_ACCOUNT = ['setpriv', `--reuid=${ACCOUNT}`, `--regid=${ACCOUNT}`, '--clear-groups'];
/** Mounts a disk that its process and those that enter its namespace see. It ends with them. */
const MOUNT = `mount -t tmpfs -o size=64m,uid=$(id -u ${ACCOUNT}),mode=700 tmpfs "$0"`;
const mountAt = (dir: string, then: string): string[] => [
  '--mount',
  'sh',
  '-c',
  `${MOUNT} && ${then}`,
  dir,
];

const findPrograms = (): string | null => {
  try {
    const newest = readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a))[0] ?? '';
    const programs = join(VERSIONS, newest, 'bin');
    const probe = [...AS_ACCOUNT, join(programs, 'postgres'), '--version'].join(' ');
    return spawnSync('unshare', mountAt('/mnt', probe)).status === 0 ? programs : null;
  } catch {
    return null;
  }
};

const programs = findPrograms();

/** For suites that stop a PostgreSQL or fill its disk. It needs root and PostgreSQL's programs. */
export const describeWithOwnPostgres = programs === null ? describe.skip : describe;

/** A PostgreSQL server of a suite, whose tables are on a disk of 64 MB. */
export class OwnPostgres {
  private readonly dir = mkdtempSync(join(tmpdir(), 'postgres-'));
  private disk: ChildProcess | undefined;
  private server: ChildProcess | undefined;

  static async start(): Promise<OwnPostgres> {
    const postgres = new OwnPostgres();
    const { dir } = postgres;
    mkdirSync(postgres.tables);
    execFileSync('chown', ['-R', ACCOUNT, dir]);
    chmodSync(dir, 0o755);
    const [setpriv = '', ...args] = AS_ACCOUNT;
    const initdb = [
      join(programs ?? '', 'initdb'),
      '-D',
      postgres.data,
      '-U',
      ACCOUNT,
      '-A',
      'trust',
    ];
    execFileSync(setpriv, [...args, ...initdb, '--no-sync'], { cwd: dir });
    await postgres.mountDisk();
    await postgres.run();
    await postgres.query(`create tablespace small location '${postgres.tables}'`);
    await postgres.query('create database service tablespace small');
    return postgres;
  }

  /** The database for a service under test. */
  get database(): TestDatabase {
    const env = { DATABASE_URL: this.createUrl('service') };
    return {
      name: 'postgres',
      create: () => Promise.resolve({ env, drop: () => Promise.resolve() }),
    };
  }

  /** The directory of the tables, as other processes reach it. */
  get tablesDirectory(): string {
    return locateDirectory(this.disk?.pid ?? 0, this.tables);
  }

  /** Connects an administrator to the database of the service. */
  async connect(): Promise<Client> {
    const client = new Client({ connectionString: this.createUrl('service') });
    await client.connect();
    return client;
  }

  /** Starts the server, again on the same data. */
  async run(): Promise<void> {
    const postgres = [join(programs ?? '', 'postgres'), '-D', this.data, '-k', this.dir];
    const settings = ['listen_addresses=', 'fsync=off', 'max_connections=60'];
    const server = [...postgres, ...settings.flatMap((setting) => ['-c', setting])];
    const enter = [`--mount=/proc/${this.disk?.pid}/ns/mnt`, `--wd=${this.dir}`];
    this.server = spawn('nsenter', [...enter, ...AS_ACCOUNT, ...server], { stdio: 'ignore' });
    await until('PostgreSQL', () => this.query('select 1').then(() => true));
  }

  /** Stops the server and ends all connections, as an administrator does. */
  async stop(): Promise<void> {
    const { server } = this;
    if (server?.exitCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    await ended;
  }

  async dispose(): Promise<void> {
    await this.stop();
    this.disk?.kill();
    rmSync(this.dir, { recursive: true, force: true });
  }

  private async mountDisk(): Promise<void> {
    const disk = spawn('unshare', mountAt(this.tables, 'echo mounted && exec sleep infinity'), {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.disk = disk;
    await once(disk.stdout, 'data');
  }

  private get data(): string {
    return join(this.dir, 'data');
  }

  private get tables(): string {
    return join(this.dir, 'tables');
  }

  private createUrl(database: string): string {
    return `postgres://${ACCOUNT}@/${database}?host=${encodeURIComponent(this.dir)}`;
  }

  private async query(text: string): Promise<void> {
    const client = new Client({ connectionString: this.createUrl('postgres') });
    await client.connect();
    try {
      await client.query(text);
    } finally {
      await client.end();
    }
  }
}
