import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The settings of a program that runs within a root directory. */
export interface Surroundings {
  readonly root: string;
  readonly workdir: string;
  readonly user: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/**
 * Lets the kernel's directories appear in the root directory. They are gone when the program ends.
 */
const MOUNTS = [
  'set -e',
  'mount --bind "$ROOT" "$ROOT"',
  'mount -t proc proc "$ROOT/proc"',
  'mount --rbind /dev "$ROOT/dev"',
];
/** Enters the root directory as a user, and becomes the program. */
const ENTER =
  'exec chroot --userspec="$AS" --groups= "$ROOT" /bin/sh -c \'unset ROOT IN AS; cd "$0" && exec "$@"\' "$IN" "$@"';

/** A file or a directory of this machine that a program sees at another path. */
export interface BindMount {
  readonly from: string;
  readonly to: string;
}

const createMountCommand = ({ from, to }: BindMount): string => {
  const [dir, file] = statSync(from).isDirectory() ? [to, ''] : [dirname(to), `: > "$ROOT${to}"`];
  return [`mkdir -p "$ROOT${dir}"`, file, `mount --bind "${from}" "$ROOT${to}"`].join('\n');
};

const OWN_PROCESSES = ['--mount', '--pid', '--fork'];

/** True if this process may create namespaces and change its root directory. */
export const canIsolate = (): boolean =>
  process.getuid?.() === 0 &&
  ['ip', 'nsenter', 'chroot'].every((name) => spawnSync('which', [name]).status === 0) &&
  spawnSync('unshare', [...OWN_PROCESSES, '--net', 'true']).status === 0;

/**
 * Runs a program to its end, with the network of this machine and with bind mounts of its files.
 */
export const runInside = (
  where: Surroundings,
  command: readonly string[],
  bindMounts: readonly BindMount[] = [],
): Ended => {
  const script = [...MOUNTS, ...bindMounts.map(createMountCommand), ENTER].join('\n');
  const { status, stdout, stderr } = spawnSync(
    'unshare',
    [...OWN_PROCESSES, 'sh', '-c', script, 'sh', ...command],
    { env: surround(where), encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  return { code: status, output: stdout + stderr };
};

/**
 * A program that is the first process of its own, with a network of its own that has the loopback
 * address only. It cannot write to its root directory, except to `/tmp` and to its volumes.
 */
export class Container {
  private output = '';

  private constructor(
    private readonly where: Surroundings,
    private readonly outer: ChildProcess,
    private readonly ended: Promise<number | null>,
  ) {
    for (const stream of [outer.stdout, outer.stderr]) {
      stream?.on('data', (data: Buffer) => (this.output += data.toString()));
    }
  }

  /** The text that the program has printed. */
  get log(): string {
    return this.output;
  }

  static start(
    where: Surroundings,
    command: readonly string[],
    volumes: readonly string[],
  ): Container {
    const script = [
      ...MOUNTS,
      'mount -t tmpfs -o mode=1777 tmpfs "$ROOT/tmp"',
      ...volumes.map((path) => `mount --bind "$ROOT${path}" "$ROOT${path}"`),
      'mount -o remount,ro,bind "$ROOT"',
      'ip link set lo up',
      ENTER,
    ].join('\n');
    const outer = spawn(
      'unshare',
      [...OWN_PROCESSES, '--net', 'sh', '-c', script, 'sh', ...command],
      {
        env: surround(where),
      },
    );
    const ended = new Promise<number | null>((resolve) => {
      outer.once('close', resolve);
    });
    return new Container(where, outer, ended);
  }

  /** Runs a further program beside the first one, as `docker exec` does. */
  execute(command: readonly string[]): Ended {
    const enter = [`--target=${this.findPid()}`, '--mount', '--pid', '--net'];
    const { status, stdout, stderr } = spawnSync(
      'nsenter',
      [...enter, 'sh', '-c', ENTER, 'sh', ...command],
      { env: surround(this.where), encoding: 'utf8', timeout: 60_000 },
    );
    return { code: status, output: stdout + stderr };
  }

  /** Sends a signal to the program and returns its exit code. */
  async stop(signal: NodeJS.Signals): Promise<number | null> {
    process.kill(this.findPid(), signal);
    return this.ended;
  }

  /** Ends the program at once if it still runs, and with it all that runs beside it. */
  async dispose(): Promise<void> {
    if (this.outer.exitCode === null && this.outer.signalCode === null) await this.stop('SIGKILL');
  }

  /** Returns the id that the machine gives to the first process of the container. */
  private findPid(): number {
    const pid = this.outer.pid ?? 0;
    const children = readFileSync(join('/proc', `${pid}/task/${pid}/children`), 'utf8');
    return Number(children.trim());
  }
}

const surround = ({ root, workdir, user, env }: Surroundings): Record<string, string> => ({
  ...env,
  ROOT: root,
  IN: workdir,
  AS: user,
});
