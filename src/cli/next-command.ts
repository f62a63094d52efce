import { createDataDirPrefix, quoteForShell } from '../config/paste';
import { readDataDir } from './service-address';

/** Returns a command that a person can paste. It calls the same service as the current command. */
export const formatNextCommand = (
  args: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string => {
  const { SERVICE_URL: service = '' } = env;
  const address = service === '' ? '' : `SERVICE_URL=${quoteForShell(service)} `;
  return `${createDataDirPrefix(readDataDir(env))}${address}npm run cli -- ${args}`;
};
