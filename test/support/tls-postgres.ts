import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { findFreePort } from './free-port';
import { ACCOUNT, AS_ACCOUNT, createCluster, findPrograms } from './postgres-programs';
import { until } from './until';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const programs = hasOpenssl ? findPrograms() : null;

if (programs === null) {
  process.stderr.write(
    'Left out: TLS to PostgreSQL, because its programs or openssl are not installed.\n',
  );
}

/** For suites that speak TLS with a PostgreSQL of their own. They need its programs and openssl. */
export const describeWithTlsPostgres = programs === null ? describe.skip : describe;

/** The lines of `pg_hba.conf`: over the network only TLS; one account needs a certificate too. */
const ACCESS = [
  'local all all trust',
  'hostssl all by_certificate 127.0.0.1/32 cert',
  'hostssl all all 127.0.0.1/32 scram-sha-256',
  '',
].join('\n');

/** A PostgreSQL server of a suite that accepts TCP connections only with TLS. */
export class TlsPostgres {
  private readonly dir = mkdtempSync(join(tmpdir(), 'postgres-tls-'));
  private server: ChildProcess | undefined;
  private port = 0;

  static async start(): Promise<TlsPostgres> {
    const postgres = new TlsPostgres();
    postgres.createAuthority('ca');
    postgres.createAuthority('other-ca');
    postgres.createCertificate('server', 'localhost');
    postgres.createCertificate('client', 'by_certificate');
    createCluster(programs ?? '', postgres.dir, postgres.file('data'));
    chmodSync(postgres.dir, 0o755);
    writeFileSync(postgres.file('data/pg_hba.conf'), ACCESS);
    postgres.port = await findFreePort();
    await postgres.run();
    return postgres;
  }

  /** Returns the path of a file, such as the certificate of an authority: `ca.crt`, `other-ca.crt`. */
  file(name: string): string {
    return join(this.dir, name);
  }

  /** Returns the URL of a database over TCP. The certificate of the server names localhost. */
  createUrl(account: string, options: string, host = 'localhost'): string {
    return `postgres://${account}@${host}:${this.port}/service?${options}`;
  }

  /** Runs statements as the administrator, over the local socket. */
  async administer<Row extends object>(text: string, database = ACCOUNT): Promise<Row[]> {
    const host = encodeURIComponent(this.dir);
    const connectionString = `postgres://${ACCOUNT}@/${database}?host=${host}&port=${this.port}`;
    const client = new Client({ connectionString });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  async dispose(): Promise<void> {
    const { server } = this;
    if (server?.exitCode === null) {
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
    }
    rmSync(this.dir, { recursive: true, force: true });
  }

  private async run(): Promise<void> {
    const settings = [
      `port=${this.port}`,
      'listen_addresses=127.0.0.1',
      'fsync=off',
      'ssl=on',
      `ssl_ca_file=${this.file('ca.crt')}`,
      `ssl_cert_file=${this.file('server.crt')}`,
      `ssl_key_file=${this.file('server.key')}`,
    ].flatMap((setting) => ['-c', setting]);
    const postgres = [join(programs ?? '', 'postgres'), '-D', this.file('data'), '-k', this.dir];
    const [program = '', ...args] = [...AS_ACCOUNT, ...postgres, ...settings];
    this.server = spawn(program, args, { cwd: this.dir, stdio: 'ignore' });
    await until('PostgreSQL', () => this.administer('select 1').then(() => true));
  }

  private createAuthority(name: string): void {
    this.openssl(['req', '-x509', ...this.createKey(name), '-out', `${name}.crt`, '-days', '2']);
  }

  private createCertificate(name: string, commonName: string): void {
    const request = [...this.createKey(name, commonName), '-out', `${name}.csr`];
    const alternative = `subjectAltName=DNS:${commonName.replaceAll('_', '-')}`;
    this.openssl(['req', ...request, '-addext', alternative]);
    const signer = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2'];
    const files = ['-in', `${name}.csr`, '-out', `${name}.crt`];
    this.openssl(['x509', '-req', ...files, ...signer, '-copy_extensions', 'copy']);
  }

  private createKey(name: string, commonName = name): string[] {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    return [...key, '-subj', `/CN=${commonName}`, '-keyout', `${name}.key`];
  }

  private openssl(args: readonly string[]): void {
    execFileSync('openssl', args, { cwd: this.dir, stdio: 'pipe' });
  }
}
