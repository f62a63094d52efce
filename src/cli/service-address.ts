import { readServiceFile } from '../config/service-file';

type Env = Readonly<Record<string, string | undefined>>;

const USUAL_PORT = '3000';

export const readDataDir = (env: Env): string => trimOrOmit(env['DATA_DIR']) ?? './data';

/**
 * Returns the address of the service: SERVICE_URL, else that of the service that runs on DATA_DIR,
 * else the local address with PORT.
 */
export const findServiceAddress = (env: Env): string => {
  const named = trimOrOmit(env['SERVICE_URL']);
  if (named !== undefined) return named;
  const running = readServiceFile(readDataDir(env));
  if (running !== null && isAlive(running.pid)) return running.url;
  return `http://127.0.0.1:${trimOrOmit(env['PORT']) ?? USUAL_PORT}`;
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
