/** One instruction of a Dockerfile. */
export interface Step {
  readonly instruction: string;
  /** The flags before the arguments, such as `--from=build`. */
  readonly flags: Readonly<Record<string, string>>;
  /** The arguments as they are written. */
  readonly text: string;
}

export interface Stage {
  /** The image or the earlier stage on which this one builds. */
  readonly base: string;
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Reads a Dockerfile with any number of stages. The variables of `ARG` have their default values. */
export const parseDockerfile = (text: string): Stage[] => {
  const variables = new Map<string, string>();
  const stages: (Stage & { readonly steps: Step[] })[] = [];
  for (const step of listSteps(text)) {
    const stage = stages.at(-1);
    if (step.instruction === 'FROM') {
      const [, image = '', name = String(stages.length)] = FROM.exec(step.text) ?? [];
      const base = image.replaceAll(/\$\{(\w+)\}/g, (_, key: string) => variables.get(key) ?? '');
      stages.push({ base, name, steps: [] });
    } else if (stage !== undefined) stage.steps.push(step);
    else if (step.instruction === 'ARG') {
      const [name = '', value = ''] = step.text.split('=');
      variables.set(name, value);
    } else throw new Error(`${step.instruction} is not allowed before FROM`);
  }
  return stages;
};

const FROM = /^(\S+)(?: +AS +(\S+))?$/i;

const listSteps = (text: string): Step[] =>
  text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, instruction = '', flags = '', rest = ''] = LINE.exec(line.trim()) ?? [];
      return {
        instruction: instruction.toUpperCase(),
        flags: Object.fromEntries(
          [...flags.matchAll(FLAG)].map(([, key = '', value = '']) => [key, value]),
        ),
        text: rest,
      };
    });

const LINE = /^(\w+)\s+((?:--[a-z-]+=\S+\s+)*)(.*)$/;
const FLAG = /--([a-z-]+)=(\S+)/g;

/** Returns the words of a command in the form of a list, the only form that this project uses. */
export const readList = (text: string): string[] => {
  const list: unknown = JSON.parse(text);
  if (Array.isArray(list) && list.every((word) => typeof word === 'string')) return list;
  throw new Error(`not a list of words: ${text}`);
};

/** Returns a function that says whether a path of the build context is left out by .dockerignore. */
export const readIgnored = (text: string): ((path: string) => boolean) => {
  const patterns = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, anywhere = '', name = ''] = /^(\*\*\/)?([\w.-]+)$/.exec(line) ?? [];
      if (name === '') throw new Error(`this test does not know the pattern ${line}`);
      const start = anywhere === '' ? '^' : '(?:^|/)';
      return new RegExp(`${start}${name.replaceAll('.', '\\.')}(?:/|$)`);
    });
  return (path) => patterns.some((pattern) => pattern.test(path));
};
