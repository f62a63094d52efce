import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestDatabase } from './databases';
import { ACCOUNT, AS_ACCOUNT, createCluster, findPrograms } from './postgres-programs';
import { locateDirectory } from './small-disk';
import { until } from './until';

/** Mounts a disk that its process and those that enter its namespace see. It ends with them. */
const MOUNT = `mount -t tmpfs -o size=64m,uid=$(id -u ${ACCOUNT}),mode=700 tmpfs "$0"`;
const mountAt = (dir: string, then: string): string[] => [
  '--mount',
  'sh',
  '-c',
  `${MOUNT} && ${then}`,
  dir,
];

/**
 * The folder of the PostgreSQL programs; null if they are missing or no process may mount a disk.
 */
const programs = ((): string | null => {
  const found = findPrograms();
  if (found === null) return null;
  const probe = [...AS_ACCOUNT, join(found, 'postgres'), '--version'].join(' ');
  return spawnSync('unshare', mountAt('/mnt', probe)).status === 0 ? found : null;
})();

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
    createCluster(programs ?? '', dir, postgres.data);
    chmodSync(dir, 0o755);
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
