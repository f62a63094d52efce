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
    const advice = createAdvice((error as NodeJS.ErrnoException).code, place);
    if (advice === null) throw error;
    // The cause would only repeat the address in the words of the operating system.
    // eslint-disable-next-line preserve-caught-error -- The advice says all that the cause does.
    throw new Error(advice);
  }
};

const createAdvice = (
  code: string | undefined,
  { variable, host, port }: ListenAddress,
): string | null => {
  const other = `choose another one: ${variable}=${port < 65_535 ? port + 1 : 3000} npm start`;
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is in use, perhaps by this service started before. Stop what uses it, or ${other}`;
    case 'EACCES':
      return `port ${port} of ${host} is reserved for other accounts; ${other.replace(/\d+ npm/, '3000 npm')}`;
    case 'EADDRNOTAVAIL':
      return `${host} is no address of this machine; set HOST to one that is, for example HOST=127.0.0.1`;
    default:
      return null;
  }
};
