import { ConfigError } from '../config/config';

/** Error codes of an address that this machine does not have, and of a name that has no address. */
const WRONG_HOST_CODES = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];

interface ListenAddress {
  readonly variable: 'PORT' | 'METRICS_PORT';
  readonly host: string;
  readonly port: number;
}

/** Waits until a server listens. If it cannot, the error says what to do about it. */
export const waitUntilListening = async (
  started: Promise<unknown>,
  place: ListenAddress,
): Promise<void> => {
  try {
    await started;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (WRONG_HOST_CODES.includes(code)) throw createHostError(place.host);
    const advice = createAdvice(code, place);
    if (advice === null) throw error;
    // The cause would only repeat the address in the words of the operating system.
    // eslint-disable-next-line preserve-caught-error -- The advice says all that the cause does.
    throw new Error(advice);
  }
};

const createHostError = (host: string): ConfigError =>
  new ConfigError([
    `HOST is ${host}, which is no address of this machine: set it to one that is, for example 127.0.0.1, or 0.0.0.0 for all`,
  ]);

const createAdvice = (code: string, { variable, host, port }: ListenAddress): string | null => {
  const other = `choose another one: ${variable}=${port < 65_535 ? port + 1 : 3000} npm start`;
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is in use, perhaps by this service started before. Stop what uses it, or ${other}`;
    case 'EACCES':
      return `port ${port} of ${host} is reserved for other accounts; ${other.replace(/\d+ npm/, '3000 npm')}`;
    default:
      return null;
  }
};
