/** Node's warning that the TLS server name is an IP address. */
const SERVER_NAME_IS_IP = 'DEP0123';

type Emit = (warning: string | Error, type?: unknown, code?: unknown, ...rest: unknown[]) => void;

let isQuiet = false;

/**
 * An event store may be addressed by IP. grpc-js passes the address on as the TLS server name, of which
 * Node warns on standard error; nobody who reads that can do anything about it.
 */
export const keepQuietAboutIpAddresses = (): void => {
  if (isQuiet) return;
  isQuiet = true;
  const emit = process.emitWarning.bind(process) as Emit;
  process.emitWarning = (...args: Parameters<Emit>): void => {
    if (args[2] !== SERVER_NAME_IS_IP) emit(...args);
  };
};
