import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeptDirectory } from './kept-files';
import { until } from './until';

export const EXAMPLES = join(__dirname, '../../docs/examples');

/** The time limit for the Go compiler, in ms. It is slow if its cache is empty. */
const BUILD_WAIT_LIMIT_MS = 240_000;
const START_WAIT_LIMIT_MS = 30_000;

/** A documented receiver and the command that starts it. */
export interface ReceiverExample {
  readonly file: string;
  readonly language: string;
  /** A command that succeeds if the language and the packages of the example are installed. */
  readonly probe: readonly [string, ...string[]];
  readonly command: (file: string) => readonly [string, ...string[]];
}

const node = (file: string): ReceiverExample => ({
  file,
  language: 'Node',
  probe: [process.execPath, '--version'],
  command: (path) => [process.execPath, path],
});

const ALL: readonly ReceiverExample[] = [
  node('receiver.mjs'),
  node('receiver-standardwebhooks.mjs'),
  {
    file: 'receiver.py',
    language: 'Python',
    probe: ['python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 8))'],
    command: (path) => ['python3', path],
  },
  {
    file: 'receiver.go',
    language: 'Go',
    probe: ['go', 'version'],
    command: (path) => [buildGo(path)],
  },
  {
    file: 'receiver.php',
    language: 'PHP',
    probe: ['php', '-r', 'exit(PHP_MAJOR_VERSION < 8 ? 1 : 0);'],
    command: (path) => ['php', path],
  },
  {
    file: 'receiver.rb',
    language: 'Ruby',
    probe: ['ruby', '-rwebrick', '-ropenssl', '-e', 'exit'],
    command: (path) => ['ruby', path],
  },
];

const isInstalled = ({ probe: [program, ...args] }: ReceiverExample): boolean =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0;

/** The examples whose language is installed on this machine. */
export const installedExamples = ALL.filter(isInstalled);

/** The languages whose examples cannot run on this machine. */
export const missingLanguages = ALL.filter((each) => !installedExamples.includes(each)).map(
  ({ language }) => language,
);

let goDirectory: string | undefined;

/**
 * Builds the Go program so that it can be started directly. `go run` leaves its program running
 * when it is killed.
 */
const buildGo = (source: string): string => {
  if (goDirectory !== undefined) return join(goDirectory, 'receiver');
  const directory = mkdtempSync(join(tmpdir(), 'ses-go-'));
  const { status, stderr } = spawnSync('go', ['build', '-o', join(directory, 'receiver'), source], {
    // The build needs no C compiler, and its cache works for users without a home directory.
    env: { ...process.env, CGO_ENABLED: '0', GOCACHE: openKeptDirectory('go') },
    timeout: BUILD_WAIT_LIMIT_MS,
  });
  if (status !== 0) throw new Error(`go build: ${stderr.toString()}`);
  goDirectory = directory;
  return join(directory, 'receiver');
};

/** A documented receiver in its own process. */
export class RunningExample {
  output = '';
  private port = 0;

  private constructor(private readonly child: ChildProcess) {
    child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
  }

  static async start(example: ReceiverExample, secret: string): Promise<RunningExample> {
    const running = new RunningExample(spawnExample(example, secret));
    running.port = await until(
      `${example.file} to listen`,
      () => {
        if (running.child.exitCode !== null) throw new Error(`it ended: ${running.output}`);
        return Number(/http:\/\/127\.0\.0\.1:([1-9]\d*)/.exec(running.output)?.[1]) || undefined;
      },
      START_WAIT_LIMIT_MS,
    );
    return running;
  }

  /** Returns the exit code of a refused start. */
  static async runRefusedStart(example: ReceiverExample, secret: string): Promise<number | null> {
    const child = spawnExample(example, secret);
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/webhooks`;
  }

  /** Ends the whole process group, because PHP starts its web server as another process. */
  stop(): void {
    const { pid } = this.child;
    if (pid !== undefined && this.child.exitCode === null) process.kill(-pid, 'SIGKILL');
  }
}

const spawnExample = (example: ReceiverExample, secret: string): ChildProcess => {
  const [program, ...args] = example.command(join(EXAMPLES, example.file));
  const { PATH = '', HOME = '' } = process.env;
  const handled = mkdtempSync(join(tmpdir(), 'ses-handled-'));
  return spawn(program, args, {
    detached: true,
    env: { PATH, HOME, SIGNING_SECRET: secret, PORT: '0', HANDLED_EVENTS: handled },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
};
