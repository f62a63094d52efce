import { createDataDirPrefix } from '../../config/paste';

interface StartUpFacts {
  readonly url: string;
  readonly seconds: number;
  readonly dataDir: string;
  /** False for a process without the role `api`: only its health and metrics are served. */
  readonly servesApi: boolean;
  /**
   * True if the operator token came from the environment, so that the commands need it from there
   * too.
   */
  readonly hasOwnToken: boolean;
  readonly operatorTokenFile: string;
  readonly notes: readonly string[];
}

/** Creates the lines that are shown after a start: facts, and commands that work when pasted. */
export const createStartUpLines = (start: StartUpFacts): string[] => {
  const { url, seconds, notes } = start;
  return [
    '',
    `Subscription Event and Management Service, ready in ${seconds.toFixed(1)} s at ${url}`,
    ...notes.map((note) => `  ${note}`),
    ...(start.servesApi ? [] : ['  API             not here: ROLES has no "api"', '']),
    ...(start.servesApi ? createApiLines(start) : []),
  ];
};

const createApiLines = (start: StartUpFacts): string[] => {
  const { url, hasOwnToken, operatorTokenFile } = start;
  const command = `${createDataDirPrefix(start.dataDir)}npm run cli --`;
  return [
    `  operator token  ${hasOwnToken ? 'from OPERATOR_TOKEN' : `in ${operatorTokenFile}`}`,
    `  API reference   ${url}/docs`,
    `  console         ${url}/console`,
    '',
    `Next, in another terminal${hasOwnToken ? ' (with OPERATOR_TOKEN set there too)' : ''}:`,
    `  ${command} quickstart    the first verified webhook, on your screen`,
    `  ${command} console link  a link that signs in to the console`,
    `  ${command} --help        everything else`,
    '',
  ];
};
