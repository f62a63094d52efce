import { readServiceFile } from '../config/service-file';

type Env = Readonly<Record<string, string | undefined>>;

const USUAL_PORT = '3000';

export const readDataDir = (env: Env): string => trimOrOmit(env['DATA_DIR']) ?? './data';

/** The address of the service, and where it was found, for error messages. */
export interface ServiceAddress {
  readonly url: string;
  readonly origin: string;
}

/**
 * Returns the address of the service: `given` (the option --service), else SERVICE_URL, else that
 * of the service that runs on DATA_DIR, else the local address with PORT.
 */
export const findServiceAddress = (env: Env, given?: string): ServiceAddress => {
  if (given !== undefined) return { url: given.trim(), origin: '--service' };
  const named = trimOrOmit(env['SERVICE_URL']);
  if (named !== undefined) return { url: named, origin: 'SERVICE_URL' };
  const dataDir = readDataDir(env);
  const running = readServiceFile(dataDir);
  if (running !== null && isAlive(running.pid)) {
    return { url: running.url, origin: `the service that runs on DATA_DIR (${dataDir})` };
  }
  const port = trimOrOmit(env['PORT']);
  const origin = port === undefined ? 'the default' : 'PORT';
  return {
    url: `http://127.0.0.1:${port ?? USUAL_PORT}`,
    origin: `${origin}, because no service runs on DATA_DIR (${dataDir})`,
  };
};

/**
 * Returns the address without a slash or `/v1` at its end; null if it is no address of a service.
 * Credentials in the address are dropped, because messages show it.
 */
export const parseServiceUrl = (text: string): string | null => {
  if (!URL.canParse(text)) return null;
  const { protocol, origin, pathname } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  return `${origin}${pathname}`.replace(/\/+$/, '').replace(/\/v1$/, '');
};

const trimOrOmit = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : text.trim();

/**
 * False if the process has certainly ended. A process of another account cannot be signalled and
 * counts as running.
 */
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
};
