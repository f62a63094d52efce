/** Code of Node's warning that the TLS server name is an IP address. */
const SERVER_NAME_IS_IP = 'DEP0123';

type Emit = (warning: string | Error, type?: unknown, code?: unknown, ...rest: unknown[]) => void;

let isSuppressed = false;

/**
 * Suppresses a warning of Node. An event store may be addressed by IP, and grpc-js passes the
 * address on as the TLS server name. Node warns of this on standard error, but the operator can do
 * nothing about it.
 */
export const suppressIpAddressWarning = (): void => {
  if (isSuppressed) return;
  isSuppressed = true;
  const emit = process.emitWarning.bind(process) as Emit;
  process.emitWarning = (...args: Parameters<Emit>): void => {
    if (args[2] !== SERVER_NAME_IS_IP) emit(...args);
  };
};
