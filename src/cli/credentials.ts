import { existsSync, readFileSync } from 'node:fs';
import { locateOperatorToken } from '../config/secrets';
import { CallFailed, EXIT } from './failures';
import { locateQuickstartTenant, readQuickstartTenant } from './quickstart-tenant';
import { readDataDir } from './service-address';

/** A token or a key, and where it was found, for error messages. */
export interface Credential {
  readonly text: string;
  readonly origin: string;
}

/** Returns the operator token: `given` (--token), else OPERATOR_TOKEN, else the one in DATA_DIR. */
export const findOperatorToken = (given: string | undefined): Credential => {
  const found = choose(given, '--token', 'OPERATOR_TOKEN');
  if (found !== null) return found;
  const { OPERATOR_TOKEN_FILE: named = '' } = process.env;
  const file = named === '' ? locateOperatorToken(readDataDir(process.env)) : named;
  if (existsSync(file)) return check({ text: readFileSync(file, 'utf8').trim(), origin: file });
  throw new CallFailed(
    `No operator token in ${file}. If the service was never started here, start it with "npm start" in another terminal. Otherwise point DATA_DIR to its data, set OPERATOR_TOKEN, or pass --token.`,
    EXIT.credential,
  );
};

/** Returns the key of a tenant that the caller names: `given` (--key), else API_KEY; else null. */
export const findGivenKey = (given: string | undefined): Credential | null =>
  choose(given, '--key', 'API_KEY');

/** Returns the key of a tenant: `given` (--key), else API_KEY, else the one of "quickstart". */
export const findApiKey = (given: string | undefined): Credential => {
  const found = findGivenKey(given);
  if (found !== null) return found;
  const kept = readQuickstartTenant();
  if (kept !== null) return { text: kept.key, origin: '"quickstart"' };
  throw new CallFailed(
    `No API key in ${locateQuickstartTenant()}, where "quickstart" keeps one. If the service runs on another directory, point DATA_DIR to it. Otherwise run "quickstart", set API_KEY, or pass --key.`,
    EXIT.credential,
  );
};

/** Returns the value of the option, else that of the variable; null if there is none. */
const choose = (given: string | undefined, option: string, variable: string): Credential | null => {
  if (given !== undefined) return check({ text: given.trim(), origin: option });
  const text = (process.env[variable] ?? '').trim();
  return text === '' ? null : check({ text, origin: variable });
};

/** Refuses a text that no header can carry. The message does not repeat it, because it is secret. */
const check = (credential: Credential): Credential => {
  if (/^[!-~]+$/.test(credential.text)) return credential;
  throw new CallFailed(
    `The text from ${credential.origin} is no token or key: copy it in one piece, as it was printed.`,
    EXIT.credential,
  );
};
