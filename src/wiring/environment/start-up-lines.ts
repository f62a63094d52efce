import { createDataDirPrefix } from '../../config/paste';

interface StartUpFacts {
  readonly url: string;
  readonly seconds: number;
  readonly dataDir: string;
  /**
   * True if the operator token came from the environment, so that the commands need it from there
   * too.
   */
  readonly hasOwnToken: boolean;
  readonly operatorTokenFile: string;
  /** True if the service answers the API. Without that role it has no pages either. */
  readonly hasApi: boolean;
  readonly notes: readonly string[];
}

/** Creates the lines that are shown after a start: facts, and commands that work when pasted. */
export const createStartUpLines = (start: StartUpFacts): string[] => {
  const { url, seconds, notes, hasOwnToken, operatorTokenFile } = start;
  const ready = `Subscription Event and Management Service, ready in ${seconds.toFixed(1)} s`;
  if (!start.hasApi) {
    return ['', `${ready}, without the API (ROLES)`, ...notes.map((note) => `  ${note}`), ''];
  }
  const command = `${createDataDirPrefix(start.dataDir)}npm run cli --`;
  return [
    '',
    `${ready} at ${url}`,
    ...notes.map((note) => `  ${note}`),
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
