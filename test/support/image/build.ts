import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { makeBase } from './base';
import { parseDockerfile, readIgnored, readList, type Stage, type Step } from './dockerfile';
import { type BindMount, runInside, type Surroundings } from './namespaces';

/**
 * What a build leaves: a root directory, and how its program is started and asked for its health.
 */
export interface Image extends Surroundings {
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
  readonly stopSignal: NodeJS.Signals;
  readonly volumes: readonly string[];
}

type Draft = { -readonly [K in keyof Image]: Image[K] };

interface BuildContext {
  /** The directory of the sources. */
  readonly source: string;
  /** The program of Node that the base image has. */
  readonly node: string;
  /** An empty directory for the root directories of the stages. */
  readonly into: string;
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Carries out the steps of a Dockerfile in one root directory for each stage. An instruction that
 * it does not know is refused, so the Dockerfile cannot use more than the test does.
 */
export const buildImage = (dockerfile: string, context: BuildContext): Image => {
  const stages = parseDockerfile(dockerfile);
  const built = new Map<string, Image>();
  for (const stage of stages) built.set(stage.name, buildStage(stage, context, built));
  const last = built.get(stages.at(-1)?.name ?? '');
  if (last === undefined) throw new Error('the Dockerfile has no stage');
  return last;
};

const buildStage = (
  stage: Stage,
  context: BuildContext,
  built: ReadonlyMap<string, Image>,
): Image => {
  const root = join(context.into, stage.name);
  mkdirSync(root);
  chmodSync(root, 0o755);
  makeBase(root, context.node);
  const draft: Draft = {
    root,
    workdir: '/',
    user: 'root',
    env: { PATH, HOME: '/root' },
    command: [],
    healthCheck: [],
    stopSignal: 'SIGTERM',
    volumes: [],
  };
  for (const step of stage.steps) carryOut(step, draft, context, built);
  return draft;
};

const carryOut = (
  step: Step,
  draft: Draft,
  context: BuildContext,
  built: ReadonlyMap<string, Image>,
): void => {
  const { instruction, flags, text } = step;
  switch (instruction) {
    case 'WORKDIR':
      draft.workdir = text;
      mkdirSync(join(draft.root, text), { recursive: true });
      return;
    case 'ENV':
      draft.env = { ...draft.env, ...readVariables(text) };
      return;
    case 'USER':
      draft.user = text;
      draft.env = { ...draft.env, HOME: `/home/${text}` };
      return;
    case 'COPY':
      copy(text.split(/ +/), draft, readSource(flags['from'], context, built));
      return;
    case 'RUN':
      runStep(text, draft);
      return;
    case 'VOLUME':
      draft.volumes = [...draft.volumes, text];
      return;
    case 'HEALTHCHECK':
      draft.healthCheck = readList(text.replace(/^CMD\s+/, ''));
      return;
    case 'STOPSIGNAL':
      draft.stopSignal = text as NodeJS.Signals;
      return;
    case 'CMD':
      draft.command = readList(text);
      return;
    case 'EXPOSE':
      return;
    default:
      throw new Error(`this test does not know the instruction ${instruction}`);
  }
};

interface CopySource {
  readonly dir: string;
  readonly isIgnored: (path: string) => boolean;
}

const readSource = (
  stage: string | undefined,
  { source }: BuildContext,
  built: ReadonlyMap<string, Image>,
): CopySource => {
  if (stage === undefined) {
    const isIgnored = readIgnored(readFileSync(join(source, '.dockerignore'), 'utf8'));
    return { dir: source, isIgnored };
  }
  const dir = built.get(stage)?.root;
  if (dir === undefined) throw new Error(`there is no stage ${stage}`);
  return { dir, isIgnored: () => false };
};

/** Copies files into a directory, and the content of a directory into one, as COPY does. */
const copy = (words: readonly string[], { root, workdir }: Draft, from: CopySource): void => {
  const target = words.at(-1) ?? '';
  const to = join(root, target.startsWith('/') ? '' : workdir, target);
  for (const name of words.slice(0, -1)) {
    const path = join(from.dir, name);
    const isFolder = statSync(path).isDirectory();
    cpSync(path, isFolder || !target.endsWith('/') ? to : join(to, basename(name)), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (each) => !from.isIgnored(relative(from.dir, each)),
    });
  }
};

const runStep = (text: string, draft: Draft): void => {
  const env = { ...draft.env, ...readNetworkSettings() };
  const { code, output } = runInside({ ...draft, env }, ['/bin/sh', '-c', text], listBindMounts());
  if (code !== 0) throw new Error(`RUN ${text} ended with ${code}:\n${output.slice(-4000)}`);
};

const CERTIFICATES = '/etc/ssl/certs/of-this-machine.pem';

/**
 * The variables that npm needs to reach the registry from this machine. They are no part of the
 * image.
 */
const readNetworkSettings = (): Record<string, string> => ({
  npm_config_registry: readNpmSetting('registry'),
  ...(process.env['NODE_EXTRA_CA_CERTS'] === undefined
    ? {}
    : { NODE_EXTRA_CA_CERTS: CERTIFICATES }),
});

/**
 * The files that a step sees although they are no part of the image: also what npm has fetched
 * before.
 */
const listBindMounts = (): BindMount[] => {
  const certificates = process.env['NODE_EXTRA_CA_CERTS'];
  return [
    { from: readNpmSetting('cache'), to: '/root/.npm' },
    ...(certificates === undefined ? [] : [{ from: certificates, to: CERTIFICATES }]),
  ];
};

const readNpmSetting = (name: string): string =>
  spawnSync('npm', ['config', 'get', name], { encoding: 'utf8' }).stdout.trim();

const readVariables = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(/ +/).map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
