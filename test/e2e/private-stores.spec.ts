import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeSocketDirectory, SQL_SOCKET } from '../../src/wiring/environment/private-files';
import { RunningService, type SharedService } from '../support/service';

/** The user id of the account `nobody`. Only a test that runs as root can act as another user. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

describe('the embedded stores of a service', () => {
  let service: SharedService;

  beforeAll(async () => {
    service = await RunningService.shared();
    await service.tenant();
  });

  it('listen on no network address', () => {
    const ports = listListeningPorts(service.pid);
    expect(ports).toEqual([Number(new URL(service.url).port)]);
  });

  it('keep their files private to their owner under a umask that takes no permission away', () => {
    const modes = new Set(
      listEntriesBelow(service.dataDir).map(({ kind, mode }) => `${kind} ${mode}`),
    );
    expect([...modes].sort()).toEqual(['directory 700', 'file 600', 'socket 600']);
  });

  (isRoot ? it : it.skip)('are closed to another account of the machine', () => {
    const connect = `
      const path = process.argv[1];
      require('node:net').connect(path)
        .on('connect', () => process.exit(0))
        .on('error', ({ code }) => { console.log(code); process.exit(1); });`;
    for (const name of ['eventstore', '.s.PGSQL.5432']) {
      const socket = join(service.dataDir, 'sockets', name);
      const asOwner = spawnSync(process.execPath, ['-e', connect, socket]);
      expect([name, asOwner.status]).toEqual([name, 0]);
      const asNobody = spawnSync(process.execPath, ['-e', connect, socket], {
        uid: NOBODY,
        gid: NOBODY,
        cwd: '/',
      });
      expect([name, asNobody.status, asNobody.stdout.toString()]).toEqual([name, 1, 'EACCES\n']);
    }
  });
});

describe('a data directory whose name is too long for a socket', () => {
  it('has its sockets in another directory that only the owner can enter', () => {
    const long = join(mkdtempSync(join(tmpdir(), 'long-')), 'x'.repeat(120));
    mkdirSync(long);
    const sockets = makeSocketDirectory(long);
    expect(Buffer.byteLength(join(sockets, SQL_SOCKET))).toBeLessThan(104);
    expect(lstatSync(sockets).mode & 0o777).toBe(0o700);
    rmSync(sockets, { recursive: true });
    rmSync(dirname(long), { recursive: true });
  });
});

interface Entry {
  readonly kind: 'file' | 'directory' | 'socket';
  readonly mode: string;
}

const listEntriesBelow = (dir: string): Entry[] =>
  readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    const stats = lstatSync(path);
    const mode = (stats.mode & 0o777).toString(8);
    if (stats.isDirectory()) return [{ kind: 'directory', mode }, ...listEntriesBelow(path)];
    return [{ kind: stats.isSocket() ? 'socket' : 'file', mode }];
  });

/** Returns the TCP ports on which a process listens, as Linux reports them. */
const listListeningPorts = (pid: number): number[] => {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      return /^socket:\[(\d+)\]$/.exec(readLink(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
    }),
  );
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === '0A' && inodes.has(fields[9] ?? ''))
      .map((fields) => Number.parseInt(fields[1]?.split(':')[1] ?? '', 16)),
  );
};

/** Reads a link of a file descriptor. The file may be closed between the listing and this call. */
const readLink = (path: string): string => {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
};
